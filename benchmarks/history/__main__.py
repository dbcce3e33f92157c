"""`python -m benchmarks.history [PACKAGE …]`: replays releases as edits and holds every ERROR against its verdict.

A benchmark is no test: it says what is not met and exits with 0. With packages named, only those are replayed again and
the others stay as they were kept. The first run fetches the releases, which takes minutes.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.checkout import TOP, commit_of
from benchmarks.corpora import CorpusMissing
from benchmarks.history.page import as_table, read_steps, write
from benchmarks.history.replay import ERROR, WARNING, Step, replay
from benchmarks.history.repository import history
from benchmarks.history.verdicts import judged, read_verdicts
from benchmarks.measure import Failed

RELEASES = Path(__file__).resolve().parent / "releases.toml"


def main() -> int:
    """Replays and reports; 2 when something that is needed is not there."""
    releases: dict[str, list[str]] = tomllib.loads(RELEASES.read_text(encoding="utf-8"))
    options = _options(sorted(releases))
    verdicts = read_verdicts()
    keel = f"{version('keel-graph')}, {commit_of('src')}"
    try:
        for package in options.packages or sorted(releases):
            steps = []
            for step in replay(package, history(package, releases[package]), releases[package], keel):
                steps.append(step)
                _tell(step, options.verbose)
            kept = [step for step in read_steps() if step.package != package and step.package in releases]
            every = sorted([*kept, *steps], key=lambda step: step.package)
            pages = write(every, judged(every, verdicts), _setting(every, releases))
    except (CorpusMissing, Failed) as error:
        print(f"history: {error}", file=sys.stderr)
        return 2
    print(as_table(every, judged(every, verdicts)))
    print(f"\nwritten to {' and '.join(path.relative_to(TOP).as_posix() for path in pages)}")
    return 0


def _setting(steps: Sequence[Step], releases: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What was measured with what; packages that were replayed by themselves may have had another keel."""
    whose = {
        keel: sorted({step.package for step in steps if step.keel == keel}) for keel in {step.keel for step in steps}
    }
    told = [f"{keel} ({', '.join(packages)})" for keel, packages in sorted(whose.items())]
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": next(iter(whose)) if len(whose) == 1 else "; ".join(told),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "releases": "; ".join(
            f"{package} {', '.join(releases[package])}" for package in sorted({step.package for step in steps})
        ),
    }


def _options(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"one of {', '.join(names)}; all of them")
    parser.add_argument("--verbose", action="store_true", help="print every WARNING too")
    options = parser.parse_args()
    for name in options.packages:
        if name not in names:
            parser.error(f"no package '{name}' ({', '.join(names)})")
    return options


def _tell(step: Step, with_warnings: bool) -> None:
    counts = f"{step.files} files, {step.findings[ERROR]} ERRORs, {step.findings[WARNING]} WARNINGs"
    print(f"… {step.name}: {counts}, {step.cpu_seconds:.1f} CPU-seconds", file=sys.stderr, flush=True)
    if with_warnings:
        for said in step.said:
            print(f"{step.name} {said.severity} {said.code} {said.symbol}: {said.place} {said.caller}: {said.why}")


if __name__ == "__main__":
    sys.exit(main())
