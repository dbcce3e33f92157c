"""The pool lives through the death of any worker, and no worker lives through the parent's.

What it shares with every other runner is in `tests/contract/test_runner.py`.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from keel.ports.runner import Lost
from keel.runners import pool
from keel.runners.pool import PoolRunner
from tests.workspaces import PATIENCE

SECONDS = PATIENCE  # until a test that hangs is ended; nothing is expected to take a part of it


@pytest.fixture(autouse=True)
def _no_test_hangs() -> Iterator[None]:
    def give_up(number: int, frame: FrameType | None) -> None:
        pytest.fail(f"still running after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("deaths", [1, 2])  # in mid-chunk; and once more, alone
def test_a_worker_that_is_killed_costs_nothing(deaths: int, tmp_path: Path) -> None:
    jobs = [(tmp_path, n if n != 7 else -deaths) for n in range(40)]
    results = listed(PoolRunner(2, chunk=8).run(die_at_first, jobs))
    assert results == listed([*range(7), -deaths, *range(8, 40)])
    assert len(list(tmp_path.iterdir())) == deaths


@pytest.mark.parametrize(
    ("poison", "why"),
    [
        (-signal.SIGKILL, "killed its worker (signal 9)"),
        (-signal.SIGSEGV, "killed its worker (signal 11)"),
        (-signal.SIGABRT, "killed its worker (signal 6)"),
        (-1000, "killed its worker (exit code 3)"),
    ],
)
def test_a_poison_item_is_named_and_all_else_is_done(poison: int, why: str) -> None:
    results = listed(PoolRunner(2, chunk=5).run(swallow, [*range(11), poison, *range(11, 23)]))
    assert results == listed([*range(23), Lost(poison, why)])


@pytest.mark.parametrize(("workers", "chunk"), [(1, 50), (2, 4)])
def test_several_poison_items(workers: int, chunk: int) -> None:
    poison = {0: -9, 14: -6, 29: -9}
    items = [poison.get(n, n) for n in range(30)]
    results = listed(PoolRunner(workers, chunk).run(swallow, items))
    expected = [n if n >= 0 else Lost(n, f"killed its worker (signal {-n})") for n in items]
    assert results == listed(expected)


def test_nothing_but_poison() -> None:
    results = listed(PoolRunner(2, chunk=2).run(swallow, [-9] * 2))
    assert results == [Lost(-9, "killed its worker (signal 9)")] * 2


def test_all_workers_die_at_once_and_again() -> None:
    results = []
    for count, result in enumerate(PoolRunner(3, chunk=2).run(swallow, range(60))):
        results.append(result)
        if count in (0, 30):
            for process in multiprocessing.active_children():
                process.kill()
    assert listed(results) == listed(range(60))


def test_workers_that_end_before_they_begin_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_serve", end_at_once)
    with pytest.raises(ChildProcessError, match=r"before they begin \(exit code 3\)"):
        list(PoolRunner(2).run(swallow, range(10)))


def test_a_result_that_cannot_be_sent_costs_its_item_alone() -> None:
    results = listed(PoolRunner(1, chunk=9).run(answer_or_function, range(4)))
    assert results[:3] == [0, 1, 3]
    assert results[3].item == 2
    assert "cannot be sent (" in results[3].why


def test_a_result_that_cannot_be_read_costs_its_item_alone() -> None:
    results = listed(PoolRunner(1, chunk=9).run(answer_or_riddle, range(4)))
    assert results[:3] == [0, 1, 3]
    assert results[3].item == 2
    assert "cannot be read (ValueError" in results[3].why


def test_large_items_and_results_meet_without_a_deadlock() -> None:
    items = [bytes([n]) * 4_000_000 for n in range(12)]
    results = PoolRunner(2, chunk=1).run(bytes, items)
    assert sorted(result[0] for result in results if isinstance(result, bytes)) == [*range(12)]


def test_workers_go_only_a_little_ahead_of_the_consumer(tmp_path: Path) -> None:
    results = PoolRunner(2, chunk=3).run(mark, [(tmp_path, n) for n in range(200)])
    next(results)
    time.sleep(0.3)  # time to go wrong in; being late only makes the test milder
    begun = len(list(tmp_path.iterdir()))
    results.close()
    assert begun <= 3 * (2 * 2 + 1 + 1)  # two a worker, one in hand, one given out in its place


def test_beside_a_thread_workers_are_spawned() -> None:
    with idle_thread():
        results = listed(PoolRunner(2, chunk=2).run(signal.raise_signal, [0, 0, 9, 0, 0]))
    assert results == [Lost(9, "killed its worker (signal 9)")] + [None] * 4


def test_the_cpu_time_of_workers_is_the_parents() -> None:
    before = children_cpu()
    list(PoolRunner(2, chunk=1).run(burn, [0.1] * 4))
    assert children_cpu() - before > 0.35


def test_nothing_stays_open() -> None:
    list(PoolRunner(2, chunk=1).run(swallow, [1, -9, 2]))  # spawning opens what is kept for good
    before = os.listdir("/dev/fd")
    list(PoolRunner(2, chunk=1).run(swallow, [1, -9, 2]))
    assert os.listdir("/dev/fd") == before


@pytest.mark.parametrize("sizes", [(0, 1), (-1, 1), (1, 0)])
def test_there_is_at_least_one_of_everything(sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        PoolRunner(*sizes)


@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.parametrize(("work", "seen"), [("sleep", 2), ("spin", 2), ("flood", 1)])
def test_no_worker_outlives_a_killed_parent(work: str, seen: int, start: str, tmp_path: Path) -> None:
    with parent_process(tmp_path, work, start) as parent:
        wait_for_workers(parent, seen)
        parent.kill()
        # The end of its output comes when the last process that inherited it has gone.
        parent.communicate(timeout=SECONDS)
    assert parent.returncode == -signal.SIGKILL


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_ctrl_c_ends_all_workers_quietly(start: str, tmp_path: Path) -> None:
    with parent_process(tmp_path, "sleep", start) as parent:
        wait_for_workers(parent, 2)
        os.killpg(parent.pid, signal.SIGINT)  # as a terminal does: parent and workers
        out, err = parent.communicate(timeout=SECONDS)
    assert (out, err, parent.returncode) == (b"workers left: 0\n", b"", 0)


PARENT = """
import multiprocessing, os, sys, threading, time
from keel.runners.pool import PoolRunner

def sleep(item):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(600)

def spin(item):
    os.write(1, b"%d\\n" % os.getpid())
    while True:
        pass

def flood(item):
    os.write(1, b"%d\\n" % os.getpid())
    return bytes(10_000_000)

if __name__ == "__main__":
    work, start = sys.argv[1:]
    if start == "spawn":
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    try:
        for result in PoolRunner(2, chunk=1).run(globals()[work], range(20)):
            time.sleep(600)
    except KeyboardInterrupt:
        os.write(1, b"workers left: %d\\n" % len(multiprocessing.active_children()))
"""


@contextmanager
def parent_process(folder: Path, work: str, start: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs a pool, whose workers say their pids when they begin."""
    script = folder / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, str(script), work, start],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield parent
    finally:
        with suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
        parent.communicate()


def wait_for_workers(parent: subprocess.Popen[bytes], count: int) -> None:
    pids: set[bytes] = set()
    while len(pids) < count:
        assert parent.stdout is not None
        pids.add(parent.stdout.readline())
    assert b"" not in pids, "the parent ended too early"


@contextmanager
def idle_thread() -> Iterator[None]:
    enough = threading.Event()
    threading.Thread(target=enough.wait, daemon=True).start()
    try:
        yield
    finally:
        enough.set()


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def listed(results: Iterable[Any]) -> list[Any]:
    """All results, in an order of their own."""
    return sorted(results, key=str)


def die_at_first(job: tuple[Path, int]) -> int:
    """The number itself; a negative one only after as many deaths, each of which leaves a file."""
    folder, n = job
    if n < 0 and len(list(folder.iterdir())) < -n:
        (folder / str(os.getpid())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def swallow(n: int) -> int:
    """The number itself; a negative one kills the process that works on it."""
    if n < 0:  # without a core file, and without pytest telling where
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        faulthandler.disable()
    if n == -1000:
        os._exit(3)
    if n == -signal.SIGABRT:
        os.abort()
    if n < 0:
        os.kill(os.getpid(), -n)
    return n


def end_at_once(pipe: object, work: object) -> None:
    os._exit(3)


def answer_or_function(n: int) -> int | Callable[[], int]:
    return (lambda: n) if n == 2 else n


class Riddle:
    """Can be sent, and not be read."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("what is it?",)


def answer_or_riddle(n: int) -> int | Riddle:
    return Riddle() if n == 2 else n


def mark(job: tuple[Path, int]) -> None:
    folder, n = job
    (folder / str(n)).touch()


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
