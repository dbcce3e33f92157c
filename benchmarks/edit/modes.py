"""The ways in which a compile can be run after an edit: each a small function from edits to what they cost.

A mode writes each edit, times the compile, undoes it and brings the graph back, which is not timed. Asking a daemon is
left to `daemon`, the process that is looked into to `kept_open`.
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

COMPILE = ("compile", "--session", "ci")
"""The session in which nothing is counted: the same edit has to give the same answer in every mode."""
KEPT_OPEN = "benchmarks.edit.kept_open"
TOP = Path(__file__).resolve().parents[2]


class Cost(NamedTuple):
    """What one compile took, in seconds, and what it answered."""

    wall: float
    cpu: float
    verdict: Any
    stages: Mapping[str, float]
    """Where the time went, in seconds; empty where it cannot be seen."""


class Outcome(NamedTuple):
    """What a mode measured."""

    costs: list[Cost]
    memory: int = 0
    """Bytes that the process which stays had in the end; 0 where none stays."""
    memory_of_ty: int = 0
    yardstick: float = 0.0
    """CPU-seconds of a bare Python, the median of some before and some after; 0 where it was not measured."""


class Mode(NamedTuple):
    """A way to compile."""

    name: str
    has_ty: bool
    measure: Callable[[Path, Sequence[Planned]], Outcome]


def alone(tree: Path, edits: Sequence[Planned], has_ty: bool) -> Outcome:
    """A process for each compile, without a daemon."""
    env = settings(has_ty)
    costs = []
    for edit in edits:
        with made(tree, edit):
            costs.append(with_evidence(tree, edit.path, env, asked(tree, edit.path, env)))
        asked(tree, edit.path, env)
    return Outcome(costs)


def kept_open(tree: Path, edits: Sequence[Planned], has_ty: bool) -> Outcome:
    """One process that asks the operation again and again, without a client: shows where the time goes."""
    command = [plain_python(), "-m", KEPT_OPEN, str(tree)]
    env = {**settings(has_ty), "PYTHONPATH": os.pathsep.join((str(TOP / "src"), str(TOP)))}
    told = json.dumps([edit._asdict() for edit in edits]).encode()
    done = subprocess.run(command, cwd=TOP, env=env, input=told, stdout=subprocess.PIPE, check=True)
    return outcome_of(json.loads(done.stdout))


def outcome_of(said: Mapping[str, Any]) -> Outcome:
    """What was measured, from its JSON."""
    costs = [Cost(*cost) for cost in said["costs"]]
    return Outcome(costs, said["memory"], said["memory_of_ty"], said.get("yardstick", 0.0))


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


def mapped(tree: Path, has_ty: bool) -> None:
    """Gives a tree a fresh graph, and lets git be asked once."""
    forget(tree)
    for words in (("map",), COMPILE):
        run([keel(), *words], tree, settings(has_ty))


def keel() -> str:
    """The command as users have it."""
    return os.path.join(os.path.dirname(plain_python()), "keel")


def settings(has_ty: bool) -> dict[str, str]:
    """The environment of a command, with ty or without."""
    env = environment()
    if has_ty:
        del env[NO_TY]
    return env


def asked(tree: Path, path: str, env: Mapping[str, str]) -> Cost:
    """What one command costs, and says."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [keel(), *COMPILE, path], cwd=tree, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise RuntimeError(f"keel compile {path}: exit code {child.returncode}")
    verdict = {"code": child.returncode, "text": text.decode()}
    return Cost(wall, usage.ru_utime + usage.ru_stime, verdict, {})


def with_evidence(tree: Path, path: str, env: Mapping[str, str], cost: Cost) -> Cost:
    """The same with the whole verdict, for which it is asked again: people are not told whose evidence it is."""
    done = subprocess.run(
        [keel(), *COMPILE, "--json", path], cwd=tree, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    return cost._replace(verdict={**cost.verdict, **json.loads(done.stdout)})
