"""Whatever is put, linked, touched and removed, in whatever order: the stores hold the same graph.

The store in memory replaces wholesale, the one in a file only what differs; this is the proof that
the differences are all of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from keel.model.kinds import EdgeKind
from keel.model.rows import EdgeRow, FileUpdate, Words
from keel.ports.store import GraphReader, GraphWriter, Store
from keel.stores.sqlite.store import SqliteStore
from tests.graphs import a_file, a_row, an_edge, some_links
from tests.memory_store import MemoryStore

Step = Callable[[GraphWriter], None]
Transaction = tuple[list[Step], bool]

FILES = range(1, 5)
KEYS = range(-2, 6)
HASHES = range(1, 8)

files = st.sampled_from(FILES)
keys = st.sets(st.sampled_from(KEYS), max_size=4)


class Halt(Exception):
    """Ends a transaction that is not to be."""


@st.composite
def updates(draw: st.DrawFn, file: int | None = None) -> FileUpdate:
    names = draw(st.lists(st.sampled_from(["a", "b", "c", "C", "C.a"]), min_size=1, max_size=5))
    update = a_file(draw(files) if file is None else file, *names)
    shift, words = draw(st.integers(0, 2)), draw(st.sampled_from(["", "x", "x y"]))
    nodes = [
        node._replace(start=node.start + shift, words=Words(node.words.name, words), hash=draw(st.sampled_from(HASHES)))
        for node in update.nodes
    ]
    return update._replace(nodes=nodes, interface=bytes([shift]))


@st.composite
def puts(draw: st.DrawFn, of_all: bool = False) -> Step:
    each = st.tuples(*(updates(file) for file in FILES)).map(list)
    some = draw(each if of_all else st.lists(updates(), min_size=1, max_size=3))
    return lambda graph: graph.put(some)


edge_seeds = st.tuples(
    st.integers(0, 9), st.integers(0, 2), st.sampled_from([EdgeKind.CALLS, EdgeKind.IMPORTS]), files, st.integers(0, 9)
)


@st.composite
def links(draw: st.DrawFn) -> Step:
    file, looked_up = draw(files), draw(keys)
    given = draw(st.dictionaries(st.sampled_from(KEYS), st.binary(max_size=2), max_size=3))
    seeds = draw(st.lists(edge_seeds, min_size=draw(st.sampled_from([0, 3])), max_size=8))
    confidence, reasons = draw(st.sampled_from([50, 90])), draw(st.binary(max_size=2))

    def step(graph: GraphWriter) -> None:
        if graph.file(file):
            edges = [edge for seed in seeds for edge in grown(graph, file, seed, confidence)]
            graph.link([some_links(file, *edges, keys=looked_up, reasons=reasons, flows=given)])

    return step


def grown(graph: GraphReader, file: int, seed: tuple[int, int, EdgeKind, int, int], confidence: int) -> list[EdgeRow]:
    """The edge that a seed means in this graph; none when it has no target."""
    source, at, kind, target_file, target = seed
    own, there = len(graph.nodes(file)), len(graph.nodes(target_file))
    return [an_edge(source % own, target_file, target % there, at, kind, confidence)] if own and there else []


@st.composite
def removals(draw: st.DrawFn) -> Step:
    some = draw(st.lists(files, min_size=1, max_size=2))
    return lambda graph: graph.remove(some)


@st.composite
def touches(draw: st.DrawFn) -> Step:
    row = a_row(draw(files))._replace(mtime_ns=draw(st.integers(0, 3)))
    return lambda graph: graph.touch([row])


clearings: st.SearchStrategy[Step] = st.just(lambda graph: graph.clear())
# What is named twice comes twice as often: a graph without edges has nothing to get wrong.
steps = st.one_of(links(), links(), links(), puts(), puts(), removals(), touches(), clearings)
works = st.tuples(st.lists(steps, min_size=1, max_size=6), st.sampled_from([True, True, True, False]))
beginnings = st.tuples(st.tuples(puts(of_all=True), links(), links(), links()).map(list), st.just(True))
plans = st.one_of(st.lists(works, max_size=4), st.tuples(beginnings, works, works, works).map(list))


@settings(deadline=None)
@given(plans)
def test_both_stores_hold_the_same_graph(plan: list[Transaction]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        memory, sqlite = MemoryStore(), SqliteStore(Path(folder) / "graph.db")
        for transaction in plan:
            for store in (memory, sqlite):
                carry_out(store, transaction)
            assert sqlite.exists() == memory.exists()
            if memory.exists():
                with memory.reading() as expected, sqlite.reading() as found:
                    assert picture(found) == picture(expected)
                with memory.writing() as expected_writer, sqlite.writing() as found_writer:
                    assert flows(found_writer) == flows(expected_writer)


def carry_out(store: Store, transaction: Transaction) -> None:
    work, commits = transaction
    try:
        with store.writing() as graph:
            for step in work:
                step(graph)
            if not commits:
                raise Halt
    except Halt:
        pass


def flows(graph: GraphWriter) -> object:
    """What files give to slots, which only writers are asked."""
    return [graph.slots([file]) for file in FILES], [list(graph.flows(slot).items()) for slot in KEYS]


def picture(graph: GraphReader) -> dict[str, object]:
    """Everything the graph answers, with ids in place of node numbers."""
    nodes = list(graph.all_nodes())
    ids = {node.number: node_id for node_id, node in nodes}
    assert len(ids) == len(nodes), "two nodes share a number"
    return {
        "files": [
            (row, graph.interface(row.id), graph.references(row.id), graph.links(row.id)) for row in graph.files()
        ],
        "nodes": [(node_id, node[1:]) for node_id, node in nodes],
        "by file": [[ids[node.number] for node in graph.nodes(file)] for file in FILES],
        "from": [(ids[e.source], ids[e.target], *e[1:3], *e[4:]) for n in ids for e in graph.edges_from(n)],
        "to": [(ids[e.source], ids[e.target], *e[1:3], *e[4:]) for n in ids for e in graph.edges_to(n)],
        "dependents": [graph.dependents({key}) for key in KEYS],
        "hashes": [[ids[node.number] for node in graph.with_hash(value)] for value in HASHES],
        "old hashes": [[ids[node.number] for node in graph.with_old_hash(value)] for value in HASHES],
        "names": [[ids[node.number] for node in graph.with_name(name)] for name in ("a", "C")],
        "texts": [[(ids[n], words) for n, words in sorted(graph.words(file).items())] for file in FILES],
        "matching": [
            sorted(ids[one.node.number] for one in graph.matching({text: 1}, 99)) for text in ("a", "x", "y*")
        ],
        "word counts": graph.word_counts(["a", "c", "x", "y*", "none", "*"]),
        "known": graph.known_words("", 99),
        "words": [sorted(graph.names_like(text, 99)) for text in ("a", "c", "x", "pkg")],
        "counts": graph.counts(),
    }
