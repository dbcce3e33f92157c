"""`python -m benchmarks.mutations [PACKAGE …]`: what `keel compile` says of edits, against pyright, ty and Python.

A benchmark is no test: it says what is wrong and exits with 0. With packages named or `--quick` it is a quick look of
which nothing is kept. The first run installs and asks the checkers, which takes half an hour of CPU time; their answers
are kept beside the corpora, and later runs only ask keel.
"""

from __future__ import annotations

import argparse
import platform
import resource
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.accuracy.client import ServerGone
from benchmarks.accuracy.packages import NotInstalled
from benchmarks.checkout import commit_of
from benchmarks.mutations.cases import QUICK, SEED, WHOLE, Case, judge, lay_out
from benchmarks.mutations.checkers import ORACLES
from benchmarks.mutations.judged import rulings
from benchmarks.mutations.mutants import WRITTEN
from benchmarks.mutations.packages import PINS, package
from benchmarks.mutations.page import as_text, write

TOP = Path(__file__).resolve().parents[2]
COMMANDS = 50
"""One mutant in so many is asked about through the command too."""


def main() -> int:
    """Judges the packages; 2 when something that is needed is not there."""
    options = _options()
    try:
        _run(options)
    except (NotInstalled, ServerGone) as error:
        print(f"mutations: {error}", file=sys.stderr)
        return 2
    return 0


def _run(options: argparse.Namespace) -> None:
    read = rulings()
    cases: list[Case] = []
    compared = 0
    for name in options.packages or PINS:
        print(f"… {name}", file=sys.stderr, flush=True)
        one = package(name)
        laid = lay_out(one, replace(QUICK if options.quick else WHOLE, functions=options.functions), not options.kept)
        found, asked = judge(one, laid, read, COMMANDS)
        cases += found
        compared += asked
    print(as_text(cases, read, options.verbose))
    if not (options.packages or options.quick):
        setting = _setting(cases, compared, options.functions)
        kept = [path.relative_to(TOP).as_posix() for path in write(cases, read, setting)]
        print(f"\nwritten to {' and '.join(kept)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutations", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"one of {', '.join(PINS)}; all of them")
    parser.add_argument("--quick", action="store_true", help="a few mutants of each")
    parser.add_argument("--functions", type=int, metavar="COUNT", help=f"of each package ({WHOLE.functions})")
    parser.add_argument("--kept", action="store_true", help="ask the checkers nothing that is not known yet")
    parser.add_argument("--verbose", action="store_true", help="print every miss and every false error")
    options = parser.parse_args()
    options.functions = options.functions or (QUICK if options.quick else WHOLE).functions
    for name in options.packages:
        if name not in PINS:
            parser.error(f"no package '{name}' ({', '.join(PINS)})")
    return options


def _setting(cases: list[Case], compared: int, functions: int) -> Mapping[str, str]:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    minutes = sum(each.ru_utime + each.ru_stime for each in spent) / 60
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": f"{version('keel-graph')}, {commit_of('src')}, without ty and with it",
        "mutants": f"{len(cases):,}, seed '{SEED}'",
        "functions": f"{functions} of each package; a whole run takes {WHOLE.functions}",
        "checkers": ", ".join(f"{oracle.name} {oracle.version}, {_asked(cases, oracle.name)}" for oracle in ORACLES),
        "the command itself": f"asked about {compared} of them besides, of those that were new to this run",
        "CPU": f"{minutes:.0f} minutes in this run; what the checkers said before is kept",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def _asked(cases: list[Case], name: str) -> str:
    wanted = [case for case in cases if case.mutant.kind not in WRITTEN]
    return f"asked about {sum(name in case.asked for case in wanted):,} of {len(wanted):,}"


if __name__ == "__main__":
    sys.exit(main())
