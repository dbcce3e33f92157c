"""Evidence with the source text of its lines: what languages know of an edge, read from the current files.

Which edges are explained is left to `checking/edge_explanations.py` and `checking/finding_explanations.py`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from keel.indexing.stored_tree import stored_tree
from keel.model.evidence import Clue
from keel.model.facts import Lines, decode_interface
from keel.model.ids import unescape_path
from keel.model.kinds import EdgeKind, StepKind
from keel.model.nodes import Step
from keel.model.rows import EdgeRow
from keel.ports.contracts import TreeVersion
from keel.ports.language import explaining_of
from keel.querying.current_graph import index_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keel.graph.lookup.handles import Match
    from keel.indexing.tree import WorkspaceTree
    from keel.model.rows import FileRow, StoredEdge
    from keel.ports.language import Language
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace


def steps_of(
    language: Language, side: TreeVersion[Any], file: int, edge: EdgeRow, text: Callable[[FileRow, int], str]
) -> Iterator[Step]:
    """The steps of an edge that leaves a file of one of two trees, each line once."""
    seen: set[tuple[int, int]] = set()
    for clue in _clues(language, side, file, edge):
        row = side.tree.files.get(clue.file)
        if row is None:
            continue
        line = Lines(side.tree.interface(clue.file).lines).line(clue.at)
        if (clue.file, line) not in seen:
            seen.add((clue.file, line))
            yield Step(StepKind(clue.kind).word, row.path, line, text(row, line))


def _clues(language: Language, side: TreeVersion[Any], file: int, edge: EdgeRow) -> list[Clue]:
    """How an edge was resolved; where the language does not explain it, the two lines that it connects."""
    explaining = explaining_of(language)
    if explaining is not None:
        return explaining.explain(side.tree, file, edge, side.references, side.given)
    start = side.tree.interface(file).defs[edge.source].start
    target = side.tree.interface(edge.target_file).defs[edge.target]
    return [
        Clue(_STEPS.get(EdgeKind(edge.kind), StepKind.TYPE_REF), file, start + edge.at),
        Clue(StepKind.DEFINITION, edge.target_file, target.name_at),
    ]


_STEPS = {
    EdgeKind.CALLS: StepKind.CALL,
    EdgeKind.INSTANTIATES: StepKind.CALL,
    EdgeKind.IMPORTS: StepKind.IMPORT,
    EdgeKind.INHERITS: StepKind.INHERIT,
}
"""What the reference behind an edge shows, by the kind of the edge."""


class Evidence:
    """The steps of edges of a current graph."""

    def __init__(self, workspace: Workspace, reader: GraphReader) -> None:
        self._workspace = workspace
        self._reader = reader
        self._trees: dict[str, WorkspaceTree] = {}
        self._lines: dict[int, Lines] = {}
        self._texts: dict[int, list[bytes]] = {}

    def steps(self, caller: Match, callee: Match, edge: StoredEdge) -> Iterator[Step]:
        """The steps of an edge, each line once."""
        row = EdgeRow(caller.node.ordinal, edge.at, edge.kind, callee.file.id, callee.node.ordinal, *edge[4:])
        name = caller.file.language
        language = next(each for each in self._workspace.languages if each.name == name)
        if name not in self._trees:
            self._trees[name] = stored_tree(index_context(self._workspace), self._reader, language)
        side = TreeVersion(self._trees[name], self._references, self._reader.flows)
        yield from steps_of(language, side, caller.file.id, row, self.text)

    def line(self, file: int, at: int) -> int:
        """The line of an offset."""
        known = self._lines.get(file)
        if known is None:
            interface = decode_interface(self._reader.interface(file) or b"")
            known = self._lines[file] = Lines(interface.lines)
        return known.line(at)

    def text(self, file: FileRow, line: int) -> str:
        """A line of a file without its indentation; empty when the file cannot be read."""
        lines = self._texts.get(file.id)
        if lines is None:
            path = os.path.join(self._workspace.roots.get(file.root, ""), unescape_path(file.path))
            try:
                with open(path, "rb") as source:
                    lines = source.read().split(b"\n")
            except OSError:
                lines = []
            self._texts[file.id] = lines
        return lines[line - 1].decode("utf-8", "replace").strip() if 0 < line <= len(lines) else ""

    def _references(self, file: int) -> bytes:
        return self._reader.references(file) or b""
