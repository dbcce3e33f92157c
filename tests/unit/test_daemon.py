"""The parts of the daemon, each by itself; what they do together is tested with real processes, in `e2e/daemon`."""

from __future__ import annotations

import gc
import io
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO, cast

import pytest

from keel.bootstrap import Workspace, open_workspace, opened_by
from keel.daemon import OFF, is_off, lock_of, socket_of
from keel.enforcement.session.session import Batch, Session, Sessions
from keel.enforcement.session.storage import remember
from keel.surfaces.cli import through as by_daemon
from keel.surfaces.cli.streams import complain, show, streams_of
from keel.surfaces.daemon import code, start
from keel.surfaces.daemon.batches import Batches
from keel.surfaces.daemon.open_workspaces import Elsewhere, OpenWorkspace
from keel.surfaces.daemon.protocol import CHOOSING, is_sent, pack, unpack
from keel.surfaces.daemon.question import in_place_of, question_in
from keel.surfaces.daemon.tidying import MAX_OWED, REST, Tidying
from keel.surfaces.daemon.worker import Worker
from tests.workspaces import MakeWorkspace, keel_inside

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there are no daemons elsewhere")
MINUTE = 60.0


@pytest.fixture
def here() -> Iterator[None]:
    """What a question does to this process is taken back."""
    folder, before = os.getcwd(), dict(os.environ)
    yield
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("parts", [[], [b""], [b"a", b"", b"\0" * 300], [pack([b"x", b"y"]), b"z"]])
def test_a_list_comes_back_as_it_was(parts: list[bytes]) -> None:
    assert unpack(pack(parts)) == parts


@pytest.mark.parametrize("data", [b"\xff\xff\xff\xff", b"\0\0\0\5abc"])
def test_what_was_cut_off_is_not_taken_for_a_list(data: bytes) -> None:
    with pytest.raises(ValueError, match="too early"):
        unpack(data)


@pytest.mark.usefixtures("here")
def test_a_question_is_run_where_it_was_asked_with_what_was_set_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("SECRET_OF_THE_DAEMON", "kept")
    packed = pack(
        [b"id", os.fsencode(tmp_path), b"0 80 0", pack([b"where", b"\xff"]), pack([b"KEEL_SESSION=a=b"]), b"given"]
    )
    question = question_in(packed, lambda text: None)
    assert (question.words, question.columns, question.given) == (("where", "\udcff"), (0, 80, 0), b"given")
    with in_place_of(question):
        assert os.getcwd() == str(tmp_path.resolve())
        assert os.environ["KEEL_SESSION"] == "a=b"
        assert "NO_COLOR" not in os.environ
        assert os.environ["SECRET_OF_THE_DAEMON"] == "kept"
    assert os.getcwd() == "/"


@pytest.mark.parametrize("name", CHOOSING)
def test_what_decides_who_helps_goes_with_every_question(name: str) -> None:
    assert is_sent(name)


def test_work_is_done_in_turn_and_what_fails_costs_only_itself() -> None:
    worker, done = Worker(), []
    gate = threading.Event()
    first = worker.do(gate.wait)
    background = worker.do(lambda: done.append("background"), is_background=True)
    cancelled = worker.do(lambda: done.append("cancelled"))
    failing = worker.do(lambda: 1 / 0)
    last = worker.do(lambda: done.append("asked"))
    cancelled.cancel()
    gate.set()
    assert first.result(MINUTE)
    with pytest.raises(ZeroDivisionError):
        failing.result(MINUTE)
    last.result(MINUTE)
    background.result(MINUTE)
    assert done == ["asked", "background"]
    assert worker.end(lambda: done.append("end"), MINUTE)
    assert done[-1] == "end"


def test_what_two_calls_write_at_once_stays_apart() -> None:
    outputs = {name: (io.StringIO(), io.StringIO()) for name in "ab"}
    barrier = threading.Barrier(2)

    def call(name: str) -> None:
        out, err = outputs[name]
        with streams_of((io.StringIO(), cast("TextIO", out), cast("TextIO", err))):
            for _ in range(100):
                barrier.wait(MINUTE)
                show([name])
                complain(name.upper())

    threads = [threading.Thread(target=call, args=(name,)) for name in outputs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(MINUTE)
    assert {name: (out.getvalue(), err.getvalue()) for name, (out, err) in outputs.items()} == {
        "a": ("a" * 100, "A\n" * 100),
        "b": ("b" * 100, "B\n" * 100),
    }


def test_an_expired_batch_is_told_once(tmp_path: Path) -> None:
    path, said, now = str(tmp_path / "session.json"), list[str](), [1000.0]
    batches = Batches(path, said.append, lambda: now[0])
    batches.look()
    remember(path, lambda _: (Sessions(sessions=(Session("agent", 1000.0, Batch(1000.0)),)), None))
    batches.look()
    now[0] += 59
    batches.look()
    assert said == []
    for _ in range(3):
        now[0] += 2
        batches.look()
    assert said == ["the batch of the session 'agent' ended: 60 seconds passed without a compile"]


def test_a_clock_that_jumps_neither_hides_nor_repeats_a_batch(tmp_path: Path) -> None:
    path, said = str(tmp_path / "session.json"), list[str]()
    remember(path, lambda _: (Sessions(sessions=(Session("", 1000.0, Batch(1000.0)),)), None))
    times = iter((1000.0, 900_000.0, 900_001.0, 1_000.0, 5.0, 4.0))
    batches = Batches(path, said.append, lambda: next(times))
    for _ in range(6):
        batches.look()
    assert len(said) == 2  # once for each time that it looks expired


def test_a_changed_file_of_keel_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = code.stamps()
    assert any(path.endswith("keel/errors.py") for path in before)
    assert code.is_same(before)
    changed = {**before, next(iter(before)): (0, 0, 1)}
    assert not code.is_same(changed)


def test_a_workspace_is_kept_until_what_it_was_made_from_is_another(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace({"a.py": "a = 1\n"})
    assert keel_inside(folder, "map").code == 0
    kept = OpenWorkspace(str(folder.resolve()))

    def opened() -> object:
        return cast("Any", kept.open(kept.folder, "/", lambda *_: None))._workspace

    first = opened()
    assert opened() is first
    monkeypatch.setenv("KEEL_SESSION", "other")
    assert opened() is first
    monkeypatch.setenv("KEEL_NO_TIER3", "1")
    second = opened()
    assert second is not first
    monkeypatch.setenv("PYTHONPATH", str(folder))  # ty looks for packages there
    second, before = opened(), second
    assert second is not before
    (folder / ".keel/config.toml").write_text("[daemon]\nidle_minutes = 3\n")
    third = opened()
    assert third is not second
    (folder / ".git").mkdir()
    assert opened() is not third
    with pytest.raises(Elsewhere):
        kept.open("/", "/", lambda *_: None)


def test_a_workspace_that_is_handed_out_has_a_place_of_its_own(workspace: MakeWorkspace) -> None:
    folder = workspace({"a.py": "a = 1\n", "in/b.py": ""})
    assert keel_inside(folder, "map").code == 0
    kept = OpenWorkspace(str(folder.resolve()))
    with opened_by(kept.open):
        outer, inner = open_workspace(str(folder)), open_workspace(str(folder / "in"))
    assert (outer.here, inner.here) == (str(folder.resolve()), str((folder / "in").resolve()))
    assert outer.store is inner.store


def test_a_command_that_is_done_leaves_open_what_the_next_one_needs(workspace: MakeWorkspace) -> None:
    folder = workspace({"a.py": "a = 1\n"})
    assert keel_inside(folder, "map").code == 0
    kept = OpenWorkspace(str(folder.resolve()))
    first = kept.open_for_itself()
    parts = (first.store, first.graph_cache, first.type_checkers)
    first.close()
    again = kept.open_for_itself()
    assert all(
        one is other for one, other in zip(parts, (again.store, again.graph_cache, again.type_checkers), strict=True)
    )
    kept.close()
    assert kept.open_for_itself().store is not parts[0]


def test_a_closed_workspace_has_closed_what_it_made_and_can_be_used_again(workspace: MakeWorkspace) -> None:
    closed: list[str] = []

    class Part:
        def close(self) -> None:
            closed.append("closed")

    opened = Workspace(str(workspace({})), ".", lambda *_: None)
    config = opened.config
    opened.__dict__["store"] = Part()
    opened.__dict__["helpers"] = {"python": Part()}
    opened.close()
    assert closed == ["closed", "closed"]
    assert opened.config is not config
    opened.close()
    assert len(closed) == 2


@pytest.mark.parametrize(("name", "value", "off"), [(OFF, "1", True), ("CI", "true", True), ("CI", "false", False)])
def test_the_environment_says_whether_there_is_one(
    name: str, value: str, off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OFF, raising=False)
    monkeypatch.delenv("CI", raising=False)
    assert not is_off()
    monkeypatch.setenv(name, value)
    assert is_off() is off


def test_one_is_started_where_there_is_a_graph_and_it_is_not_forbidden(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    def begin(folder: str) -> bool:
        started.append(folder)
        return True

    monkeypatch.setattr(start, "start", begin)
    monkeypatch.delenv(OFF, raising=False)
    monkeypatch.delenv("CI", raising=False)
    folder = workspace({"a.py": ""})
    (folder / ".git").mkdir()
    assert not start.start_where_wanted(str(folder))
    keel_inside(folder, "map")
    assert start.start_where_wanted(str(folder))
    settings = folder / ".keel/config.toml"
    for text in ("[daemon]\nenabled = false\n", "[daemon]\nnonsense = 1\n"):
        settings.write_text(text)
        assert not start.start_where_wanted(str(folder))
    settings.unlink()
    monkeypatch.setenv("CI", "1")
    assert not start.start_where_wanted(str(folder))
    assert started == [str(folder)]


def test_names_of_sockets_are_short_and_each_workspace_has_its_own() -> None:
    long = "/" + "folder/" * 100
    assert len(socket_of(long)) < 100
    assert len({socket_of(long), socket_of("/other"), lock_of(long), lock_of("/other")}) == 4


def test_what_a_hook_was_given_can_be_read_again_by_the_command_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def ask(words: object, given: bytes, looks: object, aside: object) -> None:
        asked.append(given)

    monkeypatch.setattr(by_daemon, "ask", ask)
    monkeypatch.setattr(by_daemon, "_columns", lambda stream: 0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"path": "\xc3\xa4"}')))
    assert by_daemon.through(["hook", "claude-code"]) is None
    assert asked == [b'{"path": "\xc3\xa4"}']
    assert sys.stdin.buffer.read() == b'{"path": "\xc3\xa4"}'


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["map"],
        ["init"],
        ["tools", "run"],
        ["--json", "where"],
        ["compile", "--output", "x"],
        ["compile", "--output=x"],
    ],
)
def test_what_is_not_for_the_daemon_is_not_asked(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_daemon, "ask", lambda *_: pytest.fail("it was asked"))
    assert by_daemon.through(words) is None


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is asked of the garbage collector, which is as it was afterwards."""
    asked: list[str] = []
    for name in ("collect", "freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, lambda name=name: asked.append(name))
    yield asked
    gc.enable()


def test_garbage_is_looked_for_when_it_has_been_idle_for_a_moment(
    monkeypatch: pytest.MonkeyPatch, collected: list[str]
) -> None:
    now = 100.0
    monkeypatch.setattr("keel.surfaces.daemon.tidying.time", SimpleNamespace(monotonic=lambda: now))
    worker = Worker()
    tidy = Tidying(worker)
    tidy.begin()
    assert not gc.isenabled()
    tidy.go_on()
    assert tidy.pause(MINUTE) == MINUTE, "nothing was answered yet"
    tidy.owe()
    tidy.go_on()
    assert 0 < tidy.pause(MINUTE) < 2 * REST
    now += 2 * REST
    tidy.go_on()
    idle(worker)
    assert collected == ["collect", "freeze"], "what is left is not looked through again"


def test_garbage_is_looked_for_although_everybody_asks(monkeypatch: pytest.MonkeyPatch, collected: list[str]) -> None:
    monkeypatch.setattr("keel.surfaces.daemon.tidying.time", SimpleNamespace(monotonic=lambda: 100.0))
    worker = Worker()
    tidy = Tidying(worker)
    for _ in range(MAX_OWED):
        tidy.go_on()
        tidy.owe()
    tidy.go_on()
    idle(worker)
    assert collected == ["collect", "freeze"]


def idle(worker: Worker) -> None:
    """Waits until it has done everything, what it put off for the first of these too; it ends."""
    for _ in range(2):
        worker.do(lambda: None).result(MINUTE)
    worker.end(lambda: None, MINUTE)
