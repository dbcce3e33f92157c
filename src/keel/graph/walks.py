"""Walks along calls: what reaches a symbol, or what it reaches, level by level.

A walk meets each symbol once, at its least distance, so that cycles end; it is bounded in symbols as well as in depth.
It keeps symbols by number: a symbol may have very many callers of which few are shown, so only these are looked up.
Which these are, and how they are shown, is left to the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.model.kinds import EdgeKind
from keel.model.rows import Along

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from keel.model.rows import FileRow, StoredEdge, StoredNode
    from keel.ports.store import GraphReader

CALL_KINDS = frozenset(
    map(
        int,
        (
            EdgeKind.CALLS,
            EdgeKind.INSTANTIATES,
            EdgeKind.HTTP_CALLS,
            EdgeKind.ASYNC_CALLS,
            EdgeKind.EXERCISES,
            EdgeKind.DELEGATES_TO,
        ),
    )
)
"""Edges along which control passes from one symbol to another."""
MAX_MET = 5000
"""Symbols a walk meets before it stops."""


class Met(NamedTuple):
    """A symbol that a walk reached, and the surest edge by which it did."""

    node: StoredNode
    file: FileRow
    distance: int
    edge: StoredEdge
    sites: int
    """How many edges reach it from the level before."""


class Level(NamedTuple):
    """What a walk met at one distance, by root, path and position in the file."""

    starts: list[int]
    """The level before, by number."""
    met: list[tuple[int, int]]
    """Numbers of nodes, each with how many edges reach it from the level before."""


class Walk(NamedTuple):
    """What a walk met, the nearest first."""

    levels: list[Level]
    along: Along
    is_whole: bool
    """Whether it ended by itself, not because it had met too many."""

    @property
    def numbers(self) -> list[int]:
        """The nodes that were met."""
        return [number for level in self.levels for number, _ in level.met]


class Steps(NamedTuple):
    """Which steps a walk takes: how many at most, along what kinds of edges, and how sure these are at least."""

    depth: int = 1
    floor: float = 0.0
    kinds: Collection[int] = CALL_KINDS


def callers(reader: GraphReader, starts: Sequence[StoredNode], steps: Steps) -> Walk:
    """What reaches the starts."""
    return _walk(reader, starts, steps, forward=False)


def callees(reader: GraphReader, starts: Sequence[StoredNode], steps: Steps) -> Walk:
    """What the starts reach."""
    return _walk(reader, starts, steps, forward=True)


def looked_up(reader: GraphReader, walk: Walk, shown: slice = slice(None)) -> list[Met]:
    """Some of what a walk met, with their nodes and files."""
    far = _at(walk, shown)
    surest = {
        distance: _surest(reader, level.starts, [number for at, number, _ in far if at == distance], walk.along)
        for distance, level in enumerate(walk.levels, start=1)
    }
    placed = {node.number: (node, file) for node, file in reader.placed([number for _, number, _ in far])}
    return [Met(*placed[number], distance, surest[distance][number], sites) for distance, number, sites in far]


def _at(walk: Walk, shown: slice) -> list[tuple[int, int, int]]:
    """Distance, number and sites of some of what a walk met, without iterating over the rest."""
    start, stop, _ = shown.indices(sum(len(level.met) for level in walk.levels))
    far: list[tuple[int, int, int]] = []
    before = 0
    for distance, level in enumerate(walk.levels, start=1):
        far += [(distance, *one) for one in level.met[max(start - before, 0) : max(stop - before, 0)]]
        before += len(level.met)
    return far


def with_everything_inside(reader: GraphReader, node: StoredNode) -> list[StoredNode]:
    """A symbol and what is defined inside it: methods of a class, nested functions, all of a module or file."""
    return inside(reader.nodes(node.file), node)


def inside(nodes: Sequence[StoredNode], node: StoredNode) -> list[StoredNode]:
    """The same, of the nodes of its file."""
    found = {node.ordinal}
    for other in nodes:  # a parent comes before its children
        if other.parent in found:
            found.add(other.ordinal)
    return [other for other in nodes if other.ordinal in found]


def _walk(reader: GraphReader, starts: Sequence[StoredNode], steps: Steps, forward: bool) -> Walk:
    along = Along(forward, frozenset(steps.kinds), round(steps.floor * 100))
    frontier = [node.number for node in starts]
    seen = set(frontier)
    levels: list[Level] = []
    while frontier and len(levels) < steps.depth:
        room = MAX_MET + 1 - len(seen)
        ends = reader.ends(frontier, along, MAX_MET + 1)
        met = [(number, sites) for number, sites in ends if number not in seen][:room]
        levels.append(Level(frontier, met))
        if len(met) == room:
            return Walk(levels, along, is_whole=False)
        frontier = [number for number, _ in met]
        seen.update(frontier)
    return Walk(levels, along, is_whole=True)


def _surest(reader: GraphReader, near: Sequence[int], far: Collection[int], along: Along) -> dict[int, StoredEdge]:
    """The surest edge by which each far node is reached; of equal ones, that of the first near node, by position."""
    if not far:
        return {}
    rank = {number: index for index, number in enumerate(near)}
    edges = reader.edges_between(near, far) if along.forward else reader.edges_between(far, near)
    best: dict[int, tuple[tuple[int, int, int, int], StoredEdge]] = {}
    for edge in edges:
        if edge.kind in along.kinds and edge.confidence >= along.least:
            start, end = (edge.source, edge.target) if along.forward else (edge.target, edge.source)
            order = -edge.confidence, rank[start], edge.at, edge.kind
            if end not in best or order < best[end][0]:
                best[end] = order, edge
    return {end: edge for end, (_, edge) in best.items()}
