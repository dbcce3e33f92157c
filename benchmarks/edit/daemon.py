"""Compiles by way of the daemon: the command as an agent's hook runs it, and the processes behind it.

What is timed is the whole command, from its start to its end. CPU is that of the command, the daemon and ty together.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.edit.modes import Cost, Outcome, asked, keel, made, settings, with_evidence
from benchmarks.edit.trees import Planned
from benchmarks.measure import NO_DAEMON
from benchmarks.processes import processes_of, proportional_memory
from keel.daemon import BUILD, end, runner_of

SETTLING = 2.0
"""Seconds for the daemon's first look at everything."""
PAUSE = 0.05
"""Seconds between an answer and the next edit, which is little: the daemon takes in what it saw."""
CPU_CLOCK = 2
"""What the kernel calls the clock of a process that says how long it has run (Linux, `clock_getcpuclockid`)."""


def through_daemon(tree: Path, edits: Sequence[Planned], has_ty: bool) -> Outcome:
    """A command for each compile, answered by the daemon."""
    env = {name: value for name, value in settings(has_ty).items() if name not in (NO_DAEMON, BUILD)}
    costs = []
    with _daemon(tree, env) as pid:
        with made(tree, edits[-1]):  # the first edit of a process loads what later ones find loaded
            asked(tree, edits[-1].path, env)
        asked(tree, edits[-1].path, env)
        time.sleep(SETTLING)
        for edit in edits:
            with made(tree, edit):
                costs.append(with_evidence(tree, edit.path, env, _asked(tree, edit.path, env, pid)))
            asked(tree, edit.path, env)
            time.sleep(PAUSE)
        memory = {one: proportional_memory(one) for one in _family(pid)}
    return Outcome(costs, memory.pop(pid), sum(memory.values()))


def _asked(tree: Path, path: str, env: Mapping[str, str], pid: int) -> Cost:
    before = {one: _cpu(one) for one in _family(pid)}
    cost = asked(tree, path, env)
    if runner_of(str(tree)) != pid:
        raise RuntimeError("the daemon has ended meanwhile")
    behind = sum(_cpu(one) - before.get(one, 0.0) for one in _family(pid))
    return cost._replace(cpu=cost.cpu + behind)


@contextmanager
def _daemon(tree: Path, env: Mapping[str, str]) -> Iterator[int]:
    """A daemon of the tree that is up to date; its process number."""
    end(str(tree))
    subprocess.run([keel(), "daemon", "start"], cwd=tree, env=env, stdout=subprocess.DEVNULL, check=True)
    try:
        time.sleep(SETTLING)
        pid = runner_of(str(tree))
        if not pid:
            raise RuntimeError("no daemon was started")
        yield pid
    finally:
        end(str(tree))


def _family(pid: int) -> list[int]:
    """A process and those that it has started."""
    return [process.pid for process in processes_of(pid)]


def _cpu(pid: int) -> float:
    """Seconds that a process has run until now, finer than the clock ticks of `/proc`; 0 when it has gone."""
    with suppress(OSError):
        return time.clock_gettime((~pid << 3) | CPU_CLOCK)
    return 0.0
