"""The ways in which a compile can be run after an edit: each a small function from edits to what they cost.

A mode writes each edit, times the compile, undoes it and brings the graph back, which is not timed. Modes with a daemon
and with ty are added here.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.corpora import forget
from benchmarks.edit.trees import Planned
from benchmarks.measure import NO_TY, environment, run
from benchmarks.plain import plain_python

COMPILE = ("-m", "keel", "compile", "--session", "ci", "--json")
"""The session in which nothing is counted: the same edit has to give the same answer in every mode."""
KEPT_OPEN = "benchmarks.edit.kept_open"
TOP = Path(__file__).resolve().parents[2]


class Cost(NamedTuple):
    """What one compile took, in seconds, and what it answered."""

    wall: float
    cpu: float
    verdict: object


class Outcome(NamedTuple):
    """What a mode measured."""

    costs: list[Cost]
    memory: int
    """Bytes that the process which stays had in the end; 0 where none stays."""
    stages: Mapping[str, float]
    """Where the time of an edit goes in the median, in seconds; empty where nobody can look."""


Mode = Callable[[Path, Sequence[Planned]], Outcome]


def cold(tree: Path, edits: Sequence[Planned]) -> Outcome:
    """A process for each compile, without a daemon."""
    costs = []
    for edit in edits:
        with made(tree, edit):
            costs.append(_in_process(tree, edit.path))
        _in_process(tree, edit.path)
    return Outcome(costs, 0, {})


def warm(tree: Path, edits: Sequence[Planned]) -> Outcome:
    """One process that stays and asks the operation again and again; a client's start is not in it."""
    command = [plain_python(), "-m", KEPT_OPEN, str(tree)]
    env = environment(PYTHONPATH=os.pathsep.join((str(TOP / "src"), str(TOP))))
    asked = json.dumps([edit._asdict() for edit in edits]).encode()
    done = subprocess.run(command, cwd=TOP, env=env, input=asked, stdout=subprocess.PIPE, check=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return Outcome([Cost(*cost) for cost in said["costs"]], said["memory"], said["stages"])


MODES: dict[str, Mode] = {"cold": cold, "warm": warm}


@contextmanager
def made(tree: Path, edit: Planned) -> Iterator[None]:
    """The tree with an edit in it."""
    file = tree / edit.path
    before = file.read_bytes()
    file.write_bytes(edit.text.encode())
    try:
        yield
    finally:
        file.write_bytes(before)


def mapped(tree: Path) -> None:
    """Gives a tree a fresh graph, and lets git be asked once."""
    forget(tree)
    run([plain_python(), "-m", "keel", "map"], tree)
    run([plain_python(), *COMPILE], tree)


def _in_process(tree: Path, path: str) -> Cost:
    start = time.perf_counter()
    child = subprocess.Popen(
        [plain_python(), *COMPILE, path],
        cwd=tree,
        env=environment(**{NO_TY: "1"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    answer = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise RuntimeError(f"keel compile {path}: exit code {child.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, json.loads(answer))
