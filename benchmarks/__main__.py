"""`python -m benchmarks`: measures keel against its yardsticks, prints the table and keeps it.

A benchmark is no test: it says what is not met and exits with 0. What is measured is in `house`, `survival`, `peer`.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import house, survival
from benchmarks.checkout import TOP, commit_of, said, source_digest
from benchmarks.corpora import PINS, cache_folder, corpus, twice
from benchmarks.peer import peer
from benchmarks.report import Row, Run, as_table, write

LIBRARIES = ("msgspec", "tree-sitter", "tree-sitter-python", "xxhash")

Part = tuple[str, Callable[[], Iterator[Row]]]


def main() -> None:
    """Runs every part, whatever becomes of the others, and reports."""
    options = _options()
    load, source = _load(), source_digest()
    rows: list[Row] = []
    for name, part in _parts(options.quick, options.peer, rows):
        print(f"… {name}", file=sys.stderr, flush=True)
        rows.extend(_attempted(name, part))
    run = Run(_setting(load, source), rows)
    print(as_table(run))
    if options.quick:
        print("\na quick run is not kept")
    else:
        kept = [path.relative_to(TOP).as_posix() for path in write(run)]
        print(f"\nwritten to {' and '.join(kept)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure keel against its yardsticks.")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, only django; prints, keeps nothing")
    parser.add_argument("--peer", action=argparse.BooleanOptionalAction, default=True, help="measure the peer too")
    return parser.parse_args()


def _parts(quick: bool, with_peer: bool, rows: list[Row]) -> Iterator[Part]:
    """What is measured, in order: what needs a graph comes after a map of it, what spoils it at the end."""
    times = house.QUICK if quick else house.FULL
    yield "map django", lambda: house.map_and_twice(corpus("django"), twice("django"), times)
    yield "peak memory of map django", lambda: house.memory(corpus("django"))
    yield "graph.db of django", lambda: house.size(corpus("django"))
    yield "no-op sync", lambda: house.quiet_sync(corpus("django"), times)
    yield "sync after a one-line edit", lambda: house.edited_sync(corpus("django"), times)
    yield "where and describe", lambda: house.questions(corpus("django"), times)
    yield "compile a file", lambda: house.compiles(corpus("django"), times)
    for name in () if quick else ("fastapi", "httpx", "sqlalchemy"):
        yield f"map {name}", partial(_map_only, name, times)
    yield "map killed", lambda: survival.killed_parent(corpus("django"))
    yield "file that kills its reader", lambda: survival.poison_file(corpus("django"))
    if with_peer:
        yield "the peer", lambda: peer(corpus("django"), rows[0].against if rows else None)


def _map_only(name: str, times: house.Times) -> Iterator[Row]:
    return house.map_only(name, corpus(name), times)


def _attempted(name: str, part: Callable[[], Iterator[Row]]) -> Iterator[Row]:
    """The rows of a part; what goes wrong becomes a row that says so."""
    try:
        yield from part()
    except Exception as error:  # whatever it is, it costs this part alone
        yield Row(name, note=f"not measured: {_portable(f'{type(error).__name__}: {error}')}")


def _portable(text: str) -> str:
    """A message without the folders of this machine, since it is kept."""
    for folder, shown in ((cache_folder(), "CORPORA"), (TOP, "."), (Path(sys.prefix), "PYTHON"), (Path.home(), "~")):
        text = text.replace(str(folder), shown)
    return text


def _setting(load_before: str, source_before: str) -> dict[str, str]:
    moved = "" if source_digest() == source_before else "; ITS SOURCE CHANGED DURING THE RUN"
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": f"{_version('keel-graph')}, {commit_of('src')}{moved}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "libraries": ", ".join(f"{name} {_version(name)}" for name in LIBRARIES),
        "git": said("git", "--version").removeprefix("git version "),
        "corpora": ", ".join(f"{name} {pin}" for name, pin in PINS.items()),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs",
        "load (1, 5, 15 min)": f"{load_before} before, {_load()} after",
    }


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _load() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


if __name__ == "__main__":
    main()
