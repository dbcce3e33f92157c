"""Write the whole graph, or a part of it, in a form that other programs read.

JSON lines hold everything: nodes, edges with tier and confidence, and references that have no edge, with the reason.
They are ordered by id and then by position, so that exports of equal graphs are equal byte for byte. `dot` and
`mermaid` are for drawings and hold nodes and edges only. It streams: a graph larger than memory can be exported.

    keel export --output graph.jsonl
    keel export --format dot --kind class --kind inherits | dot -Tsvg -o classes.svg
    keel export --path src/billing --min-confidence 0.7

A part is a graph of its own: an edge is in it when both its ends are. `--kind` takes kinds of nodes, edges and
references; kinds of one sort leave the other sorts alone, except that references go when only kinds of edges are named.

Tools of the project and of the user are nodes too, with everything that runs them by `delegates_to` edges; the root of
one is its space. One that is shadowed says so (`shadowed_by`), and one whose code is in the graph names its `module`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keel.errors import UsageError
from keel.graph.export import EDGE_WORDS, NODE_WORDS, REF_WORDS, Beside, Narrowed, export_graph
from keel.graph.lookup.handles import PathScope
from keel.graph.lookup.scope import in_scope
from keel.model.lines import EdgeLine, NodeLine, RefLine
from keel.model.record import Record, field
from keel.querying.current_graph import current_graph
from keel.querying.tool_lines import ToolLines, tool_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keel.model.rows import FileRow
    from keel.ports.workspace import Workspace

FORMATS = ("jsonl", "dot", "mermaid")
KINDS = tuple(dict.fromkeys((*NODE_WORDS, *EDGE_WORDS, *REF_WORDS)))
GROUP = "share"


class Params(Record):
    """Which part of the graph is exported; without any, all of it."""

    kind: tuple[str, ...] = field("Only this kind of node, edge or reference.", default=(), choices=KINDS)
    language: tuple[str, ...] = field("Only files of this language.", default=())
    path: tuple[str, ...] = field("Only this folder, file, or package (`pkg.sub`); `*` matches anything.", default=())
    min_confidence: float = field("Only edges with at least this confidence.", default=0.0, least=0, most=1)


class Result(Record):
    """The graph, line by line."""

    lines: Iterator[NodeLine | EdgeLine | RefLine] = field("Nodes, then edges, then references without an edge.")


def run(workspace: Workspace, params: Params) -> Result:
    """Brings the graph up to date; it is read while the lines are consumed."""
    _check_languages(params, sorted(language.name for language in workspace.languages))
    with current_graph(workspace) as reader:
        files = reader.files()
        tools = tool_lines(workspace, reader, files)
        known = [*files, *tools.own_files()]
        narrowed = _narrowed(params, _paths(known, params.path, PathScope(workspace.roots, workspace.here)))
    return Result(lines=_lines(workspace, narrowed, _wanted_tools(tools, narrowed)))


def _lines(workspace: Workspace, narrowed: Narrowed, tools: Beside) -> Iterator[NodeLine | EdgeLine | RefLine]:
    with workspace.store.reading() as reader:
        yield from export_graph(reader, narrowed, tools)


def _wanted_tools(tools: ToolLines, narrowed: Narrowed) -> Beside:
    """The selected tools, and the edges between them, which are certain: `--min-confidence` does not exclude them."""
    nodes = [node for node, file in tools.nodes if node.kind in narrowed.node_kinds and narrowed.wants_file(file)]
    ids = {node.id for node in nodes}
    edges = [edge for edge in tools.edges if edge.kind in narrowed.edge_kinds]
    return Beside(nodes, [edge for edge in edges if edge.source in ids and edge.target in ids])


def _check_languages(params: Params, known: list[str]) -> None:
    """Checks the names of languages, which only the workspace knows, so that the field cannot list them."""
    for language in params.language:
        if language not in known:
            raise UsageError(f"--language cannot be '{language}' ({', '.join(known)})")


def _paths(files: Sequence[FileRow], wanted: tuple[str, ...], places: PathScope) -> set[tuple[str, str]] | None:
    """Root and path of the selected files; None when none is named, which means all."""
    if not wanted:
        return None
    return {(file.root, file.path) for path in wanted for file in in_scope(files, path, places)}


def _narrowed(params: Params, paths: set[tuple[str, str]] | None) -> Narrowed:
    kinds = params.kind
    return Narrowed(
        _of(kinds, NODE_WORDS),
        _of(kinds, EDGE_WORDS),
        _of_references(kinds),
        params.min_confidence,
        lambda file: _wants_file(params, paths, file),
    )


def _of(kinds: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    """The named kinds among some (of nodes, of edges, of references); all of these when none is named."""
    return tuple(kind for kind in kinds if kind in words) or words


def _of_references(kinds: tuple[str, ...]) -> tuple[str, ...]:
    named = tuple(kind for kind in kinds if kind in REF_WORDS)
    return named if named or any(kind in EDGE_WORDS for kind in kinds) else REF_WORDS


def _wants_file(params: Params, paths: set[tuple[str, str]] | None, file: FileRow) -> bool:
    of_language = not params.language or file.language in params.language
    return of_language and (paths is None or (file.root, file.path) in paths)
