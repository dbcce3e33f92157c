"""Who would feel a change: distances, the weakest edge, routes and clients, and the bound on what is met."""

from __future__ import annotations

import pytest

from keel.graph import reach as reaching
from keel.graph.reach import Reach, is_test_case, reach
from keel.languages.python import language
from keel.model.kinds import EdgeKind, NodeKind
from keel.model.rows import EdgeRow, FileUpdate
from keel.model.syntax import syntaxes_of
from keel.ports.store import GraphReader
from tests.graphs import a_file, a_node, an_edge, some_links
from tests.memory_store import MemoryStore

SYNTAXES = syntaxes_of([language])
A, B, C, D, E = range(1, 6)


def graph_of(*edges: EdgeRow, update: FileUpdate | None = None) -> GraphReader:
    """One file with a function for each letter, unless another is given, and these edges between their ordinals."""
    store = MemoryStore()
    with store.writing() as writer:
        writer.put([update or a_file(1, *"abcde")])
        writer.link([some_links(1, *edges)])
    with store.reading() as reader:
        return reader


def edge(source: int, target: int, kind: EdgeKind = EdgeKind.CALLS, confidence: int = 90) -> EdgeRow:
    return an_edge(source, 1, target, kind=kind, confidence=confidence)


def reached(graph: GraphReader, start: int = A, depth: int = 5, floor: float = 0.0) -> Reach:
    return reach(graph, [graph.nodes(1)[start]], depth, SYNTAXES, floor)


def told(found: Reach) -> list[tuple[str, int, int]]:
    return [(one.node.name, one.distance, one.confidence) for one in found.met]


def test_each_is_met_once_at_its_least_distance() -> None:
    ring = graph_of(edge(B, A), edge(C, B), edge(A, C), edge(C, A))
    assert told(reached(ring)) == [("b", 1, 90), ("c", 1, 90)]
    assert told(reached(graph_of(edge(B, A), edge(C, B)), depth=1)) == [("b", 1, 90)]


def test_the_weakest_edge_on_the_surest_way_counts() -> None:
    two_ways = graph_of(edge(B, A, confidence=50), edge(C, A, confidence=95), edge(D, B), edge(D, C, confidence=80))
    assert told(reached(two_ways)) == [("b", 1, 50), ("c", 1, 95), ("d", 2, 80)]


def test_edges_below_the_floor_are_not_followed() -> None:
    assert told(reached(graph_of(edge(B, A, confidence=60), edge(C, A)), floor=0.7)) == [("c", 1, 90)]


@pytest.mark.parametrize(
    "kind", ["REFERENCES", "TYPE_OF", "INHERITS", "IMPLEMENTS", "OVERRIDES", "DECORATES", "INJECTS"]
)
def test_every_way_to_rest_on_something_counts(kind: str) -> None:
    assert told(reached(graph_of(edge(B, A, EdgeKind[kind])))) == [("b", 1, 90)]


def test_imports_of_a_function_are_no_use_of_it() -> None:
    assert told(reached(graph_of(edge(B, A, EdgeKind.IMPORTS)))) == []


def test_callers_of_what_it_overrides_are_reached() -> None:
    graph = graph_of(edge(A, B, EdgeKind.OVERRIDES, 80), edge(C, B), edge(D, B, EdgeKind.REFERENCES))
    assert told(reached(graph)) == [("c", 1, 80)]


def test_clients_of_a_route_feel_its_handler() -> None:
    update = a_file(1, "handler", "route", "client", "caller")
    kinds = {"route": NodeKind.ROUTE, "client": NodeKind.CLIENT}
    nodes = [node._replace(kind=kinds.get(node.name, node.kind)) for node in update.nodes]
    graph = graph_of(
        edge(1, 2, EdgeKind.EXPOSES),
        edge(3, 2, EdgeKind.HTTP_CALLS, 80),
        edge(4, 3, EdgeKind.DECLARES_CLIENT),
        update=update._replace(nodes=nodes),
    )
    assert told(reached(graph)) == [("route", 1, 90), ("client", 2, 80), ("caller", 3, 80)]


def test_what_is_nested_is_the_function_around_it() -> None:
    update = a_file(1, "a", "outer", "outer.inner")
    nodes = [*update.nodes[:3], update.nodes[3]._replace(parent=2)]
    assert told(reached(graph_of(edge(3, A), update=update._replace(nodes=nodes)))) == [
        ("inner", 1, 90),
        ("outer", 2, 90),
    ]


def test_a_walk_stops_when_it_has_met_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "MAX_MET", 2)
    graph = graph_of(edge(B, A), edge(C, A), edge(D, A), edge(E, B))
    found = reached(graph)
    assert not found.is_whole
    assert len(found.met) == 2
    assert told(found) == told(reached(graph))


@pytest.mark.parametrize(
    ("path", "name", "language", "expected"),
    [
        ("tests/test_a.py", "test_x", "python", True),
        ("tests/test_a.py", "helper", "python", False),
        ("pkg/a.py", "test_x", "python", False),
        ("src/a.test.ts", "adds", "typescript", True),
    ],
)
def test_which_functions_are_tests(path: str, name: str, language: str, expected: bool) -> None:
    update = a_file(1, name, path=path, language=language)
    graph = graph_of(update=update)
    assert is_test_case(graph.nodes(1)[1], update.row, SYNTAXES) == expected
    assert not is_test_case(graph.nodes(1)[0], update.row, SYNTAXES)
    assert not is_test_case(graph_of(update=_as_class(update)).nodes(1)[1], update.row, SYNTAXES)


def _as_class(update: FileUpdate) -> FileUpdate:
    return update._replace(nodes=[update.nodes[0], a_node(1, "test_x", NodeKind.CLASS, update.row.path)])
