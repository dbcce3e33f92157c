"""What ty's answers cost: `python -m benchmarks.definitions FOLDER [PACKAGE]` asks about every call and import.

Whether the answers are right is left to `benchmarks.accuracy`. CPU-seconds are of ty and of keel's side of the talk.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.accuracy.sites import Source, sites
from keel.ports.definitions import Answer, Position
from keel.resolvers.ty.resolver import TyResolver


def main() -> int:
    """Asks everything once, and prints what it cost; 2 when no helper could be asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.definitions", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the project that ty is shown")
    parser.add_argument("package", nargs="?", default=".", help="the part of it that is asked about")
    parser.add_argument("--infer-returns", action="store_true", help="as for a second opinion")
    options = parser.parse_args()
    folder = options.folder.resolve()
    questions = [question for path in sorted((folder / options.package).rglob("*.py")) for question in _asked(path)]
    before, begun = _cpu(resource.RUSAGE_SELF), time.perf_counter()
    with TyResolver(str(folder), options.infer_returns) as ty:
        counted = Counter(_kind(answer, folder) for _, answer in ty.ask(questions))
        wall = time.perf_counter() - begun
    per_thousand = 1_000 / max(len(questions), 1)
    keel, server = _cpu(resource.RUSAGE_SELF) - before, _cpu(resource.RUSAGE_CHILDREN)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{len(questions)} questions: " + ", ".join(f"{number} {kind}" for kind, number in counted.most_common()))
    print(
        f"per 1,000: {wall * per_thousand:.2f} s wall, {server * per_thousand:.2f} CPU-s of ty, "
        f"{keel * per_thousand:.2f} CPU-s of keel; ty's peak {memory:.0f} MB"
    )
    if ty.trouble is not None:
        print(f"definitions: {ty.trouble}", file=sys.stderr)
    return 0 if ty.ty is not None else 2


def _asked(path: Path) -> list[Position]:
    """A question for each call and imported name of a file that Python can parse."""
    try:
        source = Source(str(path), path.read_bytes())
    except (SyntaxError, ValueError):
        return []
    return [Position(*site.place) for site in sites(source)]


def _kind(answer: Answer, folder: Path) -> str:
    if answer is None:
        return "not answered"
    if not answer:
        return "without a definition"
    inside = any(one.path.startswith(f"{folder}{os.sep}") for one in answer)
    return "inside the project" if inside else "outside of it"


def _cpu(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
