"""List what is exactly one edge away from nodes, of the edge types that are named.

`ids` are symbol handles: ids, hashes, dotted names. `direction` and `edge_types` have no defaults: say which edges are
meant. `in` lists the sources of its incoming edges (for `calls`, its callers), `out` the targets, `both` both. A filter
narrows the nodes at the other end, with the keys of `find`; `--min-confidence` leaves out edges that are less sure.

    keel neighbors Session.get --direction in --edge-types calls
    keel neighbors Cart --direction out --edge-types inherits --edge-types contains
    keel neighbors Cart.total --direction in --edge-types calls --filter module=shop.web --limit 20

A name that means several nodes is refused: `resolve` shows them. `discover` follows calls further than one edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.errors import UsageError, brief
from keel.graph.filtering import fits
from keel.graph.lookup.handles import Match, PathScope, find
from keel.graph.naming import id_of
from keel.graph.structure import structural_edges
from keel.graph.views import short_form
from keel.graph.walks import CALL_KINDS
from keel.model.facts import decode_lines
from keel.model.kinds import EdgeKind, Tier
from keel.model.nodes import NodeRef
from keel.model.record import Record, field
from keel.model.rows import Hop, StoredEdge
from keel.model.text.plain import in_plain_words
from keel.querying.bounds import Listing, PageOfEdges, absence_of, freshest_graph, listing_fields
from keel.querying.entries import name_of
from keel.querying.filters import filter_of_any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar

    from keel.model.facts import Lines
    from keel.model.rows import FileRow, StoredNode
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace
    from keel.querying.bounds import Absence, AsOf

GROUP = "ask"
QUICK = True
IN, OUT, BOTH = "in", "out", "both"
STRUCTURAL = frozenset((EdgeKind.CONTAINS, EdgeKind.EXPORTS))
SURE = 100
MAX_IDS = 100


class Params(PageOfEdges):
    """Parameters of `neighbors`."""

    ids: tuple[str, ...] = field("The nodes: ids, or any other symbol handles.", positional=True)
    direction: str = field("Edges in, out, or both.", choices=(IN, OUT, BOTH))
    edge_types: tuple[str, ...] = field(
        "The kinds of edges, such as calls, imports, inherits.", choices=EdgeKind.words()
    )
    filter: dict[str, str | tuple[str, ...]] = field("Keys and values that the other node must have.", default={})


class Neighbor(Record):
    """A node at the other end of an edge."""

    LAYOUT: ClassVar = ("{place}  {node.kind} {name}  {node.hash}  {way}{edge}  {sureness}  {reference}",)

    node: NodeRef = field("The node at the other end, in short.")
    of: str = field("The id of the node that was asked about.")
    direction: str = field("Whether the edge points to that node or from it.", choices=(IN, OUT))
    edge: str = field("The kind of the edge.", choices=EdgeKind.words())
    confidence: float = field("How sure the edge is.")
    resolution_tier: str = field("Who produced the evidence for it.", choices=Tier.words())
    path: str = field("The file of the reference that made the edge.")
    line: int = field("The line of that reference; for edges that follow from nesting alone, the line of the node.")
    type_only: bool = field("Whether it exists for type checkers only.", default=False)

    @property
    def name(self) -> str:
        """Its name within the file; of a module, its own name."""
        return name_of(self.node)

    @property
    def way(self) -> str:
        """The direction of the edge, as an arrow."""
        return "← " if self.direction == IN else "→ "

    @property
    def sureness(self) -> str:
        """The confidence of the edge, and what resolved it."""
        return f"{self.confidence:.2f} {in_plain_words(self.resolution_tier)}"

    @property
    def place(self) -> str:
        """Where to look: at the reference for an incoming edge, at the definition for an outgoing one."""
        return f"{self.path}:{self.line}" if self.direction == IN else f"{self.node.path}:{self.node.line}"

    @property
    def reference(self) -> str:
        """The position of the reference, where it is not shown already."""
        at = f"{self.path}:{self.line}"
        return "" if at == self.place else f"at {at}"


class Result(Listing):
    """The nodes that are one edge away."""

    LAYOUT: ClassVar = ("{count}", "{nothing}", "{unshown}", "{freshness}", "neighbors")

    neighbors: tuple[Neighbor, ...] = field("By the nodes as asked, then direction, path and place of the other node.")

    @property
    def count(self) -> str:
        """The number of edges, as text."""
        return f"{self.total:,} found" if self.total else ""


def run(workspace: Workspace, params: Params) -> Result:
    """Finds the nodes, then the edges they have."""
    if not params.ids or len(params.ids) > MAX_IDS:
        raise UsageError(f"{len(params.ids):,} nodes are asked about", f"ask about 1 to {MAX_IDS}")
    unknown = [word for word in params.edge_types if word not in EdgeKind.words()]
    if unknown or not params.edge_types:
        problem = f"there is no edge type '{brief(unknown[0])}'" if unknown else "no edge type is named"
        raise UsageError(problem, f"there are {', '.join(EdgeKind.words())}")
    places = PathScope(workspace.roots, workspace.here)
    with freshest_graph(workspace) as (reader, as_of):
        return _Around(reader, [find(reader, handle, places) for handle in params.ids], params).result(as_of)


class _Step(NamedTuple):
    """An edge of a node that was asked about."""

    of: Match
    edge: StoredEdge
    forward: bool
    is_structural: bool


class _Around:
    """The edges of some nodes, of which a page is shown."""

    def __init__(self, reader: GraphReader, matches: list[Match], params: Params) -> None:
        self._reader, self._params = reader, params
        kinds = frozenset(int(EdgeKind.named(word)) for word in params.edge_types)
        self._derived, self._structural = kinds - STRUCTURAL, kinds & STRUCTURAL
        self._other = filter_of_any(params.filter)
        self._asked = list({match.node.number: match for match in matches}.values())
        self._files: dict[int, tuple[FileRow, Lines]] = {}
        self.total = 0
        self._steps = list(self._page())
        self._shown = [self._neighbor(step) for step in self._steps]

    def _page(self) -> Iterator[_Step]:
        """The steps of the requested page; all are counted."""
        skip, room = self._params.offset, self._params.limit
        for match in self._asked:
            for forward in (False, True):
                if self._params.direction not in (BOTH, OUT if forward else IN):
                    continue
                inside = self._structural_edges(match, forward) if self._structural else []
                shown = inside[skip : skip + room]
                yield from (_Step(match, edge, forward, True) for edge in shown)
                skip, room = max(skip - len(inside), 0), room - len(shown)
                hop = Hop(
                    match.node.number, forward, self._derived, round(self._params.min_confidence * 100), self._other
                )
                count, edges = self._reader.hop(hop, room, skip) if self._derived else (0, [])
                yield from (_Step(match, edge, forward, False) for edge in edges)
                skip, room = max(skip - count, 0), room - len(edges)
                self.total += len(inside) + count

    def _structural_edges(self, match: Match, forward: bool) -> list[StoredEdge]:
        """The edges that follow from nesting; the store does not keep them."""
        nodes = self._reader.nodes(match.file.id)
        made = []
        for edge in structural_edges(nodes):
            this, other = (edge.source, edge.target) if forward else (edge.target, edge.source)
            if (
                edge.kind in self._structural
                and this == match.node.ordinal
                and self._is_wanted(nodes[other], match.file)
            ):
                ends = nodes[edge.source].number, nodes[edge.target].number
                tier = int(Tier.TIER1_TREESITTER)
                made.append(StoredEdge(ends[0], 0, int(edge.kind), ends[1], tier, SURE, 0, ""))
        return made

    def _is_wanted(self, node: StoredNode, file: FileRow) -> bool:
        return not self._params.filter or fits(node, file, self._reader.attributes(node.number), self._other)

    def _neighbor(self, step: _Step) -> Neighbor:
        edge = step.edge
        other = self._reader.node(edge.target if step.forward else edge.source)
        source = self._reader.node(edge.source)
        assert other is not None, "both ends of an edge are in the graph"
        assert source is not None, "both ends of an edge are in the graph"
        file, _ = self._file(other.file)
        source_file, lines = self._file(source.file)
        line = other.line if step.is_structural else lines.line(source.start + edge.at)
        return Neighbor(
            node=short_form(other, file),
            of=id_of(step.of.node, step.of.file),
            direction=OUT if step.forward else IN,
            edge=EdgeKind(edge.kind).word,
            confidence=edge.confidence / 100,
            resolution_tier=Tier(edge.tier).word,
            path=file.path if step.is_structural else source_file.path,
            line=line,
            type_only=bool(edge.type_only),
        )

    def _file(self, number: int) -> tuple[FileRow, Lines]:
        if number not in self._files:
            row = self._reader.file(number)
            assert row is not None, "a node's file is in the graph"
            self._files[number] = row, decode_lines(self._reader.interface(number) or b"")
        return self._files[number]

    def result(self, as_of: AsOf) -> Result:
        """The answer."""
        absence = None if self.total else self._absence(as_of)
        return Result(
            neighbors=tuple(self._shown), **listing_fields(self._params, len(self._shown), self.total, as_of, absence)
        )

    def _absence(self, as_of: AsOf) -> Absence:
        return absence_of(self._reader, "edges of these types", as_of, doubts=list(self._doubts()))

    def _doubts(self) -> Iterator[str]:
        """Why there may be edges all the same: those that are filtered out, and unresolved calls."""
        if self._params.filter or self._params.min_confidence:
            everything = self._params.replace(filter={}, min_confidence=0.0, limit=1, offset=0)
            total = _Around(self._reader, self._asked, everything).total
            if total:
                yield f"{total:,} without the filter and --min-confidence"
        if self._derived & CALL_KINDS and self._params.direction != OUT:
            for match in self._asked:
                count = self._reader.open_calls(match.node.name)
                if count:
                    yield f"calls of a `{match.node.name}` that could not be resolved: {count:,}"
