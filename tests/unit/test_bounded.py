"""Bounded answers: pages say what they leave out, old answers that they are old, empty ones what that means."""

from __future__ import annotations

import pytest

from keel.bootstrap import open_workspace
from keel.errors import StoreBusy
from keel.model.rows import UNREADABLE
from keel.operations import map as map_operation
from keel.querying import current_graph
from keel.querying.bounds import AsOf, Listing, Page, absence_of, freshest_graph, listing_fields, page_of
from keel.querying.single_file import LAST_SYNC
from tests.graphs import a_file, fill
from tests.memory_store import MemoryStore
from tests.workspaces import MakeWorkspace


def a_listing(page: Page, total: int) -> Listing:
    shown = page_of(range(total), page)
    return Listing(**listing_fields(page, len(shown), total, AsOf()))


@pytest.mark.parametrize(
    ("offset", "said"),
    [
        (0, "not shown: 7 of 10; --offset 3 shows more"),
        (3, "not shown: 7 of 10; --offset 6 shows more"),
        (9, "not shown: 9 of 10; --offset 0 shows them"),
        (50, "not shown: 10 of 10; --offset 0 shows them"),
    ],
)
def test_a_page_says_what_it_leaves_out(offset: int, said: str) -> None:
    assert a_listing(Page(limit=3, offset=offset), 10).unshown == said


def test_a_page_that_holds_everything_says_nothing() -> None:
    whole = a_listing(Page(), 10)
    assert (whole.left_out, whole.unshown, whole.freshness, whole.nothing) == (0, "", "", "")


def test_an_old_answer_says_so_and_what_freshens_it() -> None:
    old = Listing(**listing_fields(Page(), 1, 1, AsOf(LAST_SYNC, "the graph is being written")))
    assert old.freshness == "as of the last sync (the graph is being written); `keel sync` brings the graph up to date"


def test_nothing_is_a_proven_absence_a_near_miss_or_a_stale_graph() -> None:
    store = MemoryStore()
    with store.writing() as writer:
        fill(writer)
    with store.reading() as reader:
        proven = absence_of(reader, "callers of f", AsOf())
        near = absence_of(reader, "callers of f", AsOf(), nearest=["g"])
        stale = absence_of(reader, "callers of f", AsOf(LAST_SYNC))
    assert (proven.kind, proven.words) == ("proven", "callers of f: nothing in all 2 files, as of now")
    assert (near.kind, near.words) == ("near_miss", "callers of f: nothing; did you mean g?")
    assert (stale.kind, stale.words) == ("stale", "callers of f: nothing as of the last sync; run `keel sync`")


def test_nothing_is_not_proven_where_files_could_not_be_read() -> None:
    store = MemoryStore()
    update = a_file(1, "f")
    with store.writing() as writer:
        writer.put([update._replace(row=update.row._replace(state=UNREADABLE))])
    with store.reading() as reader:
        absence = absence_of(reader, "callers of f", AsOf())
    assert (absence.kind, absence.words) == ("near_miss", "callers of f: nothing; 1 file could not be read")


def test_a_graph_that_cannot_be_written_answers_as_of_the_last_sync(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_workspace(str(workspace({"a.py": "def f(): ...\n"})))
    map_operation.run(opened, map_operation.Params())

    def busy(*_: object) -> None:
        raise StoreBusy("graph.db", "waited 30 s")

    monkeypatch.setattr(current_graph, "bring_up_to_date", busy)
    with freshest_graph(opened) as (reader, as_of):
        assert [node.name for node in reader.with_name("f")] == ["f"]
    assert as_of == AsOf(LAST_SYNC, "graph.db is being written by another keel (waited 30 s)")
