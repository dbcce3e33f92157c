"""The circuit breaker: what counts as a failed attempt, what is told then, and what is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiled import APP, UNTYPED, WIDER, Shop
from tests.workspaces import write_files

DISCOVER = (
    "Run `keel discover {hash} --depth 2` to inspect the wider dependency chain."
    " The issue may be upstream of the direct callers."
)
EXPLAIN = (
    "Run `keel explain E005 {hash}` to inspect the resolution chain."
    " Add findings as a code comment so the next session can resolve with full context."
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A shop whose three callers are broken."""
    shop = Shop(tmp_path / "shop", monkeypatch)
    shop.edit(shop=WIDER)
    return shop


def configure(shop: Shop, text: str) -> None:
    write_files(shop.folder, {".keel/config.toml": f"[circuit_breaker]\n{text}\n"})


def test_the_first_failure_is_told_with_the_hint_alone(shop: Shop) -> None:
    first = shop.only()
    assert (first.severity, first.escalation) == ("ERROR", "")
    assert first.fix_hint.startswith("Update 3 callers of 'charge'")
    assert "keel discover" not in first.fix_hint


def test_the_second_failure_is_told_to_look_wider(shop: Shop) -> None:
    first, second = shop.only(), shop.only()
    assert second.severity == "ERROR"
    assert second.fix_hint == f"{first.fix_hint}. {DISCOVER.format(hash=second.hash)}"


def test_the_third_failure_and_all_after_it_are_warnings(shop: Shop) -> None:
    first, _, third, fourth = shop.only(), shop.only(), shop.only(), shop.only()
    assert (third.severity, fourth.severity) == ("WARNING", "WARNING")
    assert third.fix_hint == f"{first.fix_hint}. {EXPLAIN.format(hash=third.hash)}"
    assert shop.compile().exit_code == 0


def test_attempts_that_change_the_hash_count_all_the_same(shop: Shop) -> None:
    hashes = set()
    for attempt in range(3):
        shop.edit(shop=WIDER.replace("return order", f"return order + {attempt}"))
        hashes.add(shop.only().hash)
    assert len(hashes) == 3
    assert shop.only().severity == "WARNING"


def test_fixing_it_starts_again(shop: Shop) -> None:
    assert shop.codes() == shop.codes() == ["E005"]
    shop.fix(callers=3)
    assert shop.codes() == []
    assert not shop.memory.exists(), "there is nothing to remember"
    shop.fix(callers=0)
    assert shop.only().escalation == ""


def test_fewer_affected_places_are_progress_and_do_not_count(shop: Shop) -> None:
    for callers in range(3):
        shop.fix(callers)
        assert shop.only().escalation == "", "each run is better than the one before"
    assert "keel discover" in shop.only().escalation


def test_a_run_about_other_files_is_no_attempt(shop: Shop) -> None:
    assert shop.codes("shop.py") == ["E005"]
    shop.edit(other=UNTYPED)
    for _ in range(3):
        assert shop.codes("other.py")[0].upper() == "E002"
    assert "keel discover" in shop.only("shop.py").escalation, "it is the second attempt at this one"


def test_a_new_session_enforces_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        shop.compile(session="one")
    assert shop.codes(session="one") == ["e005"]
    assert shop.codes(session="two") == ["E005"]
    monkeypatch.setenv("KEEL_SESSION", "three")
    assert shop.codes() == ["E005"]
    assert shop.codes(session="one") == ["e005"], "a session that is named can be gone back to"


def test_without_a_name_the_session_lasts_until_it_was_idle_for_two_hours(shop: Shop) -> None:
    for _ in range(3):
        shop.compile()
        shop.now += 2 * 60 * 60 - 1
    assert shop.codes() == ["e005"]
    shop.now += 2 * 60 * 60 + 1
    assert shop.codes() == ["E005"]


def test_a_commit_is_not_let_through_by_what_was_downgraded(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        shop.compile(session="agent")
    for _ in range(4):
        assert shop.codes(session="git") == shop.codes(session="ci") == ["E005"]
    monkeypatch.setenv("KEEL_SESSION", "agent")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert shop.codes() == ["E005"], "git runs a hook"


def test_max_retries_says_when(shop: Shop) -> None:
    configure(shop, "max_retries = 4")
    found = [shop.only() for _ in range(4)]
    assert [each.severity for each in found] == ["ERROR", "ERROR", "ERROR", "WARNING"]
    assert ["discover" in each.escalation for each in found] == [False, True, True, False]


def test_with_auto_downgrade_off_it_stays_an_error(shop: Shop) -> None:
    configure(shop, "auto_downgrade = false")
    last = [shop.only() for _ in range(5)][-1]
    assert last.severity == "ERROR"
    assert last.escalation == EXPLAIN.format(hash=last.hash)


def test_each_code_of_each_definition_is_counted_by_itself(shop: Shop) -> None:
    shop.compile()
    shop.compile()
    shop.edit(other=UNTYPED)
    found = {each.code: each for each in shop.compile().errors + shop.compile().warnings}
    assert (found["E002"].severity, found["E005"].severity) == ("ERROR", "WARNING")


def test_two_definitions_of_one_name_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Shop(tmp_path / "shop", monkeypatch)
    shop.edit(other=f"import sys\n\nif sys.argv:\n{indented(UNTYPED)}else:\n{indented(UNTYPED)}")
    assert shop.codes() == ["E002", "E002"]
    assert [each.escalation[:17] for each in shop.compile().errors] == ["Run `keel discove"] * 2


def test_existing_code_that_is_not_judged_is_neither_fixed_nor_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = '[enforcement]\ntype_hints_existing = "error"\n'
    shop = Shop(tmp_path / "shop", monkeypatch, {"old.py": UNTYPED, "app.py": "", ".keel/config.toml": strict})
    assert shop.codes("old.py") == ["E002"]
    assert shop.codes("app.py") == []
    assert "keel discover" in shop.only("old.py").escalation


def test_what_is_suppressed_is_not_counted(shop: Shop) -> None:
    for _ in range(3):
        shop.compile()
    assert shop.codes(suppress=("E005",)) == []
    assert shop.codes() == ["E005"], "it was not there in the run before"


def test_reverting_is_success(shop: Shop) -> None:
    shop.edit(shop=WIDER, other=UNTYPED)
    shop.compile()
    shop.compile()
    shop.edit(shop=Path(shop.folder, "shop.py").read_text().replace(", amount: int", ""), other='"""Nothing."""\n')
    assert shop.codes("app.py") == []
    assert not shop.memory.exists()
    assert Path(shop.folder, "app.py").read_text() == APP


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())
