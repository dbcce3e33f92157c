"""`python -m benchmarks.placement`: moves functions of real packages, and says how many keel finds again.

A benchmark is no test: it says what is not met and exits with 0. The first run fetches and maps the packages, which
takes minutes. `--flags` prints the W002 flags that were drawn for reading and have no verdict yet.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version

from benchmarks.checkout import TOP, commit_of
from benchmarks.corpora import PINS, CorpusMissing
from benchmarks.measure import Failed
from benchmarks.placement.duplicates import Flag, drawn, flags, verdicts
from benchmarks.placement.moves import Moved, moves
from benchmarks.placement.packages import COMPILED, HELD_OUT, READ_OFF, SOURCES, graph_of, mapped
from benchmarks.placement.page import Outcome, summary, write
from benchmarks.placement.sample import Tried, sample


def main() -> int:
    """Measures and reports; 2 when something that is needed is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.placement", description=__doc__.partition("\n")[0])
    parser.add_argument("--flags", action="store_true", help="only print flags of W002 that nobody has read")
    try:
        if parser.parse_args().flags:
            return _tell_unread()
        outcome = _measured()
    except (CorpusMissing, Failed) as error:
        print(f"placement: {error}", file=sys.stderr)
        return 2
    pages = write(outcome)
    print(summary(outcome))
    print(f"\nwritten to {' and '.join(path.relative_to(TOP).as_posix() for path in pages)}")
    return 0


def _measured() -> Outcome:
    groups: list[list[Moved]] = []
    tried: list[Tried] = []
    for group in (READ_OFF, HELD_OUT):
        every: list[Moved] = []
        for name, source in group.items():
            tree = mapped(name)
            with graph_of(tree) as reader:
                own = list(moves(name, source, reader))
            if name in COMPILED:
                tried += sample(tree, own)
            every += own
            print(f"… {name}: {len(own):,} functions moved", file=sys.stderr, flush=True)
        groups.append(every)
    eligible, found = _flagged()
    read = verdicts()
    held = [read[key] for key in (_key(each) for each in drawn(found)) if key in read]
    return Outcome(groups[0], groups[1], tried, eligible, found, held, _setting())


def _flagged() -> tuple[Mapping[str, int], list[Flag]]:
    eligible: dict[str, int] = {}
    found: list[Flag] = []
    for name, source in SOURCES.items():
        with graph_of(mapped(name)) as reader:
            eligible[name], own = flags(name, source, reader)
        found += own
        print(f"… {name}: {len(own)} of {eligible[name]:,} functions have a namesake", file=sys.stderr, flush=True)
    return eligible, found


def _tell_unread() -> int:
    read = verdicts()
    for each in drawn(_flagged()[1]):
        if _key(each) not in read:
            print(f"{each.package}\t{each.place}\t{each.name}\t{each.other}\t{each.likeness}")
    return 0


def _key(flag: Flag) -> tuple[str, str, str]:
    return flag.package, flag.place, flag.name


def _setting() -> dict[str, str]:
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": f"{version('keel-graph')}, {commit_of('src')}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": ", ".join(f"{name} {PINS[name]}" for name in sorted(SOURCES)),
    }


if __name__ == "__main__":
    sys.exit(main())
