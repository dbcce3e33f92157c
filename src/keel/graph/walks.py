"""Walks along calls: who reaches a symbol, or what it reaches, level by level.

A walk meets each symbol once, at its least distance, so that cycles end; it is bounded in symbols as well as in depth.
Which of what it meets is shown, and how, is left to the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.model.kinds import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

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
"""Edges by which control goes from one symbol to another."""
MOST_MET = 5000
"""Symbols a walk meets before it stops."""


class Met(NamedTuple):
    """A symbol that a walk came to, and the surest edge by which it did."""

    node: StoredNode
    file: FileRow
    distance: int
    edge: StoredEdge
    sites: int
    """How many edges lead there from the level before."""


class Walk(NamedTuple):
    """What a walk met, by distance, root, path and place in the file."""

    met: list[Met]
    is_whole: bool
    """Whether it ended by itself, not because it had met too many."""


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


def with_everything_inside(reader: GraphReader, node: StoredNode) -> list[StoredNode]:
    """A symbol and what is defined inside it: methods of a class, nested functions, all of a module or file."""
    nodes = reader.nodes(node.file)
    inside = {node.ordinal}
    for other in nodes:  # what contains comes before what is contained
        if other.parent in inside:
            inside.add(other.ordinal)
    return [other for other in nodes if other.ordinal in inside]


def _walk(reader: GraphReader, starts: Sequence[StoredNode], steps: Steps, forward: bool) -> Walk:
    seen = {node.number for node in starts}
    frontier = [node.number for node in starts]
    met: list[Met] = []
    files: dict[int, FileRow | None] = {}
    for distance in range(1, steps.depth + 1):
        found: dict[int, tuple[StoredEdge, int]] = {}
        for edge in _edges(reader, frontier, steps, forward):
            other = edge.target if forward else edge.source
            if other not in seen:
                best, sites = found.get(other, (edge, 0))
                found[other] = (edge if edge.confidence > best.confidence else best), sites + 1
            if len(seen) + len(found) > MOST_MET:
                return Walk([*met, *_level(reader, files, found, distance)], is_whole=False)
        met += _level(reader, files, found, distance)
        seen.update(found)
        frontier = list(found)
    return Walk(met, is_whole=True)


def _edges(reader: GraphReader, nodes: Collection[int], steps: Steps, forward: bool) -> Iterator[StoredEdge]:
    ask = reader.edges_from if forward else reader.edges_to
    least = round(steps.floor * 100)
    for number in nodes:
        for edge in ask(number):
            if edge.kind in steps.kinds and edge.confidence >= least:
                yield edge


def _level(
    reader: GraphReader, files: dict[int, FileRow | None], found: dict[int, tuple[StoredEdge, int]], distance: int
) -> list[Met]:
    level = []
    for number, (edge, sites) in found.items():
        node = reader.node(number)
        if node is None:
            continue
        if node.file not in files:
            files[node.file] = reader.file(node.file)
        file = files[node.file]
        if file is not None:
            level.append(Met(node, file, distance, edge, sites))
    return sorted(level, key=lambda one: (one.file.root, one.file.path, one.node.ordinal))
