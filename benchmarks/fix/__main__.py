"""`python -m benchmarks.fix [PACKAGE …]`: whether `keel fix --apply` fixes what edits of its safe kinds break.

A function of a real package is changed so that others are broken, in a way that leaves one thing to do: a parameter
that calls pass by name is renamed, a default is taken away, the function is renamed, or moved to a module of its own.
Then `keel fix --apply` runs, and it is seen whether a compile is clean, whether every file parses, and whether the
modules that were touched can be imported. A mutant that breaks nothing, or touches a module that the package as
released cannot import either, does not count. Nor does a move that cannot be fixed: a fix as a person would write it is
made first (files that import the function take it from its new module; its old file imports it at the top, or in the
functions that use it), and if neither can be imported, the move has made a ring of imports and is not tried. One of
several overloads is not changed, nor a getter without its setter: people do not do so.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from random import Random

from benchmarks.checkout import commit_of
from benchmarks.fix.mutants import KINDS, mutant_of
from benchmarks.fix.room import FIXED, UNFIT, Case, Room
from benchmarks.measure import NO_TY
from benchmarks.mutations.choice import Sources, candidates
from benchmarks.mutations.packages import PINS, Package, package
from benchmarks.report import RESULTS

SEED = "fix"
WANTED = 80
"""Mutants of each package that break a caller."""
BAR = 95.0


def main() -> int:
    """Measures, prints the table, and keeps it when all packages were asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fix", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", choices=[*PINS, []], help="some of them; nothing is kept then")
    parser.add_argument("--verbose", action="store_true", help="print every mutant that was not mended")
    options = parser.parse_args()
    os.environ[NO_TY] = "1"
    cases = [case for name in options.packages or PINS for case in _cases(package(name))]
    tried = [case for case in cases if case.outcome != UNFIT]
    unfit = [case for case in cases if case.outcome == UNFIT]
    print(f"{_table(tried)}\n\n{_told_unfit(unfit)}")
    for case in tried:
        if options.verbose and case.outcome != FIXED:
            print(f"{case.package}  {case.kind}  {case.label}  {case.outcome}: {case.why}")
    if not options.packages:
        _keep(tried, unfit)
    return 0


def _cases(one: Package) -> Iterator[Case]:
    sources = Sources(one.files())
    chance = Random(f"{SEED} {one.name}")
    room = Room(one, {path: source.data for path, source in sources.files.items()})
    waiting = [(function, kind) for function in candidates(sources, SEED) for kind in KINDS]
    chance.shuffle(waiting)
    count: Counter[str] = Counter()
    for function, kind in waiting:
        if count.total() >= WANTED:
            return
        if count[kind] >= WANTED // 2:
            continue
        mutant = mutant_of(sources, function, kind, Random(f"{SEED} {function.path} {function.qualified} {kind}"))
        case = room.tried(kind, mutant) if mutant is not None else None
        if case is not None:
            count[kind] += case.outcome != UNFIT
            yield case


def _table(cases: list[Case]) -> str:
    lines = ["| kind | mutants | fixed | share | not, by cause |", "| --- | ---: | ---: | ---: | --- |"]
    for kind in (*KINDS, "all"):
        own = [case for case in cases if kind in (case.kind, "all")]
        done = sum(case.outcome == FIXED for case in own)
        causes = Counter(case.outcome for case in own if case.outcome != FIXED)
        told = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
        lines.append(f"| {kind} | {len(own)} | {done} | {100 * done / max(len(own), 1):.1f} % | {told} |")
    return "\n".join(lines)


def _told_unfit(unfit: list[Case]) -> str:
    return f"{len(unfit)} moves were not tried, since no fix by hand could be imported."


def _keep(cases: list[Case], unfit: list[Case]) -> None:
    setting = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit_of(str(Path(__file__).resolve().parents[1])),
        "keel": version("keel-graph"),
        "python": platform.python_version(),
        "packages": ", ".join(f"{name} {number}" for name, number in PINS.items()),
    }
    rows = [vars(case) for case in (*cases, *unfit)]
    (RESULTS / "fix.json").write_text(
        json.dumps({"setting": setting, "cases": rows}, indent=1) + "\n", encoding="utf-8"
    )
    said = "\n".join(f"- {name}: {value}" for name, value in setting.items())
    left = "\n".join(
        f"- {case.package}, {case.kind}, `{case.label}`: {case.outcome}: {case.why}"
        for case in cases
        if case.outcome != FIXED
    )
    rings = "\n".join(f"- {case.package}, `{case.label}`" for case in unfit)
    text = (
        f"# What `keel fix --apply` fixes\n\n{__doc__.partition(chr(10))[2].strip()}\n\n{said}\n\n{_table(cases)}\n\n"
        f"The bar is {BAR:g} % fixed, and no file that does not parse.\n\n## Not fixed\n\n{left or 'None.'}\n"
        f"\n## Not tried\n\n{_told_unfit(unfit)}\n\n{rings}\n"
    )
    (RESULTS / "fix.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
