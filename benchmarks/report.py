"""What was measured, as a table for people and as JSON for machines.

How it was measured is left to `house`, `survival` and `peer`. Nothing here judges beyond comparing with the bar.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"
COLUMNS = ("measure", "figure", "yardstick", "ratio", "bar", "met")


@dataclass(frozen=True, slots=True)
class Row:
    """One measure. The bar is for the ratio where there is one, else for the figure."""

    measure: str
    figure: float | None = None
    unit: str = ""
    yardstick: str = ""
    against: float | None = None
    ratio: float | None = None
    by_minima: float | None = None
    """The same ratio, of the cheapest runs instead of the median ones: load on the machine only ever adds."""
    bar: float | None = None
    holds: bool | None = None
    """For what is had or not had, and has no figure."""
    note: str = ""
    samples: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Every single CPU figure the medians were taken of, in seconds."""

    @property
    def verdict(self) -> str:
        """Whether the bar is met; nothing where there is no bar or no figure."""
        value = self.figure if self.ratio is None else self.ratio
        if self.bar is None or value is None:
            return {None: "", True: "met", False: "NOT MET"}[self.holds]
        met = value <= self.bar
        if self.by_minima is not None and (self.by_minima <= self.bar) != met:
            return "UNCLEAR"
        return "met" if met else "NOT MET"


@dataclass(frozen=True, slots=True)
class Run:
    """A run of the benchmarks: on what, and what came out."""

    setting: Mapping[str, str]
    rows: Sequence[Row]


def as_table(run: Run) -> str:
    """The table with aligned columns, and the notes below it."""
    lines = [COLUMNS, *(_cells(row) for row in run.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    drawn = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    drawn.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*drawn, "", *_notes(run), "", *(f"{name}: {value}" for name, value in run.setting.items())])


def as_markdown(run: Run, title: str = "House benchmarks", target: str = "make bench") -> str:
    """The page that is committed."""
    head = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
    body = [f"| {' | '.join(_cells(row))} |" for row in run.rows]
    return "\n".join(
        [
            f"# {title}",
            "",
            f"Written by `{target}`; not edited by hand. CPU-seconds are user and system time of a command and its",
            "children, medians unless a note says otherwise; what is compared was run in turns. MB: millions of bytes.",
            "UNCLEAR: medians and cheapest runs are on two sides of the bar; the machine was too busy to say.",
            "",
            *head,
            *body,
            "",
            *(f"- {note}" for note in _notes(run)),
            "",
            "| setting | |",
            "| --- | --- |",
            *(f"| {name} | {value} |" for name, value in run.setting.items()),
            "",
        ]
    )


def write(run: Run, folder: Path = RESULTS) -> list[Path]:
    """Keeps the page and the figures behind it."""
    folder.mkdir(parents=True, exist_ok=True)
    page, figures = folder / "house.md", folder / "house.json"
    page.write_text(as_markdown(run), encoding="utf-8")
    figures.write_text(as_json(run), encoding="utf-8")
    return [page, figures]


def as_json(run: Run) -> str:
    """The figures behind the page."""
    content = {"setting": run.setting, "rows": [asdict(row) | {"verdict": row.verdict} for row in run.rows]}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    unit = "×" if row.ratio is not None else row.unit
    return (
        row.measure,
        _figure(row),
        f"{row.yardstick}: {_number(row.against)} {row.unit}" if row.against is not None else row.yardstick,
        "" if row.ratio is None else f"{row.ratio:.2f} ×",
        "" if row.bar is None else f"≤ {row.bar:g} {unit}".rstrip(),
        row.verdict,
    )


def _figure(row: Row) -> str:
    if row.figure is not None:
        return f"{_number(row.figure)} {row.unit}".rstrip()
    if row.holds is not None:
        return "pass" if row.holds else "FAIL"
    return "not measured"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}" if value < 100 else f"{value:.1f}"


def _notes(run: Run) -> list[str]:
    return [f"{row.measure}: {row.note}" for row in run.rows if row.note]
