"""What every runner promises: each item once, nothing lost in silence, nothing left behind.

How the pool lives through the death of its workers is in `tests/unit/test_pool.py`.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from keel.ports.runner import Lost, Runner
from keel.runners.inline import InlineRunner
from keel.runners.pool import PoolRunner

RUNNERS: dict[str, Runner] = {"inline": InlineRunner(), "pool": PoolRunner(2, chunk=3)}


@pytest.fixture(params=RUNNERS)
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    yield RUNNERS[request.param]
    assert multiprocessing.active_children() == []


def test_each_item_gives_its_result_once(runner: Runner) -> None:
    assert sorted(whole(runner.run(square, range(50)))) == [n * n for n in range(50)]


def test_equal_items_are_items_each(runner: Runner) -> None:
    assert list(runner.run(square, [7] * 9)) == [49] * 9


def test_nothing_to_do(runner: Runner) -> None:
    assert list(runner.run(square, [])) == []


def test_an_exception_costs_its_item_alone(runner: Runner) -> None:
    results = list(runner.run(refuse_odd, range(10)))
    lost = [result for result in results if isinstance(result, Lost)]
    assert sorted(lost, key=lambda one: one.item) == [Lost(n, f"ValueError: {n} is odd") for n in range(1, 10, 2)]
    assert sorted(r for r in results if not isinstance(r, Lost)) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (KeyError(), "KeyError"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (SystemExit(3), "SystemExit: 3"),
        (BaseException("a panic"), "BaseException: a panic"),
    ],
)
def test_whatever_is_raised_is_told(runner: Runner, error: BaseException, why: str) -> None:
    [lost] = runner.run(throw, [error])
    assert isinstance(lost, Lost)
    assert lost.why == why


def test_large_items_and_large_results(runner: Runner) -> None:
    items = [bytes([n]) * 1_000_000 for n in range(16)]
    assert sorted(whole(runner.run(echo, items))) == items


def test_nothing_starts_before_a_result_is_asked_for(runner: Runner, tmp_path: Path) -> None:
    results = runner.run(touch, [tmp_path / "begun"])
    assert multiprocessing.active_children() == []
    results.close()
    assert not (tmp_path / "begun").exists()


def test_closing_early_ends_all_that_was_started(runner: Runner) -> None:
    results = runner.run(square, range(1000))
    assert isinstance(next(results), int)
    results.close()
    assert multiprocessing.active_children() == []
    assert list(results) == []


def test_a_consumer_that_fails_leaves_nothing_running(runner: Runner) -> None:
    with pytest.raises(KeyboardInterrupt):
        consume_and_fail(runner.run(square, range(1000)))
    assert multiprocessing.active_children() == []


def test_two_runs_side_by_side(runner: Runner) -> None:
    pairs = zip(runner.run(square, range(20)), runner.run(square, range(20)), strict=True)
    ours, theirs = zip(*pairs, strict=True)
    assert sorted(ours) == sorted(theirs) == [n * n for n in range(20)]


def whole(results: Iterable[Any]) -> list[Any]:
    """The results, none of which is lost."""
    kept = list(results)
    assert [result for result in kept if isinstance(result, Lost)] == []
    return kept


def consume_and_fail(results: Iterable[object]) -> None:
    for _ in results:
        raise KeyboardInterrupt


def square(n: int) -> int:
    return n * n


def refuse_odd(n: int) -> int:
    if n % 2:
        raise ValueError(f"{n} is odd")
    return n


def throw(error: BaseException) -> None:
    raise error


def echo(data: bytes) -> bytes:
    return data


def touch(path: Path) -> None:
    path.touch()
