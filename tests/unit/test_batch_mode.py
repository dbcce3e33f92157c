"""Batch mode: what is deferred, when it is told, and that nothing is lost or counted meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from keel.errors import UsageError
from keel.operations.compile import Result
from tests.compiled import UNTYPED, WIDER, Shop


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A shop as it was accepted."""
    return Shop(tmp_path / "shop", monkeypatch)


def remarks(result: Result) -> list[str]:
    """What is said beside the findings."""
    return [each.message for each in result.info.findings if each.code == "I002"] if result.info is not None else []


def test_checks_of_quality_wait_for_the_end(shop: Shop) -> None:
    assert shop.codes(batch_start=True) == []
    shop.edit(other=UNTYPED)
    during = shop.compile("other.py", verbose=True)
    assert (during.status, during.info and during.info.deferred) == ("ok", 1)
    assert shop.codes(batch_end=True) == ["E002"]
    assert shop.codes("other.py") == ["E002"], "the batch is over"


def test_what_breaks_callers_is_told_at_once(shop: Shop) -> None:
    shop.compile(batch_start=True)
    shop.edit(shop=WIDER, other=UNTYPED)
    assert shop.codes() == ["E005"]
    assert sorted(shop.codes(batch_end=True)) == ["E002", "E005"]


def test_the_end_looks_at_the_files_as_they_are_then(shop: Shop) -> None:
    shop.compile(batch_start=True)
    shop.edit(other=UNTYPED)
    shop.compile("other.py")
    shop.edit(other=UNTYPED.replace("(a)", "(a: int) -> int"))
    assert shop.codes(batch_end=True) == []


def test_a_file_that_is_gone_by_then_is_not_asked_for(shop: Shop) -> None:
    shop.compile(batch_start=True)
    shop.edit(brief=UNTYPED, other=UNTYPED)
    shop.compile("brief.py")
    shop.compile("other.py")
    (shop.folder / "brief.py").unlink()
    ended = shop.compile(batch_end=True)
    assert [each.file for each in ended.errors] == ["other.py"]
    assert ended.files_analyzed == ("other.py",)
    shop.edit(brief=UNTYPED)
    shop.compile("brief.py", batch_start=True)
    (shop.folder / "brief.py").unlink()
    assert shop.compile(batch_end=True).files_analyzed == ()


def test_the_end_is_about_the_files_of_the_batch_and_counts_the_rest(shop: Shop) -> None:
    shop.edit(elsewhere=UNTYPED)
    shop.compile(batch_start=True)
    shop.edit(other=UNTYPED)
    shop.compile("other.py")
    ended = shop.compile(batch_end=True)
    assert [each.file for each in ended.errors] == ["other.py"]
    assert ended.info is not None
    assert ended.info.elsewhere == 1


def test_it_is_over_60_seconds_after_the_last_compile(shop: Shop) -> None:
    shop.compile(batch_start=True)
    shop.edit(other=UNTYPED)
    for _ in range(3):
        shop.now += 59
        assert shop.codes("other.py") == []
    shop.now += 61
    late = shop.compile("app.py")
    assert [each.code for each in late.errors] == ["E002"], "the deferred check is made by whoever comes next"
    assert remarks(late) == ["The batch ended: 60 seconds passed without a compile. Its deferred checks are made now."]
    assert remarks(shop.compile("app.py", verbose=True)) == []


def test_an_end_that_comes_late_tells_the_same(shop: Shop) -> None:
    shop.compile("other.py", batch_start=True)
    shop.edit(other=UNTYPED)
    shop.now += 3600
    assert shop.codes(batch_end=True) == ["E002"]


def test_one_that_was_over_and_is_started_again_loses_nothing(shop: Shop) -> None:
    shop.edit(other=UNTYPED)
    shop.compile("other.py", batch_start=True)
    shop.now += 3600
    assert shop.codes("app.py", batch_start=True) == []
    assert shop.codes(batch_end=True) == ["E002"]


def test_the_counters_of_the_breaker_do_not_move(shop: Shop) -> None:
    shop.edit(shop=WIDER)
    shop.compile()
    shop.compile(batch_start=True)
    for _ in range(3):
        assert shop.only().escalation == ""
    assert shop.only(batch_end=True).escalation == ""
    assert "keel discover" in shop.only().escalation, "it is the second attempt"


def test_what_the_end_or_the_expiry_tells_is_no_attempt(shop: Shop) -> None:
    shop.edit(other=UNTYPED)
    shop.compile("other.py", batch_start=True)
    assert shop.only(batch_end=True).escalation == ""
    shop.compile("other.py", batch_start=True)
    shop.now += 61
    assert shop.only("app.py").escalation == ""
    assert shop.only("other.py").escalation == "", "it is the first attempt"


def test_an_end_without_a_start_is_a_compile_and_says_so(shop: Shop) -> None:
    shop.edit(other=UNTYPED)
    ended = shop.compile(batch_end=True)
    assert [each.code for each in ended.errors] == ["E002"]
    assert remarks(ended) == ["No batch was open."]


def test_a_batch_belongs_to_its_session(shop: Shop) -> None:
    shop.edit(other=UNTYPED)
    shop.compile(batch_start=True, session="one")
    assert shop.codes("other.py", session="two") == ["E002"]
    assert shop.codes("other.py", session="one") == []


def test_a_batch_that_was_opened_without_a_name_is_that_of_the_first_session_that_has_one(shop: Shop) -> None:
    shop.compile(batch_start=True)
    shop.edit(other=UNTYPED)
    assert shop.codes("other.py", session="the hook's") == []
    assert shop.codes(batch_end=True) == ["E002"]
    assert shop.codes("other.py", session="the hook's") == ["E002"]


def test_starting_and_ending_at_once_is_refused(shop: Shop) -> None:
    with pytest.raises(UsageError, match="cannot be used together"):
        shop.compile(batch_start=True, batch_end=True)
    with pytest.raises(UsageError, match="remembers nothing"):
        shop.compile(batch_start=True, session="git")


def test_placement_and_duplicates_wait_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def function(name: str, body: str) -> str:
        return f'def {name}(parcel: str) -> int:\n    """Does it."""\n    return {body}\n\n\n'

    rates = "".join(function(f"rate_{n}", f"len(str(parcel).strip()) * {n}") for n in range(5))
    cart = "".join(function(f"cart_{n}", str(n)) for n in range(5))
    use = function("shipping_rate", "rate_1(parcel) + rate_2(parcel) + rate_3(parcel)")
    shop = Shop(tmp_path / "shop", monkeypatch, {"shipping/rates.py": rates, "checkout/cart.py": cart})
    shop.compile(batch_start=True)
    copy = function("rate_4", "len(str(parcel).strip()) * 4")
    imports = "from shipping.rates import rate_1, rate_2, rate_3\n\n\n"
    shop.edit(**{"checkout/cart": imports + cart + use + copy})
    during = shop.compile("checkout/cart.py", verbose=True)
    assert (during.status, during.info and during.info.deferred) == ("ok", 2)
    assert sorted(shop.codes(batch_end=True)) == ["w001", "w002"]
