"""Find symbols by free text: words of their names, signatures, docstrings and paths.

A question in plain words or a part of a name. Names are split at case, digits and underscores, so that `http error`
finds `HTTPStatusError`; endings do not count, and neither do mistyped letters where nothing has the word as it was
typed. Whatever is typed is taken for words: there are no operators. The exact name comes first, definitions before
tests. The names that a body uses, and the texts in it, are searched as well. With the extra `semantic` installed, what
means the same in other words is found too.

    keel search "follow redirects"
    keel search "parse cookie header" --kinds function --kinds method
    keel search timeout --path src/client --limit 5 --json

Symbols of other packages are not searched, nor is vendored and generated code unless `--foreign` is given. For a name
that is known, `resolve` gives one answer or says why not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.errors import SearchMissing, UsageError
from keel.graph.list_entry import ListEntry, entry_fields
from keel.graph.lookup.handles import PathScope
from keel.graph.lookup.nearest import nearest_names
from keel.graph.lookup.scope import in_scope
from keel.graph.naming import FILE_KIND
from keel.graph.ranking import is_foreign
from keel.graph.search import CANDIDATES, nearest_words, question_of, reasons, search
from keel.model.facts import decode_interface
from keel.model.kinds import NodeKind
from keel.model.record import field
from keel.querying.bounds import Listing, Page, absence_of, freshest_graph, listing_fields, page_of
from keel.querying.meaning import nearest_in_meaning, with_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import ClassVar

    from keel.graph.search import Question, Scored
    from keel.model.facts import Interface
    from keel.model.rows import FileRow, StoredNode, Words
    from keel.model.syntax import Syntaxes
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

GROUP = "ask"
QUICK = True
BY_WORDS, BY_BOTH = "words", "words and meaning"
WIDEST = 72
"""Letters of a signature in a list; `describe` shows it whole."""


class Params(Page):
    """Parameters of `search`."""

    query: str = field("Words, a sentence, or a part of a name.", positional=True)
    kinds: tuple[str, ...] = field("Only this kind of symbol.", default=(), choices=NodeKind.words())
    language: tuple[str, ...] = field("Only files of this language.", default=())
    root: tuple[str, ...] = field("Only this root of the workspace.", default=())
    path: str = field("Only this folder, file, or package (`pkg.sub`).", default="")
    foreign: bool = field("Search vendored and generated code too.", default=False)
    limit: int = field("Show at most so many.", default=10, least=1, most=1000)


class Hit(ListEntry):
    """A symbol that was found."""

    LAYOUT: ClassVar = ("{path}:{line}  {kind} {heading}  {hash}  {marks}  {doc}",)
    LLM: ClassVar = "{path}:{line} {heading} {hash} {marks}"

    root: str = field("The root it is in.")
    signature: str = field("How it is declared.")
    doc: str = field("The first line of its documentation.")
    why: tuple[str, ...] = field("Which words were found where.")
    is_test: bool = field("Whether it is in a file of tests.")

    @property
    def heading(self) -> str:
        """Its qualified name with its parameters, short enough for a list."""
        _, bracket, rest = self.signature.partition("(")
        shown = f"{self.qualified_name if self.kind != 'module' else self.module}{bracket}{rest}"
        return shown if len(shown) <= WIDEST else f"{shown[: WIDEST - 1]}…"

    @property
    def marks(self) -> str:
        """Which words were found where, as text."""
        return "; ".join((*self.why, *(("test",) if self.is_test else ())))


class Result(Listing):
    """The symbols, the best match first."""

    LAYOUT: ClassVar = ("{headline}", "hits", "{note}", "{unshown}", "{freshness}", "{nothing}")

    query: str = field("What was asked.")
    hits: tuple[Hit, ...] = field("The symbols, those that fit best first.")
    ranking: str = field("How they were ranked.", choices=(BY_WORDS, BY_BOTH))
    by_words: int = field("How many of them have words of the question; the others are near in meaning.")
    complete: bool = field("Whether no other symbol has words of the question; otherwise there are more.")
    note: str = field("A remark about the question; usually empty.", default="")

    @property
    def headline(self) -> str:
        """The number of symbols, as text."""
        if not self.total:
            return ""
        near = self.total - self.by_words
        least = "" if self.complete else "at least "
        return f"{least}{self.by_words:,} found by words{f', {near:,} more that are near in meaning' if near else ''}"


def run(workspace: Workspace, params: Params) -> Result:
    """Finds candidates, ranks them, and shows a page."""
    if not params.query.strip():
        raise UsageError("search needs words to look for")
    with_vectors(workspace)
    with freshest_graph(workspace) as (reader, as_of):
        if not reader.can_search():
            raise SearchMissing("the graph")
        question = question_of(reader, params.query, workspace.syntaxes)
        wanted, is_narrowed = _wanted(workspace, reader, params)
        meant = nearest_in_meaning(workspace, reader, question.spelled)
        found = search(reader, question, wanted, workspace.syntaxes, is_narrowed, meant)
        shown = page_of(found, params)
        by_words = sum(one.by_words for one in found)
        nearest = nearest_names(reader, params.query) if not found else []
        absence = absence_of(reader, f"search '{params.query.strip()}'", as_of, nearest) if not found else None
        return Result(
            query=params.query,
            hits=tuple(_hits(reader, question, shown, workspace.syntaxes)),
            ranking=BY_WORDS if meant is None else BY_BOTH,
            by_words=by_words,
            complete=question.is_weighed and by_words < CANDIDATES,
            note=_note(question),
            **listing_fields(params, len(shown), len(found), as_of, absence),
        )


def _wanted(
    workspace: Workspace, reader: GraphReader, params: Params
) -> tuple[Callable[[StoredNode, FileRow], bool], bool]:
    """Which symbols are searched, and whether that excludes many."""
    _check(params.language, {language.name for language in workspace.languages}, "language")
    _check(params.root, set(workspace.roots), "root")
    kinds = {int(NodeKind.named(word)) for word in params.kinds}
    inside = None
    if params.path:
        inside = {file.id for file in in_scope(reader.files(), params.path, PathScope(workspace.roots, workspace.here))}

    def wanted(node: StoredNode, file: FileRow) -> bool:
        if node.kind not in kinds if kinds else node.kind == FILE_KIND:
            return False
        return (
            (not params.language or file.language in params.language)
            and (not params.root or file.root in params.root)
            and (inside is None or file.id in inside)
            and (params.foreign or not is_foreign(file.path, workspace.syntaxes[file.language]))
        )

    return wanted, bool(kinds or params.path or params.language or params.root)


def _check(given: tuple[str, ...], known: set[str], what: str) -> None:
    for word in given:
        if word not in known:
            raise UsageError(f"there is no {what} '{word}'; there is {', '.join(sorted(known))}")


def _hits(reader: GraphReader, question: Question, shown: Sequence[Scored], syntaxes: Syntaxes) -> Iterator[Hit]:
    files: dict[int, tuple[Interface, dict[int, Words]]] = {}
    for node, file, *_ in shown:
        if file.id not in files:
            files[file.id] = decode_interface(reader.interface(file.id) or b""), reader.words(file.id)
        interface, words = files[file.id]
        definition = interface.defs[node.ordinal]
        syntax = syntaxes[file.language]
        signature = " ".join(syntax.signature(interface, definition).split())
        doc = interface.text(definition.doc).strip()
        about = words[node.number].about if node.number in words else ""
        yield Hit(
            **entry_fields(node, file),
            root=file.root,
            signature=signature,
            doc=doc.partition("\n")[0].strip(),
            why=tuple(reasons(question, node, file, signature, doc, about)),
            is_test=syntax.is_test(file.path),
        )


def _note(question: Question) -> str:
    taken = nearest_words(question)
    unknown = [word for word, near in question.corrected.items() if not near]
    said = [f"taken: {', '.join(taken)}"] if taken else []
    if unknown:
        said.append(f"nothing has: {', '.join(unknown)}")
    return "\n".join(said)
