"""The memory of sessions: what it outlives, and that it never costs an answer."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from keel.bootstrap import open_workspace
from keel.enforcement.session import storage
from keel.enforcement.session.session import MAX_SESSIONS, Attempts, Batch, Session, Sessions, chosen, with_session
from tests.compiled import WIDER, Shop


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A shop whose callers are broken."""
    shop = Shop(tmp_path / "shop", monkeypatch)
    shop.edit(shop=WIDER)
    return shop


def troubles(shop: Shop) -> list[str]:
    """What is said about the memory, beside the finding that there is in any case."""
    result = shop.compile()
    assert [each.code for each in result.errors] == ["E005"]
    return [each.message for each in result.warnings if each.code == "W102"]


def nothing(path: Path) -> None:
    path.write_text("")


def half(path: Path) -> None:
    path.write_text('{"version":1,"sessions":[{"na')


def other_json(path: Path) -> None:
    path.write_text("[1, 2]")


def other_fields(path: Path) -> None:
    path.write_text('{"version": 1, "sessions": [{"attempts": {"E001 x": "three"}}]}')


def bytes_that_are_no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00" * 99)


def nested(path: Path) -> None:
    path.write_text("[" * 100_000)


def newer(path: Path) -> None:
    path.write_text('{"version": 99, "sessions": []}')


def a_folder(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_link(path: Path) -> None:
    path.symlink_to(path.parent / "config.toml")


@pytest.mark.parametrize(
    "damage",
    [
        *(nothing, half, other_json, other_fields, bytes_that_are_no_text),
        *(nested, newer, a_folder, a_pipe, a_link),
    ],
)
def test_what_cannot_be_used_is_set_aside_with_one_warning(shop: Shop, damage: Callable[[Path], None]) -> None:
    damage(shop.memory)
    [trouble] = troubles(shop)
    assert trouble.startswith("What the session remembers cannot be used (")
    assert trouble.endswith("it is now session.json.damaged, and a new session begins.")
    assert troubles(shop) == []
    assert stat.S_ISREG(shop.memory.lstat().st_mode)


def test_what_cannot_be_written_is_forgotten_with_one_warning(shop: Shop) -> None:
    shop.memory.with_name("session.json.part").mkdir()
    for _ in range(4):
        assert troubles(shop) == ["What the session remembers cannot be kept: Is a directory."]
    assert not shop.memory.exists()


def test_without_a_lock_nothing_is_written_but_what_is_known_is_used(shop: Shop) -> None:
    for _ in range(2):
        shop.compile()
    before = shop.memory.read_bytes()
    shop.memory.with_name("session.json.lock").unlink()
    shop.memory.with_name("session.json.lock").mkdir()
    result = shop.compile()
    assert [each.code for each in result.warnings] == ["E005", "W102"], "it is the third attempt"
    assert shop.memory.read_bytes() == before


def test_a_clean_run_without_a_memory_makes_none(shop: Shop) -> None:
    shop.fix(callers=3)
    assert shop.codes() == []
    assert not list(shop.memory.parent.glob("session*"))


def test_deinit_takes_everything_away_that_is_put_beside_it(shop: Shop) -> None:
    half(shop.memory)
    shop.compile()
    beside = {str(path) for path in shop.memory.parent.glob("session*")}
    assert len(beside) == 3
    assert beside <= {*open_workspace(str(shop.folder), str(shop.folder)).footprint.others}


def test_processes_that_meet_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "session.json")

    def add(number: int) -> str:
        def change(sessions: Sessions) -> tuple[Sessions, None]:
            session, others = chosen(sessions, "one", 1.0)
            attempts = {**session.attempts, f"E001 {number}": Attempts(1, 0)}
            return with_session(Session("one", 1.0, None, attempts), others, 1.0), None

        return storage.remember(path, change)[1]

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(add, range(100))) == {""}
    [session] = json.loads(Path(path).read_bytes())["sessions"]
    assert len(session["attempts"]) == 100


def test_what_a_killed_process_leaves_is_no_hindrance(shop: Shop) -> None:
    shop.compile()
    shop.memory.with_name("session.json.part").write_text('{"half')
    assert "keel discover" in shop.only().escalation
    assert not shop.memory.with_name("session.json.part").exists()


def test_only_the_latest_sessions_are_kept() -> None:
    sessions = Sessions()
    for number in range(MAX_SESSIONS + 5):
        session, others = chosen(sessions, f"number {number}", number)
        sessions = with_session(Session(session.name, 0.0, Batch(0.0)), others, number)
    assert [each.name for each in sessions.sessions] == [f"number {number}" for number in range(5, MAX_SESSIONS + 5)]


def test_a_run_without_a_name_goes_on_with_the_latest_session() -> None:
    one, two = Session("one", 10.0, Batch(10.0)), Session("two", 20.0, Batch(20.0))
    session, others = chosen(Sessions(sessions=(one, two)), "", 30.0)
    assert (session, others.sessions) == (two, (one,))


def test_a_clock_a_moment_behind_that_of_another_process_is_no_new_session() -> None:
    one = Session("", 10.5, Batch(10.5))
    assert chosen(Sessions(sessions=(one,)), "", 10.0)[0] == one


def test_a_name_that_is_no_text_is_a_name_all_the_same(shop: Shop) -> None:
    odd = os.fsdecode(b"\xff")
    for severity in ("ERROR", "ERROR", "WARNING"):
        assert shop.only(session=odd).severity == severity
