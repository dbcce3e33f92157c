"""Impact of a change: everything that depends on a symbol, level by level, with the confidence of the path.

A change affects what calls, reads, inherits, overrides, is typed or decorated by the symbol; callers of a method that
it overrides; over routes their clients; and the function that it is nested in. Each symbol is met once, at its least
distance, by the path whose weakest edge is the surest. What is shown of it is left to the operation.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from keel.graph.walks import CALL_KINDS
from keel.graph.workspace_map import FUNCTIONS
from keel.model.kinds import EdgeKind, NodeKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntaxes
    from keel.ports.store import GraphReader

FELT_BY_SOURCE = CALL_KINDS | frozenset(
    map(
        int,
        (
            *(EdgeKind.REFERENCES, EdgeKind.TYPE_OF, EdgeKind.INHERITS, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES),
            *(EdgeKind.DECORATES, EdgeKind.INJECTS, EdgeKind.DECLARES_CLIENT, EdgeKind.DECLARES_PRODUCER),
            *(EdgeKind.SIGNATORY, EdgeKind.OBSERVER, EdgeKind.CONTROLLER, EdgeKind.REQUIRES),
            *(EdgeKind.CREATES, EdgeKind.FETCHES),
        ),
    )
)
"""Edges whose source is affected by a change of the target."""
MAX_MET = 5000
"""Symbols that are met before the walk stops."""
CERTAIN = 100


class Reached(NamedTuple):
    """A symbol that is affected by the change, and the last step to it."""

    node: StoredNode
    file: FileRow
    distance: int
    kind: int
    """Of the last edge."""
    via: int
    """The node one step nearer."""
    confidence: int
    """Of the weakest edge on the way, in hundredths."""


class Reach(NamedTuple):
    """Everything that was met, by distance, source before tests, then root, path and position in the file."""

    met: list[Reached]
    is_whole: bool
    """Whether the walk ended by itself or at its depth, not because it had met too many."""


class _Step(NamedTuple):
    """One step along which a change propagates."""

    other: int
    kind: int
    confidence: int


def reach(
    reader: GraphReader, starts: Sequence[StoredNode], depth: int, syntaxes: Syntaxes, floor: float = 0.0
) -> Reach:
    """What a change of the starts reaches, following only edges with at least this confidence."""
    return _Walk(reader, syntaxes, floor).run(starts, depth)


def is_test_case(node: StoredNode, file: FileRow, syntaxes: Syntaxes) -> bool:
    """Whether a node is itself a test: a function in a file of tests, with a test's name where the language requires
    one."""
    syntax = syntaxes[file.language]
    return node.kind in FUNCTIONS and syntax.is_test(file.path) and syntax.is_test_name(node.name)


def by_distance(met: list[Reached], syntaxes: Syntaxes) -> dict[str, dict[str, int]]:
    """How many symbols, tests and files were met, by distance as text."""
    symbols: Counter[int] = Counter(one.distance for one in met)
    tests: Counter[int] = Counter(one.distance for one in met if is_test_case(one.node, one.file, syntaxes))
    files: dict[int, set[int]] = {}
    for one in met:
        files.setdefault(one.distance, set()).add(one.file.id)
    return {
        str(distance): {"symbols": symbols[distance], "tests": tests[distance], "files": len(files[distance])}
        for distance in sorted(symbols)
    }


class _Walk:
    """One walk; it remembers the nodes and files it has seen."""

    def __init__(self, reader: GraphReader, syntaxes: Syntaxes, floor: float) -> None:
        self._reader = reader
        self._syntaxes = syntaxes
        self._least = round(floor * 100)
        self._parents: dict[int, dict[int, StoredNode]] = {}

    def run(self, starts: Sequence[StoredNode], depth: int) -> Reach:
        seen = {node.number for node in starts}
        level = [(node, CERTAIN) for node in starts]
        met: list[Reached] = []
        for distance in range(1, depth + 1):
            found: dict[int, tuple[int, int, int]] = {}
            is_whole = True
            for node, sure in level:
                for step in self._steps(node):
                    if step.other in seen:
                        continue
                    weakest = min(sure, step.confidence)
                    if step.other not in found or weakest > found[step.other][2]:
                        found[step.other] = step.kind, node.number, weakest
                if len(seen) + len(found) > MAX_MET:
                    is_whole = False
                    break
            reached = self._reached(found, distance)
            met += reached
            if not is_whole:
                return Reach(met[:MAX_MET], is_whole=False)
            seen.update(found)
            level = [(one.node, one.confidence) for one in reached]
        return Reach(met, is_whole=True)

    def _steps(self, node: StoredNode) -> Iterator[_Step]:
        kinds = FELT_BY_SOURCE
        if node.kind in (NodeKind.FILE, NodeKind.MODULE):
            kinds = kinds | {int(EdgeKind.IMPORTS)}
        yield from self._into(node.number, kinds)
        for edge in self._reader.edges_from(node.number):
            if edge.confidence < self._least:
                continue
            if edge.kind == EdgeKind.EXPOSES:
                yield _Step(edge.target, edge.kind, edge.confidence)
            elif edge.kind == EdgeKind.OVERRIDES:
                for step in self._into(edge.target, CALL_KINDS):
                    yield step._replace(confidence=min(step.confidence, edge.confidence))
        around = self._around(node)
        if around is not None:
            yield _Step(around.number, int(EdgeKind.CONTAINS), CERTAIN)

    def _into(self, number: int, kinds: frozenset[int]) -> Iterator[_Step]:
        for edge in self._reader.edges_to(number):
            if edge.kind in kinds and edge.confidence >= self._least:
                yield _Step(edge.source, edge.kind, edge.confidence)

    def _around(self, node: StoredNode) -> StoredNode | None:
        """The function that contains a nested one: it runs it, or returns it."""
        if node.kind not in FUNCTIONS:
            return None
        if node.file not in self._parents:
            self._parents[node.file] = {one.ordinal: one for one in self._reader.nodes(node.file)}
        parent = self._parents[node.file].get(node.parent)
        return parent if parent is not None and parent.kind in FUNCTIONS else None

    def _reached(self, found: dict[int, tuple[int, int, int]], distance: int) -> list[Reached]:
        level = [Reached(node, file, distance, *found[node.number]) for node, file in self._reader.placed(found.keys())]

        def rank(one: Reached) -> tuple[bool, str, str, int]:
            is_test = self._syntaxes[one.file.language].is_test(one.file.path)
            return is_test, one.file.root, one.file.path, one.node.ordinal

        return sorted(level, key=rank)
