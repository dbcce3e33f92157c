"""What keel's commands cost, against yardsticks of the same run: compileall, git status, a bare Python.

How cost is measured is left to `measure`, what happens when processes die to `survival`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks import processes
from benchmarks.corpora import LEFT_BY_TOOLS, forget
from benchmarks.measure import SAMPLE_SECONDS, Spent, cpu, environment, interleaved, least_cpu, peak_memory, run, wall
from benchmarks.one_line import edited, mid_size_files, parameter_added
from benchmarks.plain import plain_python
from benchmarks.report import Row

KEEL = ("-m", "keel")
BARE = ("-c", "pass")
COMPILE = ("-m", "compileall", "-q", "-f", "-j1")
BARE_PYTHON = "python -c pass"
SHARED_MEMORY = Path("/dev/shm")
SETTLE_SECONDS = 0.2
NAME = "get_object_or_404"
"""What `where` and `describe` are asked for: one function of django, defined once."""
HOME = "django/shortcuts.py"
"""The file that it is in."""

MEGABYTE = 1_000_000


class Times(NamedTuple):
    """How often each kind of command is run for a median."""

    maps: int
    small: int


FULL, QUICK = Times(3, 15), Times(1, 5)


def map_and_twice(tree: Path, doubled: Path, times: Times) -> Iterator[Row]:
    """`map` of django against compileall, and what twice the tree costs."""
    with cache_prefix() as (prefix, where):
        jobs = {"map": _mapping(tree), "compileall": compiling(tree, prefix), "map of twice": _mapping(doubled)}
        costs = interleaved(jobs, times.maps)
    yield _ratio("map django", costs, "map", "compileall", 4, note=f"cache prefix of compileall on {where}")
    yield _ratio("map, django twice side by side", costs, "map of twice", "map", 2.2, yardstick="once")


def map_only(name: str, tree: Path, times: Times) -> Iterator[Row]:
    """`map` of another corpus against compileall, for comparison."""
    with cache_prefix() as (prefix, _):
        costs = interleaved({"map": _mapping(tree), "compileall": compiling(tree, prefix)}, times.maps)
    yield _ratio(f"map {name}", costs, "map", "compileall", None)


def memory(tree: Path) -> Iterator[Row]:
    """The most memory a map has."""
    if not processes.is_listed():
        yield Row("peak memory of map django", note="this system does not say what memory processes share")
        return
    forget(tree)
    peak = peak_memory([plain_python(), *KEEL, "map"], tree)
    note = f"one run; sum of PSS over keel's processes, sampled every {SAMPLE_SECONDS * 1000:.0f} ms"
    yield Row("peak memory of map django", peak / MEGABYTE, "MB", bar=400, note=note)


def size(tree: Path) -> Iterator[Row]:
    """The graph on disk after a map."""
    graph = tree / ".keel" / "graph.db"
    files = [path for name in LEFT_BY_TOOLS for path in (tree / name).rglob("*") if path.is_file() and path != graph]
    note = f"{sum(path.stat().st_size for path in files) / MEGABYTE:.1f} MB in other files of keel"
    yield Row("graph.db of django", graph.stat().st_size / MEGABYTE, "MB", bar=60, note=note)


def quiet_sync(tree: Path, times: Times) -> Iterator[Row]:
    """`sync` with nothing to do against git status."""
    jobs = {
        BARE_PYTHON: lambda: run([plain_python(), *BARE], tree),
        "git status": lambda: run(["git", "status"], tree),
        "sync": lambda: run([plain_python(), *KEEL, "sync"], tree),
    }
    interleaved(jobs, 1)  # the first look is dearer for all of them
    costs = interleaved(jobs, times.small)
    yield _ratio(
        "no-op sync, without python's start", costs, "sync", "git status", 1.5, unit="ms", without_start=("sync",)
    )


def edited_sync(tree: Path, times: Times) -> Iterator[Row]:
    """`sync` after a one-line edit against `sync` with nothing to do."""
    files = iter(mid_size_files(tree / "django", times.small))

    def after_edit() -> Spent:
        with edited(next(files)):
            spent = run([plain_python(), *KEEL, "sync"], tree)
        # A file as young as the look at it has to be read again the next time: that would be no no-op.
        time.sleep(SETTLE_SECONDS)
        run([plain_python(), *KEEL, "sync"], tree)
        return spent

    jobs: Mapping[str, Callable[[], Spent]] = {
        BARE_PYTHON: lambda: run([plain_python(), *BARE], tree),
        "no-op": lambda: run([plain_python(), *KEEL, "sync"], tree),
        "edited": after_edit,
    }
    costs = interleaved(jobs, times.small)
    yield _ratio(
        "sync after a one-line edit, without python's start",
        costs,
        "edited",
        "no-op",
        2,
        unit="ms",
        yardstick="no-op sync",
        without_start=("edited", "no-op"),
    )


def questions(tree: Path, times: Times) -> Iterator[Row]:
    """`where` and `describe` in a process of their own against a bare Python."""
    jobs = {
        BARE_PYTHON: lambda: run([plain_python(), *BARE], tree),
        "where": lambda: run([plain_python(), *KEEL, "where", NAME], tree),
        "describe": lambda: run([plain_python(), *KEEL, "describe", NAME], tree),
    }
    interleaved(jobs, 1)
    costs = interleaved(jobs, times.small)
    for verb, bar in (("where", 5), ("describe", 6)):
        yield _ratio(f"{verb} {NAME}, cold", costs, verb, BARE_PYTHON, bar, unit="ms")


def compiles(tree: Path, times: Times) -> Iterator[Row]:
    """`compile FILE` in a process of its own, without a daemon, against a bare Python: what a hook costs."""
    file = tree / HOME
    command = [plain_python(), *KEEL, "compile", HOME]

    def with_parameter() -> Spent:
        with parameter_added(file, NAME):
            spent = run(command, tree, accept=(1,))
        time.sleep(SETTLE_SECONDS)
        run(command, tree)
        return spent

    def with_line() -> Spent:
        with edited(file):
            spent = run(command, tree, accept=(0, 1))  # what is edited has to have type hints
        time.sleep(SETTLE_SECONDS)
        run(command, tree)
        return spent

    jobs: Mapping[str, Callable[[], Spent]] = {
        BARE_PYTHON: lambda: run([plain_python(), *BARE], tree),
        "nothing changed": lambda: run(command, tree),
        "a line changed": with_line,
        "callers broken": with_parameter,
    }
    interleaved(jobs, 1)  # after a commit git is asked once
    costs = interleaved(jobs, times.small)
    for job in list(jobs)[1:]:
        yield _ratio(f"compile FILE, cold, {job}", costs, job, BARE_PYTHON, 10, unit="ms")


def _mapping(tree: Path) -> Callable[[], Spent]:
    def job() -> Spent:
        forget(tree)
        return run([plain_python(), *KEEL, "map"], tree)

    return job


def compiling(tree: Path, prefix: Path) -> Callable[[], Spent]:
    """The yardstick of a map: every file of a tree compiled."""
    # Exit code 1: django's own tests hold a file with a syntax error.
    env = environment(PYTHONPYCACHEPREFIX=str(prefix))
    return lambda: run([plain_python(), *COMPILE, str(tree)], tree, env, accept=(0, 1))


@contextmanager
def cache_prefix() -> Iterator[tuple[Path, str]]:
    """A folder for compiled files, in memory where the system has such a place; and what to call it."""
    shared = SHARED_MEMORY.is_dir()
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY if shared else None) as folder:
        yield Path(folder), "a tmpfs" if shared else "a temporary folder (no tmpfs here)"


def _ratio(
    measure: str,
    costs: Mapping[str, Sequence[Spent]],
    ours: str,
    theirs: str,
    bar: float | None,
    *,
    unit: str = "s",
    yardstick: str = "",
    without_start: Collection[str] = (),
    note: str = "",
) -> Row:
    """A row of medians. The cost of a bare Python is taken off the commands named by `without_start`."""
    figure, against = (_cost(costs, name, cpu, without_start) for name in (ours, theirs))
    least, least_against = (_cost(costs, name, least_cpu, without_start) for name in (ours, theirs))
    by_minima = least / least_against
    scale = 1000 if unit == "ms" else 1
    samples = {name: [round(cost.cpu, 5) for cost in costs[name]] for name in costs}
    return Row(
        measure,
        figure * scale,
        f"CPU-{unit}",
        yardstick or theirs,
        against * scale,
        figure / against,
        by_minima,
        bar,
        note="; ".join(filter(None, (f"{by_minima:.2f} × by minima", _walls(costs, (ours, theirs)), note))),
        samples=samples,
    )


def _cost(
    costs: Mapping[str, Sequence[Spent]],
    name: str,
    typical: Callable[[Sequence[Spent]], float],
    without_start: Collection[str],
) -> float:
    return typical(costs[name]) - (typical(costs[BARE_PYTHON]) if name in without_start else 0.0)


def _walls(costs: Mapping[str, Sequence[Spent]], names: Collection[str]) -> str:
    """Median wall times, python's start included, for the note."""
    return "wall " + ", ".join(f"{name} {wall(costs[name]) * 1000:.0f} ms" for name in names)
