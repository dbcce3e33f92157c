"""What the moves and the flags came to: a page that is committed, and JSON beside it.

Nothing here judges; that is `moves`' and the readers'.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.placement.duplicates import OTHER, SAME, Flag, Read
from benchmarks.placement.moves import Moved, Verdict
from benchmarks.placement.sample import Tried
from benchmarks.report import RESULTS
from keel.graph.placement.placement import MARGIN

THRESHOLDS = tuple(step / 100 for step in range(20, 85, 5))
EXPLAINED = """\
Every function at the top level of a file is judged twice, as if it were new: where it stands (a flag there is false),
and in a directory of the same package drawn by lot (a flag there is right). *Found* is the share of the second,
*flagged* that of the first. *Origin*: of those found, how many are sent to the directory they came from; *in three*,
how many have it among the suggestion and its runners-up. *Uncalled*: the same when nobody calls the function yet.
*Judged* are functions that W001 speaks about: not those in directories of utilities, nor those that a decorator
registers somewhere; *found of all* counts the others as not found. The threshold is read off the first group of
packages and reported on the second. The bars: found at least 60 %, flagged at most 3 %."""
DUPLICATES = """\
Every function at the top level of a file is judged for W002 as if it were new, and the flags are read by hand (a
hundred of them, drawn by lot, where there are more): `same` when one of the two could go and its users take the other,
`other` when both have to be. The verdicts with their reasons are in `benchmarks/placement/verdicts.tsv`. How alike two
functions must be was set by reading 49 flags of the thirteen packages that were taken first, at a lower bar (0.45): 37
were the same, and of 16 that were less than 0.65 alike and not among utilities 12 were not. The flags of
apache-superset were read afterwards, and then those of apache-airflow-core, checkov, mlflow, nova and prefect, taken in
since there were fewer flags than a hundred. What was read there led to corrections, and the flags that went with them
do not count: migrations of Alembic are left out, also in folders below `versions` (96 flags), as are small functions
that are registered by a decorator (3), functions that use different constants of one name (2) and those that import
different things of one name (2). The bar: 80 % are the same."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a run found."""

    read_off: Sequence[Moved]
    held_out: Sequence[Moved]
    tried: Sequence[Tried]
    eligible: Mapping[str, int]
    flags: Sequence[Flag]
    read: Sequence[Read]
    setting: Mapping[str, str]


def write(outcome: Outcome, folder: Path = RESULTS) -> list[Path]:
    """The page and the figures."""
    page, figures = folder / "placement.md", folder / "placement.json"
    page.write_text("\n".join(_lines(outcome)), encoding="utf-8")
    figures.write_text(json.dumps(_figures(outcome), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [page, figures]


def summary(outcome: Outcome) -> str:
    """The figures of the held-out packages at the threshold that ships, in lines."""
    return "\n".join(_summary(outcome))


def _lines(outcome: Outcome) -> Iterator[str]:
    yield from ("# Placement and duplicates", "", "Written by `make bench-placement`; not edited by hand.", "")
    yield from (*(f"- {line}" for line in _summary(outcome)), "", "## W001: functions moved", "", EXPLAINED, "")
    for title, moved in (("read off", outcome.read_off), ("held out", outcome.held_out)):
        yield f"### At {MARGIN}, packages {'the threshold was ' if title == 'read off' else ''}{title}"
        yield from ("", *_by_package(moved), "")
    yield from ("### The curve", "", *_curve(outcome), "")
    yield from ("### The same through `keel compile`", "", *_sample(outcome.tried), "")
    yield from ("## W002: functions of one name", "", DUPLICATES, "", *_flags(outcome), "")
    yield from (
        "## Setting",
        "",
        "| | |",
        "| --- | --- |",
        *(f"| {name} | {said} |" for name, said in outcome.setting.items()),
        "",
    )


def _summary(outcome: Outcome) -> Iterator[str]:
    moved = [each for each in outcome.held_out if each.is_judged]
    found, flagged = _share(moved, _found), _share(moved, _flagged)
    yield (
        f"W001 at {MARGIN}, held-out packages: found {found:.1%} of {len(moved):,} moved functions (bar 60 %),"
        f" flagged {flagged:.1%} where they are (bar 3 %)"
    )
    agreed = sum(each.expected == each.told for each in outcome.tried)
    yield f"`keel compile` on real edits agrees in {agreed} of {len(outcome.tried)}"
    same = sum(each.verdict == SAME for each in outcome.read)
    share = f", {same / len(outcome.read):.0%}" if outcome.read else ""
    judged = sum(outcome.eligible.values())
    yield (
        f"W002: {len(outcome.flags)} flags on {judged:,} functions; of {len(outcome.read)} read by hand"
        f" {same} are the same{share} (bar 80 %)"
    )


def _by_package(moved: Sequence[Moved]) -> Iterator[str]:
    heads = ("package", "functions", "judged", "found", "origin", "in three", "flagged", "found of all")
    yield f"| {' | '.join((*heads, 'uncalled: found', 'flagged'))} |"
    yield f"| {' | '.join(['---'] * (len(heads) + 2))} |"
    names = list(dict.fromkeys(each.package for each in moved))
    for name in [*names, "all"]:
        own = [each for each in moved if name in (each.package, "all")]
        judged = [each for each in own if each.is_judged]
        found = [each for each in judged if _found(each)]
        cells = (
            name,
            f"{len(own):,}",
            f"{len(judged):,}",
            f"{_share(judged, _found):.1%}",
            f"{_share(found, lambda each: each.in_host.best[0] == each.origin):.0%}",
            f"{_share(found, lambda each: each.origin in each.in_host.best):.0%}",
            f"{_share(judged, _flagged):.1%}",
            f"{len(found) / len(own):.1%}",
            f"{_share(judged, lambda each: each.uncalled_in_host.is_flagged(MARGIN)):.1%}",
            f"{_share(judged, lambda each: each.uncalled_at_home.is_flagged(MARGIN)):.1%}",
        )
        yield f"| {' | '.join(cells)} |"


def _curve(outcome: Outcome) -> Iterator[str]:
    yield "| threshold | read off: found | flagged | held out: found | flagged |"
    yield "| --- | --- | --- | --- | --- |"
    for threshold in THRESHOLDS:
        cells = [f"**{threshold:.2f}**" if threshold == MARGIN else f"{threshold:.2f}"]
        for moved in (outcome.read_off, outcome.held_out):
            judged = [each for each in moved if each.is_judged]
            cells += [f"{_share(judged, lambda each: each.in_host.is_flagged(threshold)):.1%}"]  # noqa: B023  # used at once
            cells += [f"{_share(judged, lambda each: each.at_home.is_flagged(threshold)):.1%}"]  # noqa: B023  # used at once
        yield f"| {' | '.join(cells)} |"


def _sample(tried: Sequence[Tried]) -> Iterator[str]:
    agreed = sum(each.expected == each.told for each in tried)
    yield f"{len(tried)} of the moves were made as edits and judged by `keel compile`: {agreed} got the verdict above."
    for each in tried:
        if each.expected != each.told:
            words = "told, not expected" if each.told else "expected, not told"
            yield f"- {each.package} `{each.name}` in `{each.host}/`: {words}"


def _flags(outcome: Outcome) -> Iterator[str]:
    yield "| package | functions | flags | read | same | other |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in [*outcome.eligible, "all"]:
        mine = [each for each in outcome.flags if name in (each.package, "all")]
        read = [each for each in outcome.read if name in (each.flag.package, "all")]
        counts = (sum(each.verdict == verdict for each in read) for verdict in (SAME, OTHER))
        eligible = outcome.eligible.get(name, sum(outcome.eligible.values()))
        yield f"| {name} | {eligible:,} | {len(mine)} | {len(read)} | {' | '.join(map(str, counts))} |"


def _figures(outcome: Outcome) -> dict[str, object]:
    """Verdicts as numbers, a line a function would be too much: the curve by package."""
    curves = {}
    for moved in (outcome.read_off, outcome.held_out):
        for name in dict.fromkeys(each.package for each in moved):
            judged = [each for each in moved if each.package == name and each.is_judged]
            curves[name] = {
                "judged": len(judged),
                "found": _reached(each.in_host for each in judged),
                "flagged": _reached(each.at_home for each in judged),
            }
    return {
        "setting": dict(outcome.setting),
        "margin": MARGIN,
        "thresholds": THRESHOLDS,
        "curves": curves,
        "compiled": [asdict(each) for each in outcome.tried],
        "flags": [asdict(each) for each in outcome.flags],
    }


def _reached(verdicts: Iterator[Verdict]) -> list[int]:
    """How many verdicts are told at each threshold."""
    held = list(verdicts)
    return [sum(each.is_flagged(threshold) for each in held) for threshold in THRESHOLDS]


def _found(each: Moved) -> bool:
    return each.in_host.is_flagged(MARGIN)


def _flagged(each: Moved) -> bool:
    return each.at_home.is_flagged(MARGIN)


def _share(moved: Sequence[Moved], is_it: Callable[[Moved], bool]) -> float:
    return sum(map(is_it, moved)) / len(moved) if moved else 0.0
