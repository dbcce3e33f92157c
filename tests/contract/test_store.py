"""What every store promises: one writer, whole transactions, lasting numbers, stable listings.

What only a database in a file can suffer is in `tests/unit/test_sqlite_store.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from keel.errors import GraphMissing, StoreBusy
from keel.model.kinds import EdgeKind, NodeKind
from keel.model.rows import (
    EXPORTED,
    UNREADABLE,
    Along,
    Amendment,
    EdgeEnds,
    FileLinks,
    FileUpdate,
    HelperAnswers,
    Hop,
    NodeFilter,
    StoredNode,
    Words,
)
from keel.ports.store import GraphReader, GraphWriter, Store
from keel.stores.sqlite.store import SqliteStore
from tests.graphs import a_file, a_node, a_row, all_edges, an_edge, fill, names, numbers, some_links
from tests.memory_store import MemoryStore

STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda folder: MemoryStore(wait_seconds=0.05),
    "sqlite": lambda folder: SqliteStore(folder / ".keel" / "graph.db", wait_seconds=0.05),
    "sqlite, kept open": lambda folder: SqliteStore(folder / ".keel" / "graph.db", wait_seconds=0.05, persistent=True),
}


class Halt(Exception):
    """Raised by a test in the middle of a transaction."""


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return STORES[request.param](tmp_path)


@pytest.fixture
def filled(store: Store) -> Store:
    with store.writing() as graph:
        fill(graph)
    return store


def halt_after(work: Callable[[GraphWriter], None], store: Store) -> None:
    """Does the work in a transaction that then raises."""
    with store.writing() as graph:
        work(graph)
        raise Halt


def qualified(nodes: list[StoredNode]) -> list[str]:
    return [node.qualified_name for node in nodes]


def targets(graph: GraphReader, node: int) -> list[str]:
    found = [graph.node(edge.target) for edge in graph.edges_from(node)]
    return [node.qualified_name for node in found if node]


def sources(graph: GraphReader, node: int) -> list[str]:
    found = [graph.node(edge.source) for edge in graph.edges_to(node)]
    return [node.qualified_name for node in found if node]


# Transactions


def test_at_first_there_is_no_graph(store: Store) -> None:
    assert not store.exists()
    with pytest.raises(GraphMissing), store.reading():
        pass


def test_a_graph_of_nothing_is_a_graph(store: Store) -> None:
    with store.writing():
        pass
    assert store.exists()
    with store.reading() as graph:
        assert graph.files() == []
        assert list(graph.all_nodes()) == []


def test_the_writer_knows_whether_there_was_a_graph(store: Store) -> None:
    with store.writing() as graph:
        assert graph.empty
        fill(graph)
        assert graph.empty
    with store.writing() as graph:
        assert not graph.empty
        graph.clear()
        assert not graph.empty


def test_a_first_load_that_raises_leaves_no_graph(store: Store) -> None:
    with pytest.raises(Halt):
        halt_after(fill, store)
    assert not store.exists()
    with store.writing() as graph:
        assert graph.empty
        fill(graph)
    assert store.exists()


def test_a_write_that_raises_leaves_the_old_graph(filled: Store) -> None:
    with filled.reading() as graph:
        before = list(graph.all_nodes()), all_edges(graph)

    def work(writer: GraphWriter) -> None:
        writer.put([a_file(1, "z"), a_file(3, "y")])
        writer.remove([2])
        writer.set_note("n", b"v")

    with pytest.raises(Halt):
        halt_after(work, filled)
    with filled.reading() as graph:
        assert (list(graph.all_nodes()), all_edges(graph)) == before
        assert graph.note("n") is None
        assert graph.dependents({13}) == {2}


def test_the_writer_sees_what_it_wrote(store: Store) -> None:
    with store.writing() as graph:
        graph.put([a_file(1, "a", "b"), a_file(2, "c")])
        assert names(graph, 1) == ["a", "b"]
        graph.link([some_links(1, an_edge(1, 2, 1), keys={7})])
        assert qualified(graph.with_name("c")) == ["c"]
        assert targets(graph, numbers(graph, 1)["a"]) == ["c"]
        assert graph.dependents({7}) == {1}
        graph.put([a_file(3, "d")])
        graph.link([some_links(3, an_edge(1, 1, 2), keys={7})])
        assert sources(graph, numbers(graph, 1)["b"]) == ["d"]
        assert graph.dependents({7}) == {1, 3}
        assert graph.names_like("d", 5) == ["d"]


def test_a_view_stays_as_it_was(filled: Store) -> None:
    with filled.reading() as before:
        with filled.writing() as writer:
            writer.put([a_file(1, "z")])
            assert names(before, 1) == ["a", "b"]
        assert names(before, 1) == ["a", "b"]
        with filled.reading() as after:
            assert names(after, 1) == ["z"]


def test_while_the_first_graph_is_made_there_is_none(store: Store) -> None:
    with store.writing() as graph:
        fill(graph)
        assert not store.exists()
        with pytest.raises(GraphMissing), store.reading():
            pass
    assert store.exists()


@pytest.mark.parametrize("first", [True, False])
def test_a_second_writer_waits_and_then_gives_up(store: Store, first: bool) -> None:
    if not first:
        with store.writing() as graph:
            fill(graph)
    with store.writing(), pytest.raises(StoreBusy), store.writing():
        pass
    with store.writing() as graph:
        graph.put([a_file(9, "later")])
    with store.reading() as graph:
        assert names(graph, 9) == ["later"]


def test_a_discarded_graph_is_gone(filled: Store) -> None:
    filled.discard()
    assert not filled.exists()
    filled.discard()
    with filled.writing() as graph:
        assert graph.empty
        graph.put([a_file(5, "new")])
    with filled.reading() as graph:
        assert [row.id for row in graph.files()] == [5]


def test_only_the_marked_graph_is_discarded(filled: Store) -> None:
    mark = filled.mark()
    filled.discard(mark)
    with filled.writing() as graph:
        graph.put([a_file(5, "new")])
    filled.discard(mark)
    with filled.reading() as graph:
        assert [row.id for row in graph.files()] == [5]


# Files and their facts


def test_a_file_comes_back_as_it_was_put(store: Store) -> None:
    update = a_file(7, "f", "C.m")
    with store.writing() as graph:
        graph.put([update])
    with store.reading() as graph:
        assert graph.files() == [update.row]
        assert graph.file(7) == update.row
        assert graph.interface(7) == update.interface
        assert graph.references(7) == update.references
        assert [node[2:] for node in graph.nodes(7)] == [row[:-1] for row in update.nodes]
        for node in graph.nodes(7):
            assert graph.node(node.number) == node


def test_what_is_not_there_is_none(filled: Store) -> None:
    with filled.reading() as graph:
        assert graph.file(99) is None
        assert graph.interface(99) is None
        assert graph.references(99) is None
        assert graph.links(99) == (b"", {})
        assert graph.nodes(99) == []
        assert graph.node(9999) is None
        assert graph.edges_from(9999) == graph.edges_to(9999) == []
        assert graph.with_hash(1) == graph.with_old_hash(1) == graph.with_name("?") == []
        assert graph.note("?") is None
        assert graph.dependents(()) == graph.dependents({999}) == set()


def test_files_are_listed_by_root_and_path(store: Store) -> None:
    places = [("b", "a.py"), ("a", "z.py"), ("a", "é.py"), ("a", "Z.py"), ("a", "b/c.py")]
    with store.writing() as graph:
        graph.put([a_file(n, "f", root=root, path=path) for n, (root, path) in enumerate(places, 1)])
    with store.reading() as graph:
        assert [(row.root, row.path) for row in graph.files()] == sorted(places)


def test_facts_are_replaced(filled: Store) -> None:
    update = a_file(1, "a", "b")._replace(interface=b"\0new", references=b"")
    with filled.writing() as graph:
        graph.put([update._replace(row=update.row._replace(size=5))])
    with filled.reading() as graph:
        assert (graph.interface(1), graph.references(1)) == (b"\0new", b"")
        assert graph.files()[0].size == 5
        assert graph.interface(2) == a_file(2, "c").interface


def test_a_touched_file_keeps_what_it_holds(filled: Store) -> None:
    touched = a_row(1)._replace(mtime_ns=9**18, looked_ns=5, size=6, state=UNREADABLE)
    with filled.reading() as graph:
        before = graph.nodes(1), graph.interface(1), graph.links(1), all_edges(graph)
    with filled.writing() as writer:
        writer.touch([touched, a_row(99)])
    with filled.reading() as graph:
        assert graph.files() == [touched, a_row(2)]
        assert (graph.nodes(1), graph.interface(1), graph.links(1), all_edges(graph)) == before


def test_a_removed_file_takes_everything_with_it(filled: Store) -> None:
    with filled.writing() as writer:
        writer.put([a_file(1, "a", "b", hashes={"a": 5})])
        writer.remove([1, 99])
    with filled.reading() as graph:
        assert [row.id for row in graph.files()] == [2]
        assert graph.nodes(1) == []
        assert graph.interface(1) is None
        assert graph.links(1) == (b"", {})
        assert all_edges(graph) == []
        assert graph.dependents({11, 12}) == {2}
        assert graph.with_hash(5) == graph.with_name("a") == graph.with_qualified_name("a") == []
        assert graph.with_old_hash(a_file(1, "a").nodes[1].hash) == []
        assert graph.names_like("a", 5) == []


def test_a_file_can_be_removed_and_put_in_one_go(filled: Store) -> None:
    with filled.writing() as writer:
        writer.remove([1])
        writer.put([a_file(1, "a", "n")])
        writer.link([some_links(1, an_edge(2, 2, 1), keys={50})])
    with filled.reading() as graph:
        assert names(graph, 1) == ["a", "n"]
        assert all_edges(graph) == [("sym:app:pkg/m1.py:n", 0, "calls", "sym:app:pkg/m2.py:c", 90)]
        assert graph.dependents({11, 12, 50}) == {1, 2}
        assert graph.dependents({11}) == set()


# Nodes


def test_nodes_keep_their_numbers(filled: Store) -> None:
    with filled.reading() as graph:
        before = numbers(graph, 1)
    with filled.writing() as writer:
        writer.put([a_file(1, "new", "b", "a", hashes={"a": 77})])
    with filled.reading() as graph:
        after = numbers(graph, 1)
        assert list(after) == ["pkg/m1.py", "new", "b", "a"]
        assert {name: after[name] for name in before} == before
        assert after["new"] not in before.values()
        assert [node.ordinal for node in graph.nodes(1)] == [0, 1, 2, 3]
        assert graph.node(after["a"]) == StoredNode(after["a"], 1, *a_node(3, "a", value=77)[:-1])


def test_every_column_of_a_node_can_change(filled: Store) -> None:
    update = a_file(1, "a", "b")
    changed = update.nodes[1]._replace(
        kind=NodeKind.CLASS,
        name="other",
        parent=2,
        start=1000,
        line=50,
        end_line=60,
        hash=-1,
        body_hash=2**63 - 1,
        flags=4096,
        words=Words("entirely", "different"),
    )
    with filled.writing() as writer:
        writer.put([update._replace(nodes=[update.nodes[0], changed, update.nodes[2]])])
    with filled.reading() as graph:
        assert graph.nodes(1)[1][2:] == changed[:-1]
        assert qualified(graph.with_hash(-1)) == qualified(graph.with_name("other")) == ["a"]
        assert graph.with_name("a") == []
        assert graph.names_like("entirely", 5) == ["other"]
        assert graph.names_like("a", 5) == []


def test_names_that_occur_again_are_told_apart(store: Store) -> None:
    with store.writing() as graph:
        graph.put([a_file(1, "f", "f", "g", "f")])
        graph.link([some_links(1, an_edge(3, 1, 2))])
    with store.reading() as graph:
        before = numbers(graph, 1)
        assert list(before) == ["pkg/m1.py", "f", "f#2", "g", "f#3"]
        assert len(graph.with_qualified_name("f")) == 3
    with store.writing() as writer:
        writer.put([a_file(1, "g", "f", "f")])
    with store.reading() as graph:
        assert numbers(graph, 1) == {name: before[name] for name in ("pkg/m1.py", "g", "f", "f#2")}
        assert [edge.target for edge in graph.edges_from(before["g"])] == [before["f#2"]]


def test_a_file_put_twice_in_one_transaction_is_replaced(store: Store) -> None:
    with store.writing() as graph:
        graph.put([a_file(1, "a", "b"), a_file(2, "c"), a_file(1, "b", "d")])
        graph.put([a_file(3, "e"), a_file(2, "c", "f")])
        graph.link([some_links(1, an_edge(1, 2, 2), keys={1}), some_links(3, an_edge(1, 1, 2), keys={2})])
        graph.link([some_links(1, an_edge(2, 3, 1), keys={3})])
    with store.reading() as graph:
        assert [names(graph, file) for file in (1, 2, 3)] == [["b", "d"], ["c", "f"], ["e"]]
        assert [(source[-1], target[-1]) for source, _, _, target, _ in all_edges(graph)] == [("d", "e"), ("e", "d")]
        assert [graph.dependents({key}) for key in (1, 2, 3)] == [set(), {3}, {1}]
        assert len({node.number for _, node in graph.all_nodes()}) == 8


def test_numbers_of_nodes_are_never_shared(filled: Store) -> None:
    with filled.writing() as writer:
        writer.put([a_file(1, "a", "x1", "x2"), a_file(3, "y1", "y2"), a_file(2, "c", "z"), a_file(4, "w")])
    with filled.reading() as graph:
        given = [node.number for _, node in graph.all_nodes()]
        assert len(set(given)) == len(given) == 12
        assert sorted(name for _, node in graph.all_nodes() if (name := node.name) and node.kind != 0) == sorted(
            ["a", "x1", "x2", "y1", "y2", "c", "z", "w"]
        )


def test_nodes_are_found_by_name_and_hash_in_order_of_place(store: Store) -> None:
    updates = [
        a_file(3, "K.f", "f", root="b", hashes={"f": 5}),
        a_file(1, "f", path="z.py", hashes={"f": 5}),
        a_file(2, "K.f", "L.f", path="a.py", hashes={"L.f": 5}),
    ]
    with store.writing() as graph:
        graph.put(updates)
    with store.reading() as graph:
        places = [(node.file, node.qualified_name) for node in graph.with_name("f")]
        assert places == [(2, "K.f"), (2, "L.f"), (1, "f"), (3, "K.f"), (3, "f")]
        assert [node.file for node in graph.with_qualified_name("K.f")] == [2, 3]
        assert [node.file for node in graph.with_hash(5)] == [2, 1, 3]
        assert graph.with_name("K.f") == graph.with_qualified_name("K") == []


def test_the_last_three_hashes_still_find_a_node(store: Store) -> None:
    for value in (101, 102, 103, 104):
        with store.writing() as graph:
            graph.put([a_file(1, "f", hashes={"f": value})])
    with store.reading() as graph:
        assert [qualified(graph.with_old_hash(value)) for value in (101, 102, 103)] == [["f"]] * 3
        assert graph.with_old_hash(104) == []
        assert qualified(graph.with_hash(104)) == ["f"]
    with store.writing() as writer:
        writer.put([a_file(1, "f", hashes={"f": 104})])
        writer.put([a_file(1, "f", hashes={"f": 105})])
    with store.reading() as graph:
        assert graph.with_old_hash(101) == graph.with_hash(104) == []
        assert [qualified(graph.with_old_hash(value)) for value in (102, 103, 104)] == [["f"]] * 3


def test_a_hash_that_comes_back_is_listed_once(store: Store) -> None:
    for value in (1, 2, 1, 2):
        with store.writing() as graph:
            graph.put([a_file(1, "f", hashes={"f": value})])
    with store.reading() as graph:
        assert qualified(graph.with_old_hash(1)) == qualified(graph.with_old_hash(2)) == ["f"]


def test_old_hashes_go_with_their_node(store: Store) -> None:
    for update in (a_file(1, "f", hashes={"f": 1}), a_file(1, "f", hashes={"f": 2}), a_file(1, "g"), a_file(1, "f")):
        with store.writing() as graph:
            graph.put([update])
    with store.reading() as graph:
        assert graph.with_old_hash(1) == graph.with_old_hash(2) == []


# Edges


def test_edges_lead_both_ways(filled: Store) -> None:
    with filled.reading() as graph:
        a, b, c = (numbers(graph, 1)["a"], numbers(graph, 1)["b"], numbers(graph, 2)["c"])
        [edge] = graph.edges_from(a)
        assert edge == (a, 0, EdgeKind.CALLS, c, 3, 90, 0, "")
        assert sources(graph, a) == ["b", "c"]
        assert sources(graph, b) == []
        assert sources(graph, c) == ["a"]


def test_edges_of_files_that_stay_survive_until_they_are_linked(filled: Store) -> None:
    with filled.writing() as writer:
        writer.put([a_file(1, "x", "b", "a")])
        a, b = numbers(writer, 1)["a"], numbers(writer, 1)["b"]
        assert targets(writer, a) == ["c"]
        assert targets(writer, b) == ["a"]
        writer.link([some_links(1, an_edge(1, 1, 2))])
    with filled.reading() as graph:
        assert targets(graph, a) == targets(graph, b) == []
        assert targets(graph, numbers(graph, 1)["x"]) == ["b"]
        assert sources(graph, a) == ["c"]


def test_edges_go_with_the_nodes_at_either_end(filled: Store) -> None:
    with filled.writing() as writer:
        writer.put([a_file(1, "b")])
    with filled.reading() as graph:
        assert all_edges(graph) == []
        assert graph.links(1)[0] == b"\0"


def test_linking_again_changes_what_differs(filled: Store) -> None:
    edges = [an_edge(1, 2, 1, confidence=50), an_edge(1, 2, 1, at=4), an_edge(2, 2, 1, metadata='{"match":"ü"}')]
    with filled.writing() as writer:
        writer.link([some_links(1, *edges, keys={12, 14}, reasons=b"\0\1\2")._replace(candidates={2: ["x", "ü"]})])
    with filled.reading() as graph:
        a, b = numbers(graph, 1)["a"], numbers(graph, 1)["b"]
        assert [(edge.at, edge.confidence) for edge in graph.edges_from(a)] == [(0, 50), (4, 90)]
        assert [edge.metadata for edge in graph.edges_from(b)] == ['{"match":"ü"}']
        assert graph.links(1) == (b"\0\1\2", {2: ["x", "ü"]})
        assert [graph.dependents({key}) for key in (11, 12, 14)] == [set(), {1, 2}, {1}]
    with filled.writing() as writer:
        writer.link([some_links(1, reasons=b"")])
    with filled.reading() as graph:
        assert graph.links(1) == (b"", {})
        assert sources(graph, numbers(graph, 2)["c"]) == []
        assert graph.dependents({12}) == {2}


@pytest.mark.parametrize("removed", [True, False])
def test_a_target_that_changes_between_two_links_is_met_as_it_is(filled: Store, removed: bool) -> None:
    with filled.writing() as writer:
        writer.link([some_links(1, an_edge(1, 2, 1))])
        if removed:
            writer.remove([2])
        writer.put([a_file(2, "x", "c", "y")])
        writer.link([some_links(1, *(an_edge(1, 2, ordinal, at=ordinal) for ordinal in (1, 2, 3)))])
    with filled.reading() as graph:
        assert targets(graph, numbers(graph, 1)["a"]) == ["x", "c", "y"]


@pytest.mark.parametrize("first", [True, False])
def test_of_equal_edges_the_last_counts(store: Store, first: bool) -> None:
    links = some_links(1, an_edge(1, 1, 1, confidence=10), an_edge(1, 1, 1, confidence=20))
    with store.writing() as graph:
        graph.put([a_file(1, "a")])
        graph.link([links] if first else [some_links(1), links])
    with store.reading() as graph:
        assert [edge.confidence for edge in graph.edges_from(numbers(graph, 1)["a"])] == [20]


def test_edges_are_listed_by_position_and_place_whatever_the_numbers(store: Store) -> None:
    caller = a_file(9, "f", path="y.py")
    updates = [a_file(3, "t", path="c.py"), a_file(1, "t", path="x.py"), a_file(2, "t", path="a.py"), caller]
    edges = [
        an_edge(1, 1, 1, at=5),
        an_edge(1, 2, 1, at=5),
        an_edge(1, 3, 1, at=5),
        an_edge(1, 3, 1, at=5, kind=EdgeKind.IMPORTS),
        an_edge(1, 1, 1, at=2),
    ]
    with store.writing() as graph:
        graph.put(updates)
        graph.link([some_links(9, *edges), *(some_links(n, an_edge(1, 9, 1, at=n)) for n in (1, 2, 3))])
        graph.link([some_links(1, an_edge(1, 9, 1, at=8), an_edge(1, 9, 1, at=7), an_edge(0, 9, 1, at=9))])
    with store.reading() as graph:
        f = numbers(graph, 9)["f"]
        paths = {node.number: row.path for row in graph.files() for node in graph.nodes(row.id)}
        assert [(edge.at, edge.kind, paths[edge.target]) for edge in graph.edges_from(f)] == [
            (2, EdgeKind.CALLS, "x.py"),
            (5, EdgeKind.IMPORTS, "c.py"),
            (5, EdgeKind.CALLS, "a.py"),
            (5, EdgeKind.CALLS, "c.py"),
            (5, EdgeKind.CALLS, "x.py"),
        ]
        assert [(paths[edge.source], edge.at) for edge in graph.edges_to(f)] == [
            ("a.py", 2),
            ("c.py", 3),
            ("x.py", 9),
            ("x.py", 7),
            ("x.py", 8),
        ]


def test_a_first_load_may_link_in_any_order(store: Store) -> None:
    files = range(1, 300)
    with store.writing() as graph:
        graph.put(a_file(n, *(f"f{k}" for k in range(n % 7))) for n in files)
        graph.link(some_links(n, an_edge(0, 300 - n, 0), keys={n, -n, n // 2 + 1000}) for n in reversed(files))
    with store.reading() as graph:
        assert len(graph.files()) == 299
        assert len(list(graph.all_nodes())) == sum(1 + n % 7 for n in files)
        for n in files:
            [own] = [node.number for node in graph.nodes(n) if node.ordinal == 0]
            found = [graph.node(edge.target) for edge in graph.edges_from(own)]
            assert [node.file for node in found if node] == [300 - n]
        assert graph.dependents({-5, 1005}) == {5, 10, 11}


# Dependents


def test_dependents_are_the_files_that_looked(store: Store) -> None:
    ends = {-(2**47), 2**47 - 1, 0, -1}
    with store.writing() as graph:
        graph.put([a_file(n) for n in (1, 2, 3)])
        graph.link([some_links(1, keys=ends), some_links(2, keys={0, *range(5000, 7000)}), some_links(3)])
    with store.reading() as graph:
        assert graph.dependents({0}) == {1, 2}
        assert graph.dependents([-(2**47)]) == graph.dependents([2**47 - 1]) == {1}
        assert graph.dependents(range(4000, 6000)) == {2}
        assert graph.dependents(set(range(9000, 12000)) | ends) == {1, 2}


def test_keys_stay_until_the_file_is_linked_again(filled: Store) -> None:
    with filled.writing() as writer:
        writer.put([a_file(1, "q")])
    with filled.reading() as graph:
        assert graph.dependents({11}) == {1}


# What files give to slots


@pytest.fixture
def giving(filled: Store) -> Store:
    """Files 1 and 2 give to slots: 1 to one of its own and to a shared one, 2 to the shared one."""
    with filled.writing() as writer:
        writer.link([some_links(1, flows={5: b"one", 6: b"\0"}), some_links(2, flows={6: b"two"})])
    return filled


def all_flows(writer: GraphWriter) -> dict[int, dict[int, bytes]]:
    """What files 1 to 3 give, by slot."""
    return {slot: writer.flows(slot) for slot in sorted(writer.slots([1, 2, 3]))}


def test_what_files_give_is_found_by_slot_and_by_file(giving: Store) -> None:
    with giving.writing() as writer:
        assert writer.flows(5) == {1: b"one"}
        assert list(writer.flows(6).items()) == [(1, b"\0"), (2, b"two")]
        assert writer.slots([1]) == {5, 6}
        assert writer.slots([2]) == {6}
        assert writer.slots(iter((1, 2))) == {5, 6}


def test_an_unknown_slot_is_given_nothing(giving: Store) -> None:
    with giving.writing() as writer:
        assert writer.flows(7) == {}
        assert writer.slots([]) == writer.slots([99]) == set()


def test_without_flows_there_are_none(filled: Store) -> None:
    with filled.writing() as writer:
        assert writer.slots([1, 2]) == set()


def test_any_number_of_48_bits_is_a_slot_and_any_bytes_are_given(store: Store) -> None:
    given = {-(2**47): b"", 2**47 - 1: b"\0\xff", 0: bytes(70_000), -1: b"x"}
    with store.writing() as graph:
        graph.put([a_file(1, "a")])
        graph.link([some_links(1, flows=given)])
    with store.writing() as writer:
        assert {slot: writer.flows(slot) for slot in writer.slots([1])} == {
            slot: {1: data} for slot, data in given.items()
        }


def test_the_writer_sees_what_it_gave(store: Store) -> None:
    with store.writing() as graph:
        graph.put([a_file(1, "a"), a_file(2, "b")])
        graph.link([some_links(1, flows={5: b"one"})])
        assert all_flows(graph) == {5: {1: b"one"}}
        graph.link([some_links(2, flows={5: b"two"})])
        assert all_flows(graph) == {5: {1: b"one", 2: b"two"}}
        graph.link([some_links(1, flows={6: b"other"})])
        assert all_flows(graph) == {5: {2: b"two"}, 6: {1: b"other"}}
    with store.writing() as writer:
        assert all_flows(writer) == {5: {2: b"two"}, 6: {1: b"other"}}


def test_linking_again_replaces_what_a_file_gives(giving: Store) -> None:
    with giving.writing() as writer:
        writer.link([some_links(1, flows={6: b"new", 7: b"more"})])
    with giving.writing() as writer:
        assert all_flows(writer) == {6: {1: b"new", 2: b"two"}, 7: {1: b"more"}}
        writer.link([some_links(1)])
    with giving.writing() as writer:
        assert all_flows(writer) == {6: {2: b"two"}}


def test_what_a_file_gives_stays_until_it_is_linked_again(giving: Store) -> None:
    with giving.writing() as writer:
        writer.put([a_file(1, "q")])
        writer.touch([a_row(2)._replace(size=7)])
        assert all_flows(writer) == {5: {1: b"one"}, 6: {1: b"\0", 2: b"two"}}


def test_what_a_removed_file_gave_goes_with_it(giving: Store) -> None:
    with giving.writing() as writer:
        writer.remove([1])
        assert all_flows(writer) == {6: {2: b"two"}}
        writer.put([a_file(1, "a")])
        assert all_flows(writer) == {6: {2: b"two"}}
    with giving.writing() as writer:
        assert all_flows(writer) == {6: {2: b"two"}}


def test_a_cleared_graph_gives_nothing(giving: Store) -> None:
    with giving.writing() as writer:
        writer.clear()
        assert all_flows(writer) == {}
        assert writer.flows(5) == writer.flows(6) == {}
        writer.put([a_file(2, "c")])
        writer.link([some_links(2, flows={6: b"again"})])
    with giving.writing() as writer:
        assert all_flows(writer) == {6: {2: b"again"}}


def test_giving_that_raises_did_not_happen(giving: Store) -> None:
    def work(writer: GraphWriter) -> None:
        writer.link([some_links(1, flows={9: b"x"})])
        writer.remove([2])

    with pytest.raises(Halt):
        halt_after(work, giving)
    with giving.writing() as writer:
        assert all_flows(writer) == {5: {1: b"one"}, 6: {1: b"\0", 2: b"two"}}


# Notes, counts, search


def test_notes_are_kept_by_name(filled: Store) -> None:
    with filled.writing() as writer:
        writer.set_note("one", b"\0\xff")
        writer.set_note("two", b"")
        writer.set_note("one", b"\1")
        assert writer.note("one") == b"\1"
    with filled.reading() as graph:
        assert (graph.note("one"), graph.note("two"), graph.note("three")) == (b"\1", b"", None)


def test_every_commit_seals_the_graph_anew(filled: Store) -> None:
    seals = [seal_of(filled)]
    with filled.writing() as writer:
        assert writer.seal() == seals[0]
        announced = writer.next_seal
    seals.append(seal_of(filled))
    assert seals[1] == announced
    with filled.writing() as writer:
        writer.clear()
    seals.append(seal_of(filled))
    filled.discard()
    with filled.writing() as writer:
        fill(writer)
    seals.append(seal_of(filled))
    assert all(seals)
    assert len(set(seals)) == len(seals)


def test_a_write_that_raises_leaves_the_seal(filled: Store) -> None:
    before = seal_of(filled)
    with pytest.raises(Halt):
        halt_after(lambda writer: writer.set_note("n", b"v"), filled)
    assert seal_of(filled) == before


def seal_of(store: Store) -> bytes:
    with store.reading() as graph:
        return graph.seal()


def test_counts_by_word(filled: Store) -> None:
    added = a_file(3, "d", language="go")
    added.nodes[1] = added.nodes[1]._replace(flags=EXPORTED | 1)
    with filled.writing() as writer:
        writer.put([added])
        writer.link([some_links(3, an_edge(1, 1, 1, kind=EdgeKind.IMPORTS, confidence=5))])
    with filled.reading() as graph:
        assert graph.counts() == {
            "files": {"go": 1, "python": 2},
            "nodes": {"file": 3, "function": 4},
            "exported": {"exported": 1},
            "edges": {"imports": 1, "calls": 3},
            "tiers": {"tier2_treesitter_heuristic": 4},
            "confidence": {"0.05": 1, "0.90": 3},
        }


def test_files_tell_which_others_they_have_edges_with(filled: Store) -> None:
    with filled.writing() as writer:
        writer.put([a_file(3, "lonely"), a_file(4, "d", path="a.py")])
        writer.link([some_links(4, an_edge(1, 1, 1), an_edge(1, 4, 1))])
    with filled.reading() as graph:
        assert [row.id for row in graph.files_into(1)] == [4, 2]
        assert [row.id for row in graph.files_from(1)] == [2]
        assert graph.files_into(4) == graph.files_from(3) == graph.files_into(99) == []


def test_files_are_told_by_a_flag_of_their_own_node(store: Store) -> None:
    plain, flagged, inside = a_file(1, "a"), a_file(2, "b", path="a.py"), a_file(3, "c")
    with store.writing() as graph:
        graph.put([plain, flagged._replace(nodes=[node._replace(flags=8 | 4) for node in flagged.nodes])])
        graph.put([inside._replace(nodes=[inside.nodes[0], inside.nodes[1]._replace(flags=8)])])
    with store.reading() as graph:
        assert graph.files_with(8) == [flagged.row]
        assert graph.files_with(16) == []


def test_edges_tell_what_they_connect(filled: Store) -> None:
    with filled.reading() as graph:
        one, two = numbers(graph, 1), numbers(graph, 2)
        calls = int(EdgeKind.CALLS)
        assert sorted(graph.edge_ends()) == sorted(
            [
                EdgeEnds(calls, one["a"], 1, two["c"], 2),
                EdgeEnds(calls, one["b"], 1, one["a"], 1),
                EdgeEnds(calls, two["c"], 2, one["a"], 1),
            ]
        )


def test_names_are_found_by_their_words(store: Store) -> None:
    with store.writing() as graph:
        graph.put([a_file(1, "get_user", "get_user_name", "set_name"), a_file(2, "get_user", "Usage.report")])
    with store.reading() as graph:
        assert graph.names_like("user name", 10)[0] == "get_user_name"
        assert set(graph.names_like("user", 10)) == {"get_user", "get_user_name"}
        assert set(graph.names_like("us", 10)) == {"get_user", "get_user_name", "report"}
        assert graph.names_like("USAGE", 10) == ["report"]
        assert graph.names_like("get", 1) in (["get_user"], ["get_user_name"])
        assert graph.names_like("ser", 10) == []
        assert graph.names_like("", 10) == graph.names_like("  ", 10) == []


def test_names_are_found_by_their_beginning(store: Store) -> None:
    with store.writing() as graph:
        graph.put([a_file(1, "get", "get_user", "Get", "größe"), a_file(2, "get", "User.name", "User.get", "Users.x")])
    with store.reading() as graph:
        assert graph.names_beginning("get", 10) == ["get", "get_user"]
        assert graph.names_beginning("get", 1) == ["get"]
        assert graph.names_beginning("gr", 10) == ["größe"]
        assert graph.names_beginning("User.", 10) == ["User.get", "User.name"]
        assert graph.names_beginning("%", 10) == graph.names_beginning("nope", 10) == []


@pytest.mark.parametrize("text", ['"', "a AND", "NOT x", "(", "*", 'say "hi"', "col:umn", "-", "'", "a^2 + b"])
def test_any_text_can_be_searched_for(filled: Store, text: str) -> None:
    with filled.reading() as graph:
        assert isinstance(graph.names_like(text, 3), list)


# Words and vectors


def with_words(number: int, *words: Words) -> FileUpdate:
    """A file with a function for each of the words."""
    update = a_file(number, *(f"f{index}" for index in range(len(words))))
    own, *rest = update.nodes
    return update._replace(nodes=[own, *(node._replace(words=has) for node, has in zip(rest, words, strict=True))])


def found(graph: GraphReader, *words: str, limit: int = 9) -> list[str]:
    return [one.node.name for one in graph.matching(graph.word_counts(words), limit)]


def test_nodes_are_found_by_their_words(store: Store) -> None:
    with store.writing() as graph:
        graph.put([with_words(1, Words("open file"), Words("read", "file"), Words("close", "door"), Words(""))])
    with store.reading() as graph:
        assert graph.can_search()
        assert found(graph, "file") == ["f0", "f1"]
        assert found(graph, "read", "file")[0] == "f1"
        assert found(graph, "fi*") == ["f0", "f1"]
        assert found(graph, "door", "none") == ["f2"]
        assert found(graph, "il") == found(graph, "") == found(graph, "*") == found(graph, "file", limit=0) == []
        assert len(found(graph, "file", limit=1)) == 1
        assert graph.word_counts(["file", "fi*", "none"]) == {"file": 2, "fi*": 2, "none": 0}
        assert graph.known_words("d", 9) == {"door": 1}
        assert [words.name for words in graph.words(1).values()][1:] == ["open file", "read", "close"]


def test_words_follow_their_nodes(store: Store) -> None:
    with store.writing() as graph:
        graph.put([with_words(1, Words("alpha", "beta"), Words("gamma")), with_words(2, Words("alpha"))])
    with store.writing() as graph:
        graph.put([with_words(1, Words("delta", "beta"))])
        assert found(graph, "delta") == ["f0"]
    with store.writing() as graph:
        graph.remove([2])
    with store.reading() as graph:
        assert found(graph, "beta") == ["f0"]
        assert graph.word_counts(["alpha", "gamma"]) == {"alpha": 0, "gamma": 0}
        assert "alpha" not in graph.known_words("", 99)
        assert graph.words(2) == {}


@pytest.mark.parametrize("text", ['"', "a AND", "*", "NOT", "(", 'a"*', "name:a", "\0", "{name}:"])
def test_any_word_can_be_looked_for(filled: Store, text: str) -> None:
    with filled.reading() as graph:
        assert isinstance(found(graph, text, f"{text}*"), list)
        assert isinstance(graph.known_words(text, 3), dict)


def test_so_many_of_a_name(filled: Store) -> None:
    with filled.reading() as graph:
        assert qualified(graph.named("a", 5)) == ["a"]
        assert graph.named("a", 0) == graph.named("nope", 5) == []


def test_a_vector_lasts_as_long_as_its_node_is_the_same(filled: Store) -> None:
    with filled.writing() as graph:
        one, two = numbers(graph, 1), numbers(graph, 2)
        graph.keep_vectors([(one["a"], b"A"), (one["b"], b"B"), (two["c"], b"C"), (one["b"], b"BB")])
        assert dict(graph.vectors()) == {one["a"]: b"A", one["b"]: b"BB", two["c"]: b"C"}
        assert {node.qualified_name for node in graph.without_vector()} == {"pkg/m1.py", "pkg/m2.py"}
        graph.put([a_file(1, "new", "a", "b", hashes={"a": 77})])
        assert dict(graph.vectors()) == {one["b"]: b"BB", two["c"]: b"C"}
        graph.remove([2])
        assert dict(graph.vectors()) == {one["b"]: b"BB"}
        graph.forget_vectors()
        assert list(graph.vectors()) == []


# Ids and names


def test_all_nodes_come_with_their_ids_in_order_of_text(store: Store) -> None:
    updates = [
        a_file(2, "f", "f", "C.m", path="b.py"),
        a_file(1, "z", "Z", "é", "a0", "a.b", path="a.py"),
        a_file(3, path="a/b.py", root="App"),
        a_file(4, *(["g"] * 11), path="a.py2"),
    ]
    with store.writing() as graph:
        graph.put(updates)
    with store.reading() as graph:
        nodes = list(graph.all_nodes())
        ids = [node_id for node_id, _ in nodes]
        assert ids == sorted(ids)
        assert ids[0] == "file:App:a/b.py"
        assert {"file:app:a.py", "sym:app:b.py:f", "sym:app:b.py:f#2", "sym:app:a.py2:g#11"} < set(ids)
        assert ids.index("sym:app:a.py2:g#11") < ids.index("sym:app:a.py2:g#2")
        assert [graph.node(node.number) for _, node in nodes] == [node for _, node in nodes]
        assert len(ids) == len(set(ids)) == sum(len(update.nodes) for update in updates)


UNUSUAL = [
    "it's",
    'say "x"',
    "a:b::c",
    "<lambda>",
    "naïve.größe",
    "名前.関数",
    "🦀",
    "x;--",
    "%s",
    "C#m(int,String)",
    "a b",
]


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_names_are_names(store: Store, name: str) -> None:
    update = a_file(1, name, path=f"dir/{name}.py", root="it's:no")
    with store.writing() as graph:
        graph.put([update, a_file(2, name)])
        graph.set_note(name, b"x")
        graph.link([some_links(1, an_edge(1, 2, 1, metadata=name))._replace(candidates={0: [name]})])
    with store.writing() as graph:
        graph.put([update, a_file(2, name, "other")])
    with store.reading() as graph:
        assert graph.file(1) == update.row
        assert [node.file for node in graph.with_qualified_name(name)] == [2, 1]
        assert graph.links(1)[1] == {0: [name]}
        assert graph.note(name) == b"x"
        assert [node_id for node_id, node in graph.all_nodes() if node.file == 1] == [
            f"file:it's:no:dir/{name}.py",
            f"sym:it's:no:dir/{name}.py:{name}",
        ]
        assert [edge.metadata for edge in graph.edges_from(numbers(graph, 1)[name])] == [name]


# Clearing


def test_a_cleared_graph_can_be_built_again(filled: Store) -> None:
    with filled.writing() as writer:
        writer.set_note("old", b"1")
        writer.clear()
        assert writer.files() == []
        assert writer.note("old") is None
        assert writer.dependents({11, 12, 13}) == set()
        writer.put([a_file(1, "n", "a")])
        writer.link([some_links(1, an_edge(1, 1, 2), keys={12})])
    with filled.reading() as graph:
        assert [row.id for row in graph.files()] == [1]
        assert all_edges(graph) == [("sym:app:pkg/m1.py:n", 0, "calls", "sym:app:pkg/m1.py:a", 90)]
        assert graph.dependents({11, 12}) == {1}
        assert graph.names_like("c", 5) == []


def test_a_clearing_that_raises_did_not_happen(filled: Store) -> None:
    def work(writer: GraphWriter) -> None:
        writer.clear()
        writer.put([a_file(5, "n")])

    with pytest.raises(Halt):
        halt_after(work, filled)
    with filled.reading() as graph:
        assert [row.id for row in graph.files()] == [1, 2]
        assert len(all_edges(graph)) == 3


def test_what_was_just_put_can_be_cleared(store: Store) -> None:
    with store.writing() as graph:
        fill(graph)
        graph.clear()
        graph.put([a_file(2, "c")])
        graph.link([some_links(2, keys={1})])
    with store.reading() as graph:
        assert [row.id for row in graph.files()] == [2]
        assert graph.dependents({1, 11, 12, 13}) == {2}


def test_large_interfaces_come_back_as_they_were(store: Store) -> None:
    blobs = {1: b"\xc1 small", 2: bytes(range(256)) * 500, 3: b"", 4: b"small"}
    with store.writing() as graph:
        graph.put([a_file(number, "a")._replace(interface=blob) for number, blob in blobs.items()])
    with store.reading() as graph:
        assert {number: graph.interface(number) for number in blobs} == blobs


# What helpers say


def test_a_files_edges_come_as_they_were_linked(filled: Store) -> None:
    edges = [an_edge(1, 2, 1, at=4), an_edge(2, 2, 1, metadata='{"match":"ü"}')]
    with filled.writing() as writer:
        writer.link([some_links(1, *edges)])
        assert writer.edges_of(1) == edges
    with filled.reading() as graph:
        assert graph.edges_of(1) == edges
        assert graph.edges_of(99) == []


def test_an_amendment_replaces_edges_and_adds_to_what_was_looked_up(filled: Store) -> None:
    with filled.writing() as writer:
        writer.link([some_links(1, an_edge(1, 2, 1), keys={12}, flows={5: b"one"}, reasons=b"\0\1")])
        writer.amend([Amendment(1, [an_edge(2, 2, 1, confidence=95)], b"\0\2", {1: ["x"]}, {13})])
    with filled.reading() as graph:
        assert graph.edges_of(1) == [an_edge(2, 2, 1, confidence=95)]
        assert graph.links(1) == (b"\0\2", {1: ["x"]})
        assert [1 in graph.dependents({key}) for key in (12, 13)] == [True, True]
        assert graph.flows(5) == {1: b"one"}
    with filled.writing() as writer:
        writer.link([some_links(1)])
        assert 1 not in writer.dependents({12, 13})


def test_a_first_load_can_be_amended(store: Store) -> None:
    with store.writing() as writer:
        writer.put([a_file(1, "a", "b")])
        writer.link([some_links(1, an_edge(1, 1, 2))])
        writer.amend([Amendment(1, [an_edge(1, 1, 1)], b"\0", {}, set())])
    with store.reading() as graph:
        assert graph.edges_of(1) == [an_edge(1, 1, 1)]


@pytest.mark.parametrize("answers", [b"", b"\xc1", b"said " * 1000], ids=["nothing", "a mark", "much"])
def test_what_helpers_said_is_kept_by_file_and_tier(filled: Store, answers: bytes) -> None:
    said = HelperAnswers(1, 1, b"content", answers, 3)
    with filled.writing() as writer:
        writer.keep_answers([said, said._replace(tier=5, disagreements=0), said._replace(file=2)])
        writer.keep_answers([said])
    with filled.reading() as graph:
        assert graph.helper_answers(1, 1) == said
        assert graph.helper_answers(3, 1) is None
        assert (graph.helped(1), graph.helped(5), graph.helped(2)) == ({1: 3, 2: 3}, {1: 0}, {})


def test_what_helpers_said_can_be_forgotten_and_goes_with_its_file(filled: Store) -> None:
    said = HelperAnswers(1, 1, b"content", b"said")
    with filled.writing() as writer:
        writer.keep_answers([said, said._replace(file=2)])
        writer.forget_answers([2])
        assert writer.helped(1) == {1: 0}
        writer.remove([1])
        assert writer.helped(1) == {}
        writer.keep_answers([said._replace(file=2)])
        writer.forget_answers()
        assert writer.helped(1) == {}


@pytest.fixture
def empty(request: pytest.FixtureRequest, store: Store, tmp_path: Path) -> Store:
    """Another store of the same kind, without a graph."""
    return STORES[request.node.callspec.params["store"]](tmp_path / "empty")


def test_a_copy_is_the_graph_once_it_is_corrected(filled: Store, empty: Store) -> None:
    with empty.copying(filled) as writer:
        writer.set_note("whose", b"mine")
        assert not empty.exists()
    with filled.reading() as was, empty.reading() as now:
        assert now.files() == was.files()
        assert all_edges(now) == all_edges(was)
        assert (now.note("whose"), was.note("whose")) == (b"mine", None)


def test_a_copy_that_is_given_up_leaves_nothing(filled: Store, empty: Store, tmp_path: Path) -> None:
    with pytest.raises(Halt), empty.copying(filled):
        raise Halt
    assert not empty.exists()
    assert not [path for path in (tmp_path / "empty").rglob("*") if path.is_file()]


def test_a_copy_does_not_replace_a_graph(filled: Store, empty: Store) -> None:
    with empty.copying(filled) as writer:
        writer.set_note("whose", b"the copy's")
        with empty.writing() as first:
            first.set_note("whose", b"another's")
    with empty.reading() as reader:
        assert reader.note("whose") == b"another's"


def test_there_is_nothing_to_copy_of_a_missing_graph(store: Store, empty: Store) -> None:
    with pytest.raises(GraphMissing), empty.copying(store):
        pass


# Attributes, filters and hops


def with_routes(graph: GraphWriter) -> None:
    """A class of the service `shop` with a role, and two routes; a plain function in another service."""
    shop = a_file(1, "Cart", "Cart.total")
    routes = [a_node(3, "GET /carts/{}", NodeKind.ROUTE), a_node(4, "POST /carts/{}", NodeKind.ROUTE)]
    attributes = ((1, "role", "controller"), (1, "role", "entity"), (3, "method", "GET"), (4, "method", "POST"))
    paths = ((3, "path", "/carts/{id}"), (4, "path", "/carts/{id}"))
    row = shop.row._replace(service="shop")
    graph.put([shop._replace(row=row, nodes=[*shop.nodes, *routes], attributes=attributes + paths)])
    graph.put([a_file(2, "main")])


def test_a_file_knows_its_service(store: Store) -> None:
    with store.writing() as graph:
        with_routes(graph)
    with store.reading() as graph:
        assert [file.service for file in graph.files()] == ["shop", ""]


def test_nodes_are_found_by_what_else_they_have(store: Store) -> None:
    with store.writing() as graph:
        with_routes(graph)
    with store.reading() as graph:
        [get] = graph.with_attribute("method", "GET")
        assert get.qualified_name == "GET /carts/{}"
        assert graph.attributes(get.number) == {"method": ["GET"], "path": ["/carts/{id}"]}
        assert qualified(graph.with_attribute("role", "entity")) == ["Cart"]
        assert [id for id, _ in graph.all_nodes() if id.startswith("route:")] == [
            "route:app:pkg/m1.py:GET /carts/{}",
            "route:app:pkg/m1.py:POST /carts/{}",
        ]


def test_attributes_follow_their_file(store: Store) -> None:
    with store.writing() as graph:
        with_routes(graph)
    with store.writing() as graph:
        graph.put([a_file(1, "Cart")._replace(attributes=((1, "role", "view"),))])
        assert graph.with_attribute("role", "controller") == []
        assert qualified(graph.with_attribute("role", "view")) == ["Cart"]
        graph.remove([1])
        assert graph.with_attribute("role", "view") == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (NodeFilter(kinds=frozenset({NodeKind.ROUTE})), ["GET /carts/{}", "POST /carts/{}"]),
        (NodeFilter(kinds=frozenset({NodeKind.FUNCTION}), services=frozenset({"shop"})), ["Cart", "Cart.total"]),
        (NodeFilter(beginnings=frozenset({"Cart."})), ["Cart.total"]),
        (NodeFilter(beginnings=frozenset({"pkg.m1.Ca"})), ["Cart", "Cart.total"]),
        (NodeFilter(beginnings=frozenset({"pkg.m2", "Cart.t"})), ["Cart.total", "pkg/m2.py", "main"]),
        (NodeFilter(attributes={"role": frozenset({"entity", "view"})}), ["Cart"]),
        (
            NodeFilter(kinds=frozenset({NodeKind.FUNCTION}), without={"role": frozenset({"entity"})}),
            ["Cart.total", "main"],
        ),
        (NodeFilter(attribute_beginnings={"path": frozenset({"/carts"})}), ["GET /carts/{}", "POST /carts/{}"]),
        (NodeFilter(modules=frozenset({"pkg.m2"}), languages=frozenset({"python"})), ["pkg/m2.py", "main"]),
        (NodeFilter(roots=frozenset({"other"})), []),
        (NodeFilter(visibilities=frozenset({1, 2})), []),
    ],
)
def test_a_filter_demands_any_value_of_every_field(store: Store, wanted: NodeFilter, found: list[str]) -> None:
    with store.writing() as graph:
        with_routes(graph)
    with store.reading() as graph:
        total, nodes = graph.found_by(wanted, 10, 0)
        assert (total, qualified(nodes)) == (len(found), found)
        assert graph.found_by(wanted, 1, 1) == (total, nodes[1:2])


def test_a_hop_lists_edges_of_kinds_with_a_floor_and_a_filter(store: Store) -> None:
    with store.writing() as writer:
        writer.put([a_file(1, "hub"), a_file(2, "b", "a"), a_file(3, "c")])
        writer.link(
            [
                some_links(2, an_edge(1, 1, 1, at=5), an_edge(1, 1, 1, at=3), an_edge(2, 1, 1, confidence=50)),
                some_links(3, an_edge(1, 1, 1), an_edge(0, 1, 1, kind=EdgeKind.IMPORTS)),
            ]
        )
    with store.reading() as graph:
        hub, others = (
            numbers(graph, 1)["hub"],
            {number: name for file in (2, 3) for name, number in numbers(graph, file).items()},
        )
        calls = frozenset({int(EdgeKind.CALLS)})

        def sources_of(hop: Hop, limit: int = 10, offset: int = 0) -> tuple[int, list[tuple[str, int]]]:
            total, edges = graph.hop(hop, limit, offset)
            return total, [(others[edge.source], edge.at) for edge in edges]

        everyone = [("b", 3), ("b", 5), ("a", 0), ("c", 0)]
        assert sources_of(Hop(hub, False, calls)) == (4, everyone)
        assert sources_of(Hop(hub, False, calls), 2, 1) == (4, everyone[1:3])
        assert sources_of(Hop(hub, False, calls, 60)) == (3, [("b", 3), ("b", 5), ("c", 0)])
        only_third = NodeFilter(modules=frozenset({"pkg.m3"}))
        assert sources_of(Hop(hub, False, calls | {int(EdgeKind.IMPORTS)}, other=only_third)) == (
            2,
            [("pkg/m3.py", 0), ("c", 0)],
        )
        assert graph.edge_counts(hub) == ({EdgeKind.IMPORTS: 1, EdgeKind.CALLS: 4}, {})
        assert graph.edge_counts(numbers(graph, 2)["b"]) == ({}, {EdgeKind.CALLS: 2})
        assert graph.hop(Hop(numbers(graph, 3)["c"], True, calls), 5, 0)[0] == 1


def test_calls_without_an_edge_are_counted_by_name(store: Store) -> None:
    def links(file: int, **counts: int) -> FileLinks:
        return some_links(file)._replace(open_calls=counts)

    with store.writing() as writer:
        writer.put([a_file(1, "a"), a_file(2, "b")])
        writer.link([links(1, total=2, size=1), links(2, total=3)])
        assert (writer.open_calls("total"), writer.open_calls("size"), writer.open_calls("b")) == (5, 1, 0)
    with store.writing() as writer:
        writer.link([links(1, total=1)])
        assert (writer.open_calls("total"), writer.open_calls("size")) == (4, 0)
        writer.amend([Amendment(2, [], b"\0", {}, set(), {"size": 7})])
        assert (writer.open_calls("total"), writer.open_calls("size")) == (1, 7)
        writer.remove([2])
    with store.reading() as graph:
        assert (graph.open_calls("total"), graph.open_calls("size")) == (1, 0)


def test_the_best_of_a_name_are_some_kinds_and_then_the_shortest(store: Store) -> None:
    with store.writing() as writer:
        first = a_file(1, "A.f", "A.B.f", path="z.py")
        writer.put([first._replace(nodes=[*first.nodes, a_node(3, "f", NodeKind.CLASS)])])
        writer.put([a_file(2, "f")._replace(row=a_row(2, "y/x/w.py")._replace(module="y.x.w.v.u"))])
    with store.reading() as graph:
        found = [node.qualified_name for node in graph.best_named("f", [NodeKind.CLASS], 9)]
        assert found == ["f", "A.f", "A.B.f", "f"]
        assert [node.kind for node in graph.best_named("f", [NodeKind.CLASS], 1)] == [NodeKind.CLASS]


def test_users_of_a_node_come_once_each_in_order_of_place_and_bounded(filled: Store) -> None:
    kinds = (EdgeKind.CALLS, EdgeKind.REFERENCES)
    with filled.writing() as graph:
        graph.link(
            [some_links(1, an_edge(2, 1, 1), an_edge(2, 1, 1, at=5), an_edge(2, 1, 1, at=7, kind=EdgeKind.IMPORTS))]
        )
    with filled.reading() as graph:
        a = numbers(graph, 1)["a"]
        assert qualified(graph.users(a, kinds, 10)) == ["b", "c"]
        assert qualified(graph.users(a, (EdgeKind.IMPORTS,), 10)) == ["b"]
        assert len(graph.users(a, kinds, 1)) == 1
        assert graph.users(numbers(graph, 1)["b"], kinds, 10) == []


def test_profiles_are_replaced_with_their_file_and_go_with_it(filled: Store) -> None:
    with filled.writing() as graph:
        graph.put([a_file(1, "a")._replace(profile=b"one"), a_file(3, "d")._replace(profile=b"three")])
        assert graph.profiles() == {1: b"one", 3: b"three"}
    with filled.writing() as graph:
        graph.put([a_file(1, "a")._replace(profile=b"other")])
        graph.remove([3])
    with filled.reading() as graph:
        assert graph.profiles() == {1: b"other"}, "a file without a profile is not listed"


def test_files_around_a_file_are_counted(filled: Store) -> None:
    with filled.reading() as graph:
        assert (graph.files_around(1), graph.files_around(2), graph.files_around(3)) == ((1, 1), (1, 1), (0, 0))


def test_the_ends_of_edges_come_once_each_in_order_of_place_and_bounded(store: Store) -> None:
    with store.writing() as writer:
        writer.put([a_file(1, "hub", "other"), a_file(2, "b", "a", path="y.py"), a_file(3, "c", path="x.py")])
        writer.link(
            [
                some_links(1, an_edge(2, 1, 1)),
                some_links(2, an_edge(1, 1, 1, at=5), an_edge(1, 1, 1, at=3), an_edge(2, 1, 2, confidence=50)),
                some_links(3, an_edge(1, 1, 1), an_edge(1, 2, 2, at=4), an_edge(0, 1, 1, kind=EdgeKind.IMPORTS)),
            ]
        )
    with store.reading() as graph:
        names = {number: name for file in (1, 2, 3) for name, number in numbers(graph, file).items()}
        hub, other = numbers(graph, 1)["hub"], numbers(graph, 1)["other"]
        calls = frozenset({int(EdgeKind.CALLS)})

        def ends(starts: list[int], along: Along, most: int = 9) -> list[tuple[str, int]]:
            return [(names[number], count) for number, count in graph.ends(starts, along, most)]

        everyone = [("other", 1), ("c", 1), ("b", 2), ("a", 1)]
        assert ends([hub, other], Along(False, calls)) == everyone
        for most in (1, 2, 3, 4):
            assert ends([hub, other], Along(False, calls), most) == everyone[:most], "too many edges to read them all"
        assert ends([hub, other], Along(False, calls, 60)) == everyone[:3]
        assert ends([hub, other], Along(False, calls, 60), 2) == everyone[:2]
        assert ends([hub], Along(False, frozenset({int(EdgeKind.IMPORTS)}))) == [("x.py", 1)]
        assert ends([numbers(graph, 3)["c"]], Along(True, calls)) == [("hub", 1), ("a", 1)]
        assert ends([], Along(True, calls)) == []


def test_a_bounded_walk_asks_file_after_file_until_it_has_enough(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keel.stores.sqlite.ends.FIRST_FILES", 1)
    files = range(2, 12)
    with store.writing() as writer:
        writer.put([a_file(1, "hub"), *(a_file(file, "f", path=f"{99 - file}.py") for file in files)])
        writer.link(some_links(file, an_edge(1, 1, 1), an_edge(1, 1, 1, at=1)) for file in files)
    with store.reading() as graph:
        along = Along(False, frozenset({int(EdgeKind.CALLS)}))
        found = graph.ends([numbers(graph, 1)["hub"]], along, 7)
        assert found == [(numbers(graph, file)["f"], 2) for file in sorted(files, reverse=True)][:7]


def test_edges_between_nodes_are_those_of_both(filled: Store) -> None:
    with filled.reading() as graph:
        one, two = numbers(graph, 1).values(), numbers(graph, 2).values()
        every = {edge for node in (*one, *two) for edge in graph.edges_from(node)}
        between = [edge for edge in every if edge.source in two and edge.target in one]
        assert between
        assert sorted(graph.edges_between(two, one)) == sorted(between)
        assert graph.edges_between(two, []) == []


def test_nodes_come_with_their_files_and_without_those_that_are_not_there(filled: Store) -> None:
    with filled.reading() as graph:
        wanted = [*numbers(graph, 1).values(), *numbers(graph, 2).values()]
        found = {node.number: (node, file) for node, file in graph.placed([*wanted, 10**9])}
        assert found == {number: (node, graph.file(node.file)) for number in wanted if (node := graph.node(number))}


def test_edges_are_counted_of_some_kinds(filled: Store) -> None:
    with filled.reading() as graph:
        node = numbers(graph, 1)["a"]
        into, out = graph.edge_counts(node)
        assert into
        assert graph.edge_counts(node, list(into)) == (into, {kind: out[kind] for kind in out if kind in into})
        assert graph.edge_counts(node, [int(EdgeKind.DECORATES)]) == ({}, {})
