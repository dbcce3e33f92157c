"""Calls without a wire: the first map in the background, work that no client waits for, and faults."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.errors import GraphUnfinished, StoreFull, UsageError
from keel.operations import describe, sync
from keel.surfaces.cli.log import note
from keel.surfaces.cli.own import mcp
from keel.surfaces.mcp import calls, mapping
from keel.surfaces.mcp.calls import Asking, Call, Cancelled, in_words_of
from keel.surfaces.mcp.catalogue import tools
from tests.e2e.shop import FILES
from tests.workspaces import MakeWorkspace

TOOLS = tools(every=True)


@pytest.fixture
def opened(workspace: MakeWorkspace) -> Workspace:
    """A workspace that was never mapped."""
    return open_workspace(str(workspace(FILES)))


def test_the_first_map_is_made_while_the_question_waits(opened: Workspace) -> None:
    mapping.FirstMap(opened.folder).await_graph(opened)
    assert opened.store.exists()


def test_a_map_that_takes_long_is_an_answer_that_says_how_far_it_is(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, begun = threading.Event(), threading.Event()
    run = sync.run

    def slow(workspace: Workspace, params: sync.Params) -> sync.Result:
        workspace.progress("reading", 3, 40)
        begun.set()
        assert go_on.wait(30)
        return run(workspace, params)

    monkeypatch.setattr(sync, "run", slow)
    first = mapping.FirstMap(opened.folder, patience=0)
    with pytest.raises(GraphUnfinished):
        first.await_graph(opened)
    assert begun.wait(30)
    with pytest.raises(GraphUnfinished, match="reading 3 of 40"):
        first.await_graph(opened)
    go_on.set()
    first.patience = 30
    first.await_graph(opened)
    assert opened.store.exists()


def test_once_there_is_a_graph_the_daemon_is_asked_to_keep_it_fresh(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr(calls, "start_where_wanted", started.append)
    asking = Asking(opened.folder, opened.folder, note)
    where = TOOLS["where"]
    for _ in range(2):
        assert not asking.answer(where, {"symbol": "Cart"}, Call()).is_error
    assert started == [opened.folder]


def test_a_map_that_fails_is_told_and_begun_anew(opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(workspace: Workspace, params: sync.Params) -> sync.Result:
        raise StoreFull("graph.db", "the disk is full")

    first = mapping.FirstMap(opened.folder)
    with monkeypatch.context() as patch:
        patch.setattr(sync, "run", fails)
        with pytest.raises(StoreFull):
            first.await_graph(opened)
    first.await_graph(opened)
    assert opened.store.exists()


def test_work_that_no_client_waits_for_ends_where_it_tells_how_far_it_is(opened: Workspace) -> None:
    call = Call()
    call.progress("linking", 1, 2)
    assert call.stage == ("linking", 1, 2)
    call.is_cancelled.set()
    with pytest.raises(Cancelled):
        sync.run(open_workspace(opened.folder, progress=call.progress), sync.Params())
    assert not opened.store.exists()


def test_a_fault_of_keel_is_an_answer_and_its_details_are_in_the_log(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: Any) -> None:
        raise ZeroDivisionError("oh")

    sync.run(opened, sync.Params())
    monkeypatch.setattr(describe, "run", breaks)
    answer = Asking(opened.folder, None, note).answer(TOOLS["describe"], {"symbol": "Cart"}, Call())
    assert answer.is_error
    assert answer.content["failure"]["code"] == "Fault"
    assert "Traceback" not in answer.text
    assert "ZeroDivisionError" in Path(opened.own_path("log")).read_text(encoding="utf-8")


def test_an_answer_that_takes_too_long_says_so(opened: Workspace) -> None:
    call = Call()
    call.progress("linking", 1, 2)
    answer = Asking(opened.folder, None, note).unfinished(TOOLS["compile"], call, 30)
    assert answer.content["failure"]["code"] == "AnswerUnfinished"
    assert "linking 1 of 2" in answer.text


def test_options_become_the_names_of_parameters() -> None:
    text = "--max-lines shows more; raise --max-tokens; git log --since x; a--max-lines"
    said = in_words_of(TOOLS["describe"], text)
    assert said == "max_lines shows more; raise max_tokens; git log --since x; a--max-lines"


def test_without_the_sdk_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install --force-reinstall keel-graph"):
        mcp.run(mcp.Params())


def test_what_a_call_started_ends_with_it(opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[object] = []
    asking = Asking(opened.folder, None, note)
    monkeypatch.setattr(Workspace, "close", lambda workspace: closed.append(workspace))
    assert not asking.answer(TOOLS["where"], {"symbol": "Cart"}, Call()).is_error
    assert asking.answer(TOOLS["where"], {"symbol": "nobody"}, Call()).is_error
    assert len(closed) == 2
