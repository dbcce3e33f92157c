"""The write line as a recipe: what a build from nothing does about the graph that is there.

That a sync gives the same graph as a build is proven by `tests/property`.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.errors import StoreNewer
from keel.indexing.pipeline import REVISION, build
from keel.querying.current_graph import index_context
from tests.workspaces import MakeWorkspace


@pytest.fixture
def mapped(workspace: MakeWorkspace) -> Workspace:
    opened = open_workspace(str(workspace({"a.py": "def f(): pass\n"}, "one")))
    opened.prepare()
    build(index_context(opened))
    return opened


def test_a_reader_keeps_the_old_graph_while_a_fresh_one_is_built(mapped: Workspace) -> None:
    Path(mapped.folder, "a.py").write_text("def g(): pass\n", encoding="utf-8")
    with mapped.store.reading() as before:
        build(index_context(mapped), fresh=True)
        assert before.with_name("f")
    with mapped.store.reading() as after:
        assert not after.with_name("f")
        assert after.with_name("g")


def test_a_fresh_graph_counts_as_another_writing(mapped: Workspace) -> None:
    """A process that looked before and writes after must see that the graph is not the one of the look."""
    with mapped.store.reading() as reader:
        before = reader.note(REVISION)
    build(index_context(mapped), fresh=True)
    with mapped.store.reading() as reader:
        assert reader.note(REVISION) != before


def test_a_usable_graph_is_never_taken_away(mapped: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking it away needs no lock, so a map that runs meanwhile would write into nothing."""
    monkeypatch.setattr(type(mapped.store), "discard", lambda _: pytest.fail("the graph was taken away"))
    assert build(index_context(mapped), fresh=True).files == 1


def test_a_newer_graph_is_taken_away_only_when_asked(mapped: Workspace) -> None:
    connection = sqlite3.connect(Path(mapped.folder, ".keel/graph.db"))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreNewer):
        build(index_context(mapped))
    assert build(index_context(mapped), fresh=True).files == 1
