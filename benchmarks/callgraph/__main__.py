"""`python -m benchmarks.callgraph`: scores keel's call graphs, and the peer's, prints the table and keeps it.

A benchmark is no test: it says what is not met and exits with 0. Every case has a test of its own in `tests/spec`.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.callgraph.pycg import Pycg, claims, unnumbered
from benchmarks.callgraph.report import Scores, as_table, mistakes, notes, write
from benchmarks.callgraph.score import everything, judge
from benchmarks.checkout import TOP, commit_of
from benchmarks.measure import Failed
from tests.spec.callgraph.answer import keel_answer
from tests.spec.callgraph.cases import Case, read_cases


def main() -> None:
    """Asks each tool about every case, and reports."""
    options = _options()
    cases = [case for case in read_cases() if not options.category or case.category in options.category]
    if not cases:
        sys.exit(f"no such category; there are {', '.join(sorted({case.category for case in read_cases()}))}")
    scores = [_keel(cases)]
    setting = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": f"{version('keel-graph')}, {commit_of('src', 'tests/spec')}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "cases": f"{len(cases)}, with {sum(len(case.calls) for case in cases)} calls",
    }
    if options.peer:
        try:
            peer = Pycg()
        except Failed as failure:
            print(f"the peer is left out: {failure}", file=sys.stderr)
        else:
            setting["peer"] = peer.version
            scores.append(_peer(peer, cases))
    if options.verbose:
        for each in scores:
            print("\n".join(mistakes(each)))
        print()
    print(as_table(scores))
    print("", *notes(scores), "", *(f"{name}: {value}" for name, value in setting.items()), sep="\n")
    if options.category:
        print("\na part of the cases is not kept")
    else:
        kept = [path.relative_to(TOP).as_posix() for path in write(scores, setting)]
        print(f"\nwritten to {' and '.join(kept)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.callgraph", description="Score call graphs of Python.")
    parser.add_argument("category", nargs="*", help="only these categories; prints, keeps nothing")
    parser.add_argument("--verbose", action="store_true", help="list what is wrong and missing in each case")
    parser.add_argument("--peer", action=argparse.BooleanOptionalAction, default=True, help="score the peer too")
    return parser.parse_args()


def _keel(cases: list[Case]) -> Scores:
    verdicts = []
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            verdicts.append(judge(case, keel_answer(case, Path(folder)), everything))
    return Scores("keel", verdicts, {}, implicit_claimed=True)


def _peer(peer: Pycg, cases: list[Case]) -> Scores:
    verdicts, failures = [], {}
    for number, case in enumerate(cases, 1):
        print(f"\r… PyCG {number}/{len(cases)}", end="", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            reply = peer.ask(case, Path(folder))
        if reply.failure:
            failures[case.name] = reply.failure
        verdicts.append(judge(unnumbered(case), reply.answer, claims))
    print(file=sys.stderr)
    return Scores("PyCG", verdicts, failures, implicit_claimed=False)


if __name__ == "__main__":
    main()
