"""`python -m benchmarks.accuracy.cost`: what a map with ty costs, on django.

CPU against compileall, memory of keel and of ty, the graph on disk; `make bench` measures keel without ty.

ty is asked twice, by two servers, the second time only about what stayed open. What that second pass costs is told
apart: the CPU of its server, and keel's own while that server lives.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median

from benchmarks import processes
from benchmarks.accuracy.answers import keel_of, with_ty
from benchmarks.accuracy.packages import NotInstalled, package
from benchmarks.checkout import TOP, commit_of
from benchmarks.corpora import PINS, CorpusMissing, corpus, forget
from benchmarks.house import KEEL, MEGABYTE, cache_prefix, compiling
from benchmarks.measure import SAMPLE_SECONDS, Failed, started
from benchmarks.plain import plain_python
from benchmarks.report import RESULTS, Row, Run, as_json, as_markdown, as_table

TIMES = 3
DJANGO = "django"
SERVER = b"server"
TY = "ty"


@dataclass(slots=True)
class Watched:
    """One server of ty while it lived."""

    cpu: float = 0.0
    peak: int = 0
    keel_before: float = 0.0
    keel_after: float = 0.0
    """The CPU that keel had used when the server was first and last seen."""

    @property
    def whole(self) -> float:
        """What asking it cost on both sides."""
        return self.cpu + self.keel_after - self.keel_before


@dataclass(slots=True)
class Spent:
    """A map under watch."""

    cpu: float = 0.0
    """Of everything together."""
    keel_peak: int = 0
    servers: dict[int, Watched] = field(default_factory=dict)
    """By process, in the order that they were started in."""

    @property
    def second(self) -> Watched:
        """The second server; one that was not needed has cost nothing."""
        return list(self.servers.values())[1] if len(self.servers) > 1 else Watched()


def costs(tree: Path, env: Mapping[str, str], times: int) -> Iterator[Row]:
    """Every measure, with compileall in turns.

    Memory is looked at in a run of its own, since that takes time; a single run has to do for both.
    """
    maps, yardsticks = [], []
    with cache_prefix() as (prefix, where):
        for _ in range(times):
            maps.append(_mapped(tree, env, with_memory=times == 1))
            yardsticks.append(compiling(tree, prefix)().cpu)
    first = [one.cpu - one.second.whole for one in maps]
    note = (
        f"cache prefix of compileall on {where}; ty's part {median(_first_server(one).cpu for one in maps):.2f} CPU-s"
    )
    samples = {"map": [round(one.cpu, 2) for one in maps], "compileall": [round(one, 2) for one in yardsticks]}
    yield _ratio("map django with ty, first pass", first, yardsticks, 15, note, samples)
    second = [one.second.whole for one in maps]
    note = "asked again with return types inferred, about what stayed open"
    yield _ratio("its second pass", second, yardsticks, None, note, {})
    yield from _memory(maps[0] if times == 1 else _mapped(tree, env, with_memory=True))
    size = (tree / ".keel" / "graph.db").stat().st_size
    yield Row("graph.db of django, ty's answers kept", size / MEGABYTE, "MB", bar=60)


def main() -> int:
    """Measures, prints and keeps it; 2 when something that is needed is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy.cost")
    parser.add_argument("--times", type=int, default=TIMES, help="how often to map for a median")
    options = parser.parse_args()
    try:
        tree, env = corpus(DJANGO), with_ty(keel_of(TOP), package(DJANGO)).env
        rows = list(costs(tree, env, options.times))
    except (CorpusMissing, Failed, NotInstalled) as error:
        print(f"cost: {error}", file=sys.stderr)
        return 2
    setting = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": f"{version('keel-graph')}, {commit_of('src')}",
        "versions": f"django {PINS[DJANGO]}, ty {version('ty')}, {sys.implementation.name} {platform.python_version()}",
        "load (1, 5, 15 min)": " ".join(f"{load:.1f}" for load in os.getloadavg()),
    }
    kept = [path.relative_to(TOP).as_posix() for path in write(Run(setting, rows))]
    print(as_table(Run(setting, rows)))
    print(f"\nwritten to {' and '.join(kept)}")
    return 0


def write(run: Run, folder: Path = RESULTS) -> list[Path]:
    """Keeps the page and the figures behind it."""
    page, figures = folder / "map_with_ty.md", folder / "map_with_ty.json"
    page.write_text(as_markdown(run, "What a map with ty costs", "make bench-accuracy"), encoding="utf-8")
    figures.write_text(as_json(run), encoding="utf-8")
    return [page, figures]


def _first_server(spent: Spent) -> Watched:
    return next(iter(spent.servers.values()), Watched())


def _ratio(
    measure: str,
    ours: list[float],
    theirs: list[float],
    bar: float | None,
    note: str,
    samples: Mapping[str, list[float]],
) -> Row:
    figure, against = median(ours), median(theirs)
    minima = min(ours) / min(theirs)
    note = f"{minima:.2f} × by minima; {note}"
    return Row(
        measure, figure, "CPU-s", "compileall", against, figure / against, minima, bar, note=note, samples=samples
    )


def _memory(spent: Spent) -> Iterator[Row]:
    if not processes.is_listed():
        yield Row("peak memory of map django with ty", note="this system does not say what memory processes share")
        return
    note = f"one run; sum of PSS, sampled every {SAMPLE_SECONDS * 1000:.0f} ms"
    yield Row("peak memory of keel's processes", spent.keel_peak / MEGABYTE, "MB", bar=400, note=note)
    peaks = [one.peak / MEGABYTE for one in spent.servers.values()]
    note = " and ".join(f"{peak:.0f} MB" for peak in peaks) + " for the first and second pass"
    yield Row("peak memory of ty", max(peaks, default=0.0), "MB", bar=1000, note=note)


def _mapped(tree: Path, env: Mapping[str, str], with_memory: bool) -> Spent:
    """Maps a tree from nothing while its processes are watched."""
    forget(tree)
    spent = Spent()
    with started([plain_python(), *KEEL, "map"], tree, env) as (child, _):
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                child.returncode = os.waitstatus_to_exitcode(status)
                break
            _look(child.pid, spent, with_memory)
            time.sleep(SAMPLE_SECONDS)
    if child.returncode:
        raise Failed(f"keel map: exit code {child.returncode}")
    spent.cpu = usage.ru_utime + usage.ru_stime
    return spent


def _look(leader: int, spent: Spent, with_memory: bool) -> None:
    """Notes what the processes of a map have used until now."""
    keel_now, keel_memory = processes.cpu_seconds(leader), 0
    for process in processes.processes_of(leader):
        memory = processes.proportional_memory(process.pid) if with_memory else 0
        if process.name != TY:
            keel_memory += memory
        elif SERVER in processes.arguments(process.pid):  # and not one that is asked for its version
            server = spent.servers.setdefault(process.pid, Watched(keel_before=keel_now))
            server.cpu = max(server.cpu, processes.cpu_seconds(process.pid))
            server.peak = max(server.peak, memory)
            server.keel_after = keel_now
    spent.keel_peak = max(spent.keel_peak, keel_memory)


if __name__ == "__main__":
    sys.exit(main())
