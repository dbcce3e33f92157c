"""What a command costs: CPU-seconds of itself and its children, wall time, memory.

Which commands are run, and what their cost is held against, is left to `house` and `peer`.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Timer
from typing import IO, NamedTuple

from benchmarks import processes

SOURCE = Path(__file__).resolve().parents[1] / "src"
NO_TY = "KEEL_NO_TY"
NO_DAEMON = "KEEL_NO_DAEMON"
SAMPLE_SECONDS = 0.02
LIMIT_SECONDS = 900.0


class Spent(NamedTuple):
    """What one run of a command cost, in seconds. CPU is user and system, children it waited for included."""

    cpu: float
    wall: float


class Failed(Exception):
    """A command ended otherwise than it should; the message has its last words."""


def environment(**more: str) -> dict[str, str]:
    """The environment every command gets: keel from this checkout, no user's settings of Python and git.

    keel works alone in it; who measures it together with ty, or with a daemon, takes `NO_TY` or `NO_DAEMON` out.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_"))}
    own = {"PYTHONPATH": str(SOURCE), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    own[NO_TY] = own[NO_DAEMON] = "1"
    return kept | own | more


def run(
    command: Sequence[str],
    cwd: Path,
    env: Mapping[str, str] | None = None,
    accept: Collection[int] = (0,),
    limit: float = LIMIT_SECONDS,
) -> Spent:
    """Runs a command to its end and says what it cost."""
    with started(command, cwd, env) as (child, words):
        start = time.perf_counter()
        timer = Timer(limit, processes.end, (child.pid,))
        timer.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        finally:
            timer.cancel()
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        _check(command, child.returncode, accept, words)
    return Spent(usage.ru_utime + usage.ru_stime, wall)


def peak_memory(
    command: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None, limit: float = LIMIT_SECONDS
) -> int:
    """Runs a command and gives the most memory its processes had together at any sample, in bytes (sum of PSS).

    Sampling takes time of its own: what a command costs is measured in another run.
    """
    most = 0
    with started(command, cwd, env) as (child, words):
        deadline = time.monotonic() + limit
        while child.poll() is None:
            living = processes.processes_of(child.pid)
            most = max(most, sum(processes.proportional_memory(process.pid) for process in living))
            if time.monotonic() > deadline:
                raise Failed(f"{_shown(command)}: not done after {limit:.0f} s")
            time.sleep(SAMPLE_SECONDS)
        _check(command, child.returncode, (0,), words)
    return most


def interleaved(jobs: Mapping[str, Callable[[], Spent]], times: int) -> dict[str, list[Spent]]:
    """What each job cost, `times` over, in turns: a machine that slows down slows all of them."""
    costs: dict[str, list[Spent]] = {name: [] for name in jobs}
    for _ in range(times):
        for name, job in jobs.items():
            costs[name].append(job())
    return costs


def cpu(costs: Sequence[Spent]) -> float:
    """The median CPU-seconds."""
    return median(cost.cpu for cost in costs)


def least_cpu(costs: Sequence[Spent]) -> float:
    """The CPU-seconds of the cheapest run: the one that load on the machine disturbed least."""
    return min(cost.cpu for cost in costs)


def wall(costs: Sequence[Spent]) -> float:
    """The median wall time in seconds."""
    return median(cost.wall for cost in costs)


@contextmanager
def started(
    command: Sequence[str], cwd: Path, env: Mapping[str, str] | None
) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """A command under way in a session of its own, and the file its last words go to; nothing of it outlives this."""
    with tempfile.TemporaryFile() as words:
        child = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment() if env is None else env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=words,
            start_new_session=True,
        )
        try:
            yield child, words
        finally:
            if child.returncode is None:
                processes.end(child.pid)
                child.wait()


def _check(command: Sequence[str], code: int, accept: Collection[int], words: IO[bytes]) -> None:
    if code not in accept:
        words.seek(0)
        lines = words.read().decode(errors="replace").strip().splitlines()
        raise Failed(f"{_shown(command)}: exit code {code}{': ' + lines[-1] if lines else ''}")


def _shown(command: Sequence[str]) -> str:
    """A command without the folders of this machine."""
    return " ".join(os.path.basename(part) if os.path.isabs(part) else part for part in command)
