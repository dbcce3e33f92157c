"""Walks along calls: distances, cycles, floors, bounds, and the order of what is met."""

from __future__ import annotations

import pytest

from keel.graph import walks
from keel.graph.walks import CALL_KINDS, Steps, Walk, callees, callers, looked_up, with_everything_inside
from keel.model.kinds import EdgeKind, NodeKind
from keel.model.rows import EdgeRow, NodeRow, StoredNode
from keel.ports.store import GraphReader
from tests.graphs import a_file, a_node, an_edge, some_links
from tests.memory_store import MemoryStore

A, B, C, D, E = range(1, 6)


def graph_of(*edges: EdgeRow, names: str = "abcde") -> GraphReader:
    """One file with a function for each letter, and these edges between their ordinals."""
    store = MemoryStore()
    with store.writing() as writer:
        writer.put([a_file(1, *names)])
        writer.link([some_links(1, *edges)])
    with store.reading() as reader:
        return reader


def call(source: int, target: int, at: int = 0, confidence: int = 90, kind: EdgeKind = EdgeKind.CALLS) -> EdgeRow:
    return an_edge(source, 1, target, at=at, kind=kind, confidence=confidence)


def node(graph: GraphReader, ordinal: int) -> StoredNode:
    return graph.nodes(1)[ordinal]


def met(graph: GraphReader, walk: Walk) -> list[tuple[str, int]]:
    return [(one.node.name, one.distance) for one in looked_up(graph, walk)]


CHAIN = (call(A, B), call(B, C), call(C, D), call(D, E))


@pytest.mark.parametrize("depth", [1, 2, 4, 5])
def test_a_walk_goes_as_deep_as_it_is_told(depth: int) -> None:
    graph = graph_of(*CHAIN)
    assert (
        met(graph, callees(graph, [node(graph, A)], Steps(depth)))
        == list(zip("bcde", range(1, 5), strict=True))[:depth]
    )
    assert (
        met(graph, callers(graph, [node(graph, E)], Steps(depth)))
        == list(zip("dcba", range(1, 5), strict=True))[:depth]
    )


def test_a_cycle_ends_and_the_start_is_not_met_again() -> None:
    graph = graph_of(call(A, B), call(B, C), call(C, A), call(B, B))
    assert met(graph, callees(graph, [node(graph, A)], Steps(5))) == [("b", 1), ("c", 2)]
    assert met(graph, callers(graph, [node(graph, A)], Steps(5))) == [("c", 1), ("b", 2)]


def test_what_can_be_reached_in_two_ways_is_met_once_where_it_is_nearest() -> None:
    graph = graph_of(call(A, B), call(B, C), call(A, C, at=5))
    assert met(graph, callees(graph, [node(graph, A)], Steps(5))) == [("b", 1), ("c", 1)]


def test_a_level_comes_in_the_order_of_the_files_not_of_the_calls() -> None:
    graph = graph_of(call(A, D, at=1), call(A, B, at=2), call(A, C, at=3))
    assert met(graph, callees(graph, [node(graph, A)], Steps(1))) == [("b", 1), ("c", 1), ("d", 1)]


def test_edges_below_the_floor_are_not_followed() -> None:
    graph = graph_of(call(A, B, confidence=70), call(B, C, confidence=69), call(A, D, confidence=60))
    assert met(graph, callees(graph, [node(graph, A)], Steps(3, floor=0.7))) == [("b", 1)]
    assert met(graph, callees(graph, [node(graph, A)], Steps(3, floor=0.0))) == [("b", 1), ("d", 1), ("c", 2)]


def test_the_surest_edge_is_shown_and_all_are_counted() -> None:
    graph = graph_of(call(A, B, at=1, confidence=60), call(A, B, at=2, confidence=95), call(A, B, at=3, confidence=95))
    [one] = looked_up(graph, callees(graph, [node(graph, A)], Steps(1)))
    assert (one.edge.at, one.edge.confidence, one.sites) == (2, 95, 3)


def test_only_calls_are_followed_unless_more_is_asked_for() -> None:
    edges = (call(A, B, kind=EdgeKind.REFERENCES), call(A, C, at=2, kind=EdgeKind.INSTANTIATES))
    graph = graph_of(*edges)
    assert met(graph, callees(graph, [node(graph, A)], Steps(1))) == [("c", 1)]
    kinds = CALL_KINDS | {int(EdgeKind.REFERENCES)}
    assert met(graph, callees(graph, [node(graph, A)], Steps(1, kinds=kinds))) == [("b", 1), ("c", 1)]


def test_a_walk_that_meets_too_many_stops_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(*CHAIN)
    assert callees(graph, [node(graph, A)], Steps(5)).is_whole
    monkeypatch.setattr(walks, "MAX_MET", 3)
    cut = callees(graph, [node(graph, A)], Steps(5))
    assert not cut.is_whole
    assert met(graph, cut) == [("b", 1), ("c", 2), ("d", 3)]


def test_a_class_comes_with_its_methods_and_what_is_nested_in_them() -> None:
    rows: list[NodeRow] = [
        a_node(0, "pkg/m1.py", NodeKind.FILE),
        a_node(1, "C", NodeKind.CLASS),
        a_node(2, "C.m", NodeKind.METHOD)._replace(parent=1),
        a_node(3, "C.m.inner")._replace(parent=2),
        a_node(4, "other"),
    ]
    store = MemoryStore()
    with store.writing() as writer:
        writer.put([a_file(1)._replace(nodes=rows)])
    with store.reading() as graph:
        nodes = graph.nodes(1)
        inside = [one.qualified_name for one in with_everything_inside(graph, nodes[1])]
        assert inside == ["C", "C.m", "C.m.inner"]
        assert with_everything_inside(graph, nodes[0]) == nodes
        assert with_everything_inside(graph, nodes[4]) == [nodes[4]]
