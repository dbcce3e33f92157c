"""The Language socket: how files of one language become facts, and how their names become edges.

Everything that a language knows of the workspace comes through `Tree`; keeping facts is left to the store and the
cache.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from keel.model.answers import Named
from keel.model.facts import Facts, Interface, decode_interface
from keel.model.manifests import Manifest, Source
from keel.model.rows import Amendment, EdgeRow, FileLinks
from keel.model.syntax import PLAIN, Syntax
from keel.ports.contracts import Contracts, TreeVersion, UnknownContracts
from keel.ports.tree import SlotContents, Tree

if TYPE_CHECKING:
    from keel.model.evidence import Clue
    from keel.ports.conventions import Conventions
    from keel.ports.editing import Editing
    from keel.ports.external import External


class ManifestReading(NamedTuple):
    """What manifests declare, and what is wrong with them."""

    manifests: list[Manifest]
    warnings: list[str]


class Change(NamedTuple):
    """A file whose interface differs: before and after, None where the file does not exist."""

    root: str
    path: str
    before: Any
    """The interface as the language decodes it."""
    after: Any


MAX_ANSWERING_FILES = 256
"""Files whose answers are cached: edits return to the same few files."""


class Answers:
    """A cache of what files answer to look-ups, so that the daemon computes it once."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str, int], tuple[Interface, Mapping[int, object]]] = {}
        """By root, path and identity of an interface: the interface, and its answers by key."""
        self.numbers: dict[tuple[object, ...], int] = {}
        """Answers as numbers: equal answers have the same number."""

    def make_room(self) -> None:
        """Empties the cache when it has become too large; must not be called between two answers that are compared."""
        if len(self.held) > MAX_ANSWERING_FILES:
            self.clear()

    def clear(self) -> None:
        """Empties the cache."""
        self.held.clear()
        self.numbers.clear()


class Flows(Protocol):
    """The argument flow of the last run, as the store has it: which file passed which values to which parameter
    slots."""

    @property
    def remembers(self) -> bool:
        """Whether there is a last run to continue; not when everything is linked again."""

    @property
    def gone(self) -> Collection[int]:
        """Files that were removed since the last run; what they passed counts only as the state before."""

    def given(self, slot: int) -> Mapping[int, bytes]:
        """What each file passed to a slot."""

    def slots(self, files: Iterable[int]) -> set[int]:
        """All slots that files passed values to, removed files included."""

    def readers(self, slots: Iterable[int]) -> set[int]:
        """Files that read one of these slots."""


class Question(NamedTuple):
    """A question to a helper about a file."""

    references: tuple[int, ...]
    """The references that the answer applies to, by index."""
    at: int
    """The offset of the first one's identifier."""


class HelperTargets(NamedTuple):
    """What a helper answered about a file's references, resolved to definitions of the graph."""

    places: Mapping[int, Sequence[tuple[int, int]]]
    """By the index of a reference: definitions, by file and ordinal."""
    lost: Sequence[Named]
    """Definitions that it named and that do not exist in the graph."""


class Confirmed(NamedTuple):
    """The links of a file after a helper's answers were merged in."""

    amendment: Amendment
    disagreements: int
    """References that linking had resolved to something else than the helper."""


class Linker(Protocol):
    """Turns the references of files into edges, and records every fact that it looked up to do so.

    A file is linked again when one of its recorded look-ups gets another answer, so a look-up that is not recorded
    leaves stale edges behind.
    """

    def module(self, file: int) -> str:
        """The name that other files import this one by."""

    def learn(self, file: int, interface: Any) -> None:
        """Takes the interface of a file, as the language decodes it, before anything is linked; it saves decoding it
        again."""

    def settings(self) -> bytes:
        """A digest of what the manifests declare: when it differs from the stored one, everything is linked again."""

    def link(self, files: Sequence[int], references: Callable[[int], bytes], flows: Flows) -> Iterator[FileLinks]:
        """Edges and reasons for all references of these files, and of others that depend on what these pass to them."""


class ConfirmingLinker(Linker, Protocol):
    """A linker of a language whose links helpers can confirm."""

    def confirm(self, links: FileLinks, references: bytes, targets: HelperTargets, tier: int) -> Confirmed:
        """The links of a file merged with a helper's answers, by index of the reference; others are unchanged.

        Where both agree, the edge gets the helper's tier; where only one answers, that answer is taken; where they
        differ, the helper's is, and the edge records the former target in its metadata.
        """


class Language(Protocol):
    """A language that keel reads. A class that inherits from this one gets the defaults given here.

    Everything else that a language can do is an optional capability, a Protocol of its own: `Manifests`, `Explaining`,
    `Confirming`, and the sockets `contracts`, `conventions` and `editing`. The functions below look each of them up.
    """

    name: str
    suffixes: tuple[str, ...]
    version: int
    """Version of the extractor: facts of another version are extracted again, so raise it when their content
    changes."""

    @property
    def syntax(self) -> Syntax:
        """How the language writes names, comments and signatures, for the parts that print, count or compare them."""
        return PLAIN

    def text(self, source: bytes) -> bytes:
        """The file as UTF-8, whatever its encoding: the text that lines and offsets in facts refer to. Pure."""
        return source.decode("utf-8", "replace").encode()

    def extract(self, source: bytes, path: str) -> Facts:
        """Everything that the file declares by itself. Pure; never fails on malformed source, but records gaps."""

    def decode(self, data: bytes) -> Interface:
        """An encoded interface, with the private fields that only the language itself reads."""
        return decode_interface(data)

    def linker(self, tree: Tree[Any], persistent: bool = False) -> Linker:
        """A linker over the workspace as it is now.

        A `persistent` one is used for many runs over the same files in the same folders: each file whose interface
        changed is passed to `learn`, is among the files that are linked next, and the result is committed before it
        links again.
        """

    def changed_keys(self, changes: Iterable[Change], known: Answers | None = None) -> set[int]:
        """The look-up keys whose values differ between before and after.

        `known` caches the answers of earlier calls, and is extended by this one.
        """


class Manifests(Protocol):
    """A language whose imports depend on manifests such as `pyproject.toml`."""

    manifest_files: tuple[str, ...]
    """The file names of these manifests."""

    def parse_manifests(self, contents: Mapping[tuple[str, str], bytes]) -> ManifestReading:
        """What these manifests, by root and path, declare. Pure; a malformed one gives a warning and declares
        nothing."""

    def sources(self, tree: Tree[Any]) -> Mapping[str, Sequence[Source]]:
        """The folders that imports start from, by root: the declared ones, and those that the language searches by
        default."""


class Explaining(Protocol):
    """A language that can give the evidence of an edge."""

    def explain(
        self, tree: Tree[Any], file: int, edge: EdgeRow, references: Callable[[int], bytes], given: SlotContents
    ) -> list[Clue]:
        """The steps by which an edge that leaves a file was resolved, from the reference to the definition.

        Evidence is not stored: the reference is resolved once more. `references` returns those of any file, `given`
        what files passed to a slot.
        """


class Confirming(Protocol):
    """A language whose links helpers can confirm; its linker is a `ConfirmingLinker`."""

    def questions(self, interface: Any, references: bytes) -> list[Question]:
        """The questions to a helper about a file."""


def manifest_names(language: Language) -> tuple[str, ...]:
    """The file names of a language's manifests; empty for a language without manifests."""
    return getattr(language, "manifest_files", ())


def manifests_of(language: Language) -> Manifests | None:
    """The capability to read manifests, if the language has it."""
    return cast("Manifests", language) if manifest_names(language) else None


def explaining_of(language: Language) -> Explaining | None:
    """The capability to explain edges, if the language has it."""
    return cast("Explaining", language) if hasattr(language, "explain") else None


def confirming_of(language: Language) -> Confirming | None:
    """The capability to have links confirmed by helpers, if the language has it."""
    return cast("Confirming", language) if hasattr(language, "questions") else None


def has_contracts(language: Language) -> bool:
    """Whether calls of a language can be checked."""
    return hasattr(language, "contracts")


def contracts_of(language: Language, base: TreeVersion[Any], now: TreeVersion[Any]) -> Contracts:
    """Judgements about calls and definitions of two trees; all "not known" for a language without contracts."""
    make: Callable[[TreeVersion[Any], TreeVersion[Any]], Contracts] | None = getattr(language, "contracts", None)
    return UnknownContracts() if make is None else make(base, now)


def conventions_of(language: Language) -> Conventions | None:
    """What a language requires to be written at functions, if it does."""
    make: Callable[[], Conventions] | None = getattr(language, "conventions", None)
    return None if make is None else make()


def external_of(language: Language) -> External | None:
    """What a language knows of packages outside the workspace; None without the capability."""
    make: Callable[[], External] | None = getattr(language, "external", None)
    return None if make is None else make()


def editing_of(language: Language) -> Editing | None:
    """How source of a language is edited, if it can be."""
    make: Callable[[], Editing] | None = getattr(language, "editing", None)
    return None if make is None else make()
