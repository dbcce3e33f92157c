"""The accepted graph, linked backward in memory, is the one that a map of the accepted tree makes.

Random edits come from `tests.edits`, as in `test_incremental`; here the graph is that of the tree after them, and base
is the tree before.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from keel.enforcement.graphs import BaseGraph, CurrentGraph, Edge, Facts
from keel.indexing.base.accepted_tree import accepted_tree
from keel.indexing.base.facts import facts_of
from keel.indexing.base.graph import link_accepted
from keel.indexing.base.snapshot import take
from keel.indexing.base.sources import Accepted
from keel.indexing.context import IndexContext
from keel.indexing.pipeline import bring_up_to_date, build
from keel.indexing.stored_tree import stored_tree
from keel.indexing.tree import WorkspaceTree
from keel.languages.python import language
from keel.model.kinds import EdgeKind
from keel.ports.store import GraphReader
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from keel.stores.sqlite.store import SqliteStore
from tests.edits import Author
from tests.twins import ROOTS, Twins, inline

SEEDS = range(16)
EDITS = 6

Edges = set[tuple[str, int, str, str, bool, int]]


@pytest.mark.parametrize("seed", SEEDS)
def test_base_linked_backward_is_base_as_mapped(seed: int, tmp_path: Path) -> None:
    author = Author(random.Random(seed).randrange)
    tree = author.tree()
    history = [tree]
    twins = Twins(tmp_path)
    line = _line(tmp_path, tmp_path / "graph.db")
    snapshot = str(tmp_path / "accepted.zip")
    for number in range(EDITS):
        twins.become(tree)
        mapped = _mapped(tmp_path, number, snapshot)
        tree = author.edit(tree, history)
        history.append(tree)
        twins.become(tree)
        bring_up_to_date(line)
        with line.store.reading() as reader:
            base = accepted_tree(line, reader.files(), None, snapshot)
            base = _with_manifests(base, history[-2], tree)
            assert _backward(line, reader, base) == mapped


def _mapped(folder: Path, number: int, snapshot: str) -> Edges:
    """The edges of a fresh map; the tree is accepted as well."""
    line = _line(folder, folder / f"fresh{number}.db")
    build(line)
    with line.store.reading() as reader:
        take(snapshot, line.roots, [(row.root, row.path) for row in reader.files()])
        tree, now = _now(line, reader)
        return {each for file in tree.files for each in _named(now.facts, now.out_of(file))}


def _backward(context: IndexContext, reader: GraphReader, base: Accepted) -> Edges:
    """The edges of base, as they are linked backward from now."""
    tree, now = _now(context, reader)
    before = link_accepted(context, reader, tree, language, facts_of(context, base.sources), base)
    then = BaseGraph(Facts(before.tree, before.references), before, now)
    return {each for file in before.tree.files for each in _named(then.facts, then.out_of(file))}


def _with_manifests(base: Accepted, before: dict[str, str], after: dict[str, str]) -> Accepted:
    """Snapshots hold sources only; what manifests said is added here."""
    changed = [
        path
        for path in before.keys() | after.keys()
        if path.rpartition("/")[2] in language.manifest_files and before.get(path) != after.get(path)
    ]
    held = {path: before[path].encode() if path in before else None for path in changed}
    return base._replace(
        manifest_files={(path.partition("/")[0], path.partition("/")[2]): held[path] for path in changed}
    )


def _now(context: IndexContext, reader: GraphReader) -> tuple[WorkspaceTree, CurrentGraph]:
    tree = stored_tree(context, reader, language)
    facts = Facts(tree, lambda file: reader.references(file) or b"")
    return tree, CurrentGraph(facts, reader)


def _named(facts: Facts, edges: Iterable[Edge]) -> Edges:
    """Edges by the names of their ends, which are the same in every graph."""
    found: Edges = set()
    for edge in edges:
        source, target = facts.tree.files[edge.file], facts.tree.files[edge.target.file]
        name, occurrence = facts.name(edge.target)
        place = f"{target.root}/{target.path}:{name}#{occurrence}"
        kind = EdgeKind(edge.kind).word
        found.add((f"{source.root}/{source.path}", edge.at, kind, place, edge.is_implicit, edge.confidence))
    return found


def _line(folder: Path, graph: Path) -> IndexContext:
    roots = {root: str(folder / root) for root in ROOTS}
    return IndexContext(roots, [language], SqliteStore(graph), SqliteFactsCache(folder / "cache.db"), inline)
