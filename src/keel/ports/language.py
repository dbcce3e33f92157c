"""The Language socket: how files of one language become facts, and how their names become edges.

Everything a language needs to know of the workspace comes through `Tree`; where facts are kept is not its business.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

from keel.model.answers import Named
from keel.model.evidence import Clue
from keel.model.facts import Facts, Interface, decode_interface
from keel.model.manifests import Manifest, Source
from keel.model.rows import Amendment, EdgeRow, FileLinks
from keel.model.syntax import PLAIN, Syntax
from keel.ports.contracts import Contracts, TreeVersion, UnknownContracts
from keel.ports.conventions import Conventions
from keel.ports.editing import Editing
from keel.ports.tree import SlotContents, Tree


class ManifestReading(NamedTuple):
    """What steering files declare, and what is wrong with them."""

    manifests: list[Manifest]
    warnings: list[str]


class Change(NamedTuple):
    """A file whose interface differs: before and after, None where the file is not there."""

    root: str
    path: str
    before: Any
    """An interface as the language decodes it."""
    after: Any


MAX_ANSWERING_FILES = 256
"""Files whose answers are kept: edits come back to the same few again and again."""


class Answers:
    """What files answer to look-ups: a process that stays finds it out once."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str, int], tuple[Interface, Mapping[int, object]]] = {}
        """By root, path and identity of an interface: the interface, and answers by key."""
        self.numbers: dict[tuple[object, ...], int] = {}
        """What is said in these answers, as numbers: what says the same has the same one."""

    def make_room(self) -> None:
        """Forgets all of it when it has become too much; not between two answers that are compared."""
        if len(self.held) > MAX_ANSWERING_FILES:
            self.clear()

    def clear(self) -> None:
        """Forgets all of it."""
        self.held.clear()
        self.numbers.clear()


class Flows(Protocol):
    """What the files of the last run gave to each other, as the store remembers it."""

    @property
    def remembers(self) -> bool:
        """Whether anything is remembered; not when everything is linked anew."""

    @property
    def gone(self) -> Collection[int]:
        """Files that are no longer there; what they gave counts only for before."""

    def given(self, slot: int) -> Mapping[int, bytes]:
        """What each file gave to a slot."""

    def slots(self, files: Iterable[int]) -> set[int]:
        """All slots that files gave to, the files that are gone included."""

    def readers(self, slots: Iterable[int]) -> set[int]:
        """Files that read one of these slots."""


class Question(NamedTuple):
    """Something to ask a helper about a file."""

    references: tuple[int, ...]
    """The references that the answer holds for, by index."""
    at: int
    """Where the identifier of the first one stands."""


class HelperTargets(NamedTuple):
    """What a helper said of a file's references."""

    places: Mapping[int, Sequence[tuple[int, int]]]
    """By the index of a reference: definitions, by file and ordinal."""
    lost: Sequence[Named]
    """Definitions that it named and that are not there."""


class Confirmed(NamedTuple):
    """What became of a file's links with a helper's answers."""

    amendment: Amendment
    disagreements: int
    """References for which linking had found something else than the helper."""


class Linker(Protocol):
    """Turns the references of files into edges, and says what it looked up to do so."""

    def module(self, file: int) -> str:
        """The name other files import this one by."""

    def learn(self, file: int, interface: Any) -> None:
        """Takes in what a file says, as the language decodes it, while it is at hand, before anything is linked."""

    def settings(self) -> bytes:
        """What the steering files say, as one value: when it differs, everything is linked again."""

    def link(self, files: Sequence[int], references: Callable[[int], bytes], flows: Flows) -> Iterator[FileLinks]:
        """Edges and reasons for all references of files, and of others that depend on what these give them."""


class ConfirmingLinker(Linker, Protocol):
    """A linker of a language whose links helpers can confirm."""

    def confirm(self, links: FileLinks, references: bytes, said: HelperTargets, tier: int) -> Confirmed:
        """The links of a file with what a helper said of its references, by index; others stay as they are.

        Where both agree, the edge is the helper's; where only one answers, that answer stands; where they differ, the
        helper's does, and the edge says what was found before.
        """


class Language(Protocol):
    """A language keel reads. A class that inherits from this one gets the answers given here.

    What else a language can do is a capability, a Protocol of its own, which it may lack: `Manifests`, `Explaining`,
    `Confirming`, and the sockets `contracts`, `conventions` and `editing`. The functions below ask for each of them.
    """

    name: str
    suffixes: tuple[str, ...]
    version: int
    """Of the extractor: facts made by another version are made again."""

    @property
    def syntax(self) -> Syntax:
        """How it writes names, comments and signatures, for all that print, count or compare them."""
        return PLAIN

    def text(self, source: bytes) -> bytes:
        """The file as UTF-8, whatever its encoding is: the text that lines and positions in facts count in. Pure."""
        return source.decode("utf-8", "replace").encode()

    def extract(self, source: bytes, path: str) -> Facts:
        """Everything the file says by itself. Pure; never fails on bad source, but records gaps."""

    def decode(self, data: bytes) -> Interface:
        """An encoded interface, with the private half that the language itself reads."""
        return decode_interface(data)

    def linker(self, tree: Tree[Any], persistent: bool = False) -> Linker:
        """A linker over the workspace as it is now.

        One that `lasts` links again and again, over the same files in the same places: it is told of each that says
        something else (`learn`), links these among others, and all that it finds is stored before it links again.
        """

    def changed_keys(self, changes: Iterable[Change], known: Answers | None = None) -> set[int]:
        """The look-up keys whose values differ between before and after.

        `known` is what was found out before, and takes in what is found out now.
        """


class Manifests(Protocol):
    """A language whose imports depend on files such as `pyproject.toml`."""

    manifest_files: tuple[str, ...]
    """The names of these files."""

    def parse_manifests(self, contents: Mapping[tuple[str, str], bytes]) -> ManifestReading:
        """What these files, by root and path, declare. Pure; a bad one is warned of and declares nothing."""

    def sources(self, tree: Tree[Any]) -> Mapping[str, Sequence[Source]]:
        """The folders that imports start from, by root: those declared, and those the language looks in by itself."""


class Explaining(Protocol):
    """A language that can say how an edge was found."""

    def explain(
        self, tree: Tree[Any], file: int, edge: EdgeRow, references: Callable[[int], bytes], given: SlotContents
    ) -> list[Clue]:
        """The steps by which an edge that leaves a file was found, from the reference to the definition.

        Nothing is kept for this: the reference is looked at once more. `references` gives those of any file,
        `given` what files gave to a slot.
        """


class Confirming(Protocol):
    """A language whose links helpers can confirm; its linker is a `ConfirmingLinker`."""

    def questions(self, interface: Any, references: bytes) -> list[Question]:
        """What a helper is asked about a file."""


def manifest_names(language: Language) -> tuple[str, ...]:
    """The names of the manifests of a language; none for one that has no manifests."""
    return getattr(language, "manifest_files", ())


def manifests_of(language: Language) -> Manifests | None:
    """How a language reads its manifests."""
    return cast("Manifests", language) if manifest_names(language) else None


def explaining_of(language: Language) -> Explaining | None:
    """How a language explains edges."""
    return cast("Explaining", language) if hasattr(language, "explain") else None


def confirming_of(language: Language) -> Confirming | None:
    """What helpers can be asked about a language."""
    return cast("Confirming", language) if hasattr(language, "questions") else None


def has_contracts(language: Language) -> bool:
    """Whether calls of a language can be checked."""
    return hasattr(language, "contracts")


def contracts_of(language: Language, base: TreeVersion[Any], now: TreeVersion[Any]) -> Contracts:
    """Judgements about calls and definitions of two trees; all "not known" for a language that brings none."""
    make: Callable[[TreeVersion[Any], TreeVersion[Any]], Contracts] | None = getattr(language, "contracts", None)
    return UnknownContracts() if make is None else make(base, now)


def conventions_of(language: Language) -> Conventions | None:
    """What a language asks to be written at functions."""
    make: Callable[[], Conventions] | None = getattr(language, "conventions", None)
    return None if make is None else make()


def editing_of(language: Language) -> Editing | None:
    """How source of a language is edited."""
    make: Callable[[], Editing] | None = getattr(language, "editing", None)
    return None if make is None else make()
