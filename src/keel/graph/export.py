"""The whole graph as a stream of lines in a stable order: nodes by id, then edges, then references without an edge.

Edges and references come by source id and position. Memory is bounded, so that a graph larger than memory can be
exported. Writing the lines is left to the formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.graph.naming import id_of
from keel.graph.structure import structural_edges
from keel.model.facts import Lines, decode_interface, decode_references
from keel.model.hashing import to_text
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind, Tier
from keel.model.lines import EdgeLine, ExportLine, NodeLine, RefLine
from keel.model.metadata import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from keel.model.facts import Interface
    from keel.model.rows import FileRow, StoredEdge, StoredNode
    from keel.ports.store import GraphReader

HELD_FILES = 64
HELD_IDS = 500_000

NODE_WORDS, EDGE_WORDS, REF_WORDS = NodeKind.words(), EdgeKind.words(), RefKind.words()
REASON_WORDS, TIER_WORDS = Reason.words(), Tier.words()


class Narrowed(NamedTuple):
    """Which part of the graph is wanted; it includes the edges whose ends are both included."""

    node_kinds: Collection[str] = NODE_WORDS
    edge_kinds: Collection[str] = EDGE_WORDS
    ref_kinds: Collection[str] = REF_WORDS
    min_confidence: float = 0.0
    wants_file: Callable[[FileRow], bool] = lambda file: True


class Beside(NamedTuple):
    """Nodes and edges that no store has, in order; their ids come after all ids of a store."""

    nodes: Sequence[NodeLine] = ()
    edges: Sequence[EdgeLine] = ()


def export_graph(
    reader: GraphReader, narrowed: Narrowed | None = None, beside: Beside | None = None
) -> Iterator[ExportLine]:
    """Every line of the graph, or of the part that is wanted, with the additional nodes and edges."""
    beside = beside or Beside()
    walk = _Walk(reader, narrowed or Narrowed())
    yield from walk.nodes()
    yield from beside.nodes
    yield from walk.edges()
    yield from beside.edges
    yield from walk.references()


class _Walk:
    """One pass over a graph, with the little state that it needs."""

    def __init__(self, reader: GraphReader, narrowed: Narrowed) -> None:
        self._reader = reader
        self._narrowed = narrowed
        self._floor = round(narrowed.min_confidence * 100)
        self._node_kinds = _numbers(NODE_WORDS, narrowed.node_kinds)
        self._edge_kinds = _numbers(EDGE_WORDS, narrowed.edge_kinds)
        self._ref_kinds = _numbers(REF_WORDS, narrowed.ref_kinds)
        self._rows: dict[int, FileRow | None] = {}
        self._ids: dict[int, str | None] = {}
        self._files: dict[int, _File] = {}

    def nodes(self) -> Iterator[NodeLine]:
        """The nodes that are wanted, by id."""
        for node_id, node, file in self._wanted():
            yield NodeLine(
                node_id,
                to_text(node.hash),
                NODE_WORDS[node.kind],
                node.name,
                node.qualified_name,
                file.root,
                file.path,
                node.line,
                node.end_line,
                file.language,
            )

    def edges(self) -> Iterator[EdgeLine]:
        """The edges between them, by source id and position; the position of a structural edge is that of the child's
        name."""
        if not self._edge_kinds:
            return
        for node_id, node, row in self._wanted():
            stored = [edge for edge in self._reader.edges_from(node.number) if self._wants(edge)]
            file = self._file(node.file)
            found = [
                (node.start + edge.at, edge.kind, target, edge)
                for edge in stored
                if (target := self._id(edge.target)) is not None
            ]
            implied = [
                (at, kind, target, None)
                for at, kind, child in file.implied.get(node.ordinal, ())
                if kind in self._edge_kinds and (target := self._id(file.numbers[child])) is not None
            ]
            for at, kind, target, edge in sorted([*found, *implied], key=_order):
                yield _edge_line(node_id, target, kind, row.path, file.lines.place(at), edge)

    def references(self) -> Iterator[RefLine]:
        """References without an edge, by source id and position."""
        if not self._ref_kinds:
            return
        for node_id, node, row in self._wanted():
            file = self._file(node.file)
            if file.unresolved is None:
                file.unresolved = _unresolved(self._reader, node.file, self._ref_kinds)
            for at, kind, text, reason, candidates in file.unresolved.get(node.ordinal, ()):
                yield RefLine(
                    REF_WORDS[kind],
                    node_id,
                    file.interface.text(text),
                    row.path,
                    *file.lines.place(node.start + at),
                    REASON_WORDS[reason],
                    candidates,
                )

    def _wanted(self) -> Iterator[tuple[str, StoredNode, FileRow]]:
        for node_id, node in self._reader.all_nodes():
            if node.kind in self._node_kinds and (file := self._row(node.file)) is not None:
                self._remember(node.number, node_id)
                yield node_id, node, file

    def _wants(self, edge: StoredEdge) -> bool:
        return edge.kind in self._edge_kinds and edge.confidence >= self._floor

    def _row(self, number: int) -> FileRow | None:
        """A file, or None when it is not wanted."""
        if number not in self._rows:
            row = self._reader.file(number)
            self._rows[number] = row if row is not None and self._narrowed.wants_file(row) else None
        return self._rows[number]

    def _id(self, number: int) -> str | None:
        """The id of a node, or None when it is not wanted."""
        if number not in self._ids:
            node = self._reader.node(number)
            row = self._row(node.file) if node is not None and node.kind in self._node_kinds else None
            self._remember(number, id_of(node, row) if node is not None and row is not None else None)
        return self._ids[number]

    def _remember(self, number: int, node_id: str | None) -> None:
        if len(self._ids) >= HELD_IDS:
            self._ids.clear()
        self._ids[number] = node_id

    def _file(self, number: int) -> _File:
        known = self._files.get(number)
        if known is None:
            if len(self._files) >= HELD_FILES:
                self._files.clear()
            interface = decode_interface(self._reader.interface(number) or b"")
            known = self._files[number] = _File(interface, self._reader.nodes(number))
        return known


class _File:
    """What the pass needs of the current file."""

    def __init__(self, interface: Interface, nodes: list[StoredNode]) -> None:
        self.interface = interface
        self.lines = Lines(interface.lines)
        self.numbers = [node.number for node in nodes]
        self.implied: dict[int, list[tuple[int, int, int]]] = {}
        """Structural edges by source: position, kind and target."""
        for kind, source, target in structural_edges(nodes):
            edge = (interface.defs[target].name_at, int(kind), target)
            self.implied.setdefault(source, []).append(edge)
        self.unresolved: dict[int, list[_Unresolved]] | None = None


_Unresolved = tuple[int, int, int, int, list[str]]
"""Position in its source, kind, text, reason and candidates of a reference."""


def _unresolved(reader: GraphReader, file: int, kinds: Collection[int]) -> dict[int, list[_Unresolved]]:
    """The references of a file that have no edge, by source."""
    reasons, candidates = reader.links(file)
    encoded = reader.references(file)
    found: dict[int, list[_Unresolved]] = {}
    if not encoded:
        return found
    # a file that was never linked has no reasons
    items = decode_references(encoded).items
    padded = reasons or bytes([Reason.NOT_LOOKED]) * len(items)
    for index, (reference, reason) in enumerate(zip(items, padded, strict=True)):
        if reason != Reason.LINKED and reference.kind in kinds:
            said = (reference.at, reference.kind, reference.text, reason, candidates.get(index, []))
            found.setdefault(reference.source, []).append(said)
    for listed in found.values():
        listed.sort(key=lambda said: said[:3])
    return found


def _edge_line(
    source: str, target: str, kind: int, path: str, place: tuple[int, int], edge: StoredEdge | None
) -> EdgeLine:
    """A stored edge, or one that the nodes imply."""
    if edge is None:
        return EdgeLine(EDGE_WORDS[kind], source, target, path, *place, TIER_WORDS[Tier.TIER1_TREESITTER], 1.0)
    return EdgeLine(
        EDGE_WORDS[kind],
        source,
        target,
        path,
        *place,
        TIER_WORDS[edge.tier],
        edge.confidence / 100,
        bool(edge.type_only),
        shown(edge.metadata) if edge.metadata else {},
    )


def _order(edge: tuple[int, int, str, StoredEdge | None]) -> tuple[int, int, str]:
    return edge[:3]


def _numbers(words: tuple[str, ...], wanted: Collection[str]) -> frozenset[int]:
    return frozenset(number for number, word in enumerate(words) if word in wanted)
