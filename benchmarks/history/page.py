"""What the replay came to: a table for people, a page that is committed, and JSON.

Nothing here judges; that is `verdicts`'.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from statistics import median

from benchmarks.history.replay import ERROR, WARNING, Statement, Step
from benchmarks.history.verdicts import Judged, Truth
from benchmarks.report import RESULTS

COLUMNS = (
    *("package", "steps", "changed files", "changed signatures"),
    *("ERRORs", "places", "true", "false", "not judged", "WARNINGs", "places of those", "CPU s median", "worst"),
)
EXPLAINED = """\
A step: one release is committed, the next one is the working tree, and `keel compile` judges the edit, without a type
checker. Both releases work, so an ERROR (E001, E004, E005) names a defect that the release has, or is false.
Each was read by hand; the verdicts are in `benchmarks/history/verdicts.toml`. *ERRORs* and *WARNINGs* are findings;
*places* are the lines they name, and *true*, *false* and *not judged* count those. *Changed signatures*: functions that
both releases have in the same file, with other parameters or another result. *CPU s*: user and system time of one
`keel compile`, bringing the graph up to date included. The bar: no false ERROR."""


def as_table(steps: Sequence[Step], verdicts: Sequence[Judged]) -> str:
    """The table with aligned columns, and below it every ERROR that is not true."""
    lines = [COLUMNS, *_rows(steps, verdicts)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    drawn = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    drawn.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*drawn, "", *_notes(verdicts)])


def as_markdown(steps: Sequence[Step], verdicts: Sequence[Judged], setting: Mapping[str, str]) -> str:
    """The page that is committed."""
    rows = [COLUMNS, ("---",) * len(COLUMNS), *_rows(steps, verdicts)]
    return "\n".join(
        [
            *("# Releases replayed as edits", "", "Written by `make bench-history`; not edited by hand.", ""),
            *(EXPLAINED, ""),
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
            *(f"- {note}" for note in _notes(verdicts)),
            *("", "| setting | |", "| --- | --- |"),
            *(f"| {name} | {value} |" for name, value in setting.items()),
            "",
        ]
    )


def write(
    steps: Sequence[Step], verdicts: Sequence[Judged], setting: Mapping[str, str], folder: Path = RESULTS
) -> list[Path]:
    """Keeps the page and the figures behind it."""
    folder.mkdir(parents=True, exist_ok=True)
    page, figures = folder / "history.md", folder / "history.json"
    page.write_text(as_markdown(steps, verdicts, setting), encoding="utf-8")
    kept = [replace(step, said=[said for said in step.said if said.severity == ERROR]) for step in steps]
    content = {"setting": setting, "steps": [asdict(step) for step in kept]}
    figures.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [page, figures]


def read_steps(folder: Path = RESULTS) -> list[Step]:
    """The steps that were kept, in their order; none when there are no figures."""
    try:
        content = json.loads((folder / "history.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return [Step(**step | {"said": [Statement(**said) for said in step["said"]]}) for step in content["steps"]]


def _rows(steps: Sequence[Step], verdicts: Sequence[Judged]) -> Iterator[tuple[str, ...]]:
    for package, each in groupby(steps, lambda step: step.package):
        yield _row(package, list(each), [one for one in verdicts if one.step.package == package])
    if steps:
        yield _row("all", steps, verdicts)


def _row(name: str, steps: Sequence[Step], verdicts: Sequence[Judged]) -> tuple[str, ...]:
    counts = (
        len(steps),
        sum(step.files for step in steps),
        sum(step.signatures for step in steps),
        sum(step.findings[ERROR] for step in steps),
        len(verdicts),
        *(sum(each.truth is truth for each in verdicts) for truth in Truth),
        sum(step.findings[WARNING] for step in steps),
        sum(step.places[WARNING] for step in steps),
    )
    seconds = [step.cpu_seconds for step in steps]
    return (name, *(f"{count:,}" for count in counts), f"{median(seconds):.1f}", f"{max(seconds):.1f}")


def _notes(verdicts: Sequence[Judged]) -> Iterator[str]:
    false = sum(each.truth is not Truth.TRUE for each in verdicts)
    yield f"no ERROR that is not true: {'met' if not false else f'NOT MET, {false} places'}"
    for each in verdicts:
        said = each.said
        place = f"{each.step.name}, {said.place}: {said.code} {said.symbol}"
        yield f"{each.truth.value}: {place}: {said.why}. {each.why}".strip()
