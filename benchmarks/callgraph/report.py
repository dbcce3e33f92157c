"""The scores of call graphs as a table for people, a page and JSON.

Nothing here judges; that is `score`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from benchmarks.callgraph.score import Sum, Verdict, total
from benchmarks.report import RESULTS

ALL = "all"
COLUMNS = ("whole", "precision", "recall")
IMPLICIT_COLUMNS = ("implicit: precision", "recall")
PRECISION_BAR, RECALL_BAR = 0.99, 0.97


class Scores(NamedTuple):
    """A tool's verdicts, and the cases it broke on with the reason."""

    tool: str
    verdicts: Sequence[Verdict]
    failures: Mapping[str, str]
    implicit_claimed: bool
    """Whether it says that it finds implicit calls."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What is shown of it."""
        return (*COLUMNS, *IMPLICIT_COLUMNS) if self.implicit_claimed else COLUMNS

    def categories(self) -> dict[str, list[Verdict]]:
        """The verdicts by category, with all of them last."""
        found = {name: list(each) for name, each in groupby(self.verdicts, lambda verdict: verdict.case.category)}
        return {**found, ALL: list(self.verdicts)}


def as_table(scores: Sequence[Scores]) -> str:
    """The table with aligned columns."""
    lines = list(_rows(scores))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    drawn = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    drawn.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(drawn)


def as_markdown(scores: Sequence[Scores], setting: Mapping[str, str]) -> str:
    """The page that is committed."""
    head, *body = [f"| {' | '.join(row)} |" for row in _rows(scores)]
    rule = f"|{' --- |' * (1 + sum(len(each.columns) for each in scores))}"
    return "\n".join(
        [
            "# Call graphs against hand-made truth",
            "",
            "Written by `make bench-callgraph`; not edited by hand. The cases are `tests/spec/python/callgraph`,",
            "proved by running them. Whole: cases with nothing wrong and nothing missing. Precision and recall count",
            "calls that are written; implicit ones (operators, `with`, `for`, properties, callbacks of built-ins)",
            "stand apart.",
            f"The bar is precision ≥ {PRECISION_BAR:g} and recall ≥ {RECALL_BAR:g} over all cases.",
            "PyCG is not asked for what it does not claim: implicit calls, classes without a constructor, and telling",
            "definitions of one name apart. What it reports of them and is right counts for it.",
            "",
            head,
            rule,
            *body,
            "",
            *(f"- {line}" for line in notes(scores)),
            "",
            "| setting | |",
            "| --- | --- |",
            *(f"| {name} | {value} |" for name, value in setting.items()),
            "",
        ]
    )


def notes(scores: Sequence[Scores]) -> Iterator[str]:
    """Whether the bar is met, and what broke."""
    for each in scores:
        written = total(each.verdicts, implicit=False)
        met = (written.precision or 0) >= PRECISION_BAR and (written.recall or 0) >= RECALL_BAR
        yield f"{each.tool}: {_counts(written)}; {'met' if met else 'NOT MET'}"
        yield from (f"{each.tool}: no answer to {case}: {why}" for case, why in each.failures.items())


def mistakes(scores: Scores) -> Iterator[str]:
    """Each case that is not whole, with what is wrong and missing in it."""
    for verdict in scores.verdicts:
        if not verdict.is_whole:
            yield f"{scores.tool}: {verdict.case.category}.md:{verdict.case.line}: {verdict.case.title}"
            for word, edges in (("wrong", verdict.wrong), ("missing", verdict.missing)):
                for edge in sorted(edges):
                    marks = "".join(f" {mark}" for mark in sorted(verdict.case.calls.get(edge, ())))
                    yield f"    {word}: {edge}{marks}"


def write(scores: Sequence[Scores], setting: Mapping[str, str], folder: Path = RESULTS) -> list[Path]:
    """Keeps the page and the figures behind it."""
    folder.mkdir(parents=True, exist_ok=True)
    page, figures = folder / "callgraph.md", folder / "callgraph.json"
    page.write_text(as_markdown(scores, setting), encoding="utf-8")
    content = {"setting": setting, "tools": {each.tool: _figures(each) for each in scores}}
    figures.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [page, figures]


def _rows(scores: Sequence[Scores]) -> Iterator[tuple[str, ...]]:
    yield ("category", *(name for each in scores for name in (f"{each.tool}: {COLUMNS[0]}", *each.columns[1:])))
    for category in scores[0].categories():
        yield (category, *(cell for each in scores for cell in _cells(each, category)))


def _cells(scores: Scores, category: str) -> tuple[str, ...]:
    verdicts = scores.categories()[category]
    written, implicit = total(verdicts, implicit=False), total(verdicts, implicit=True)
    cells = (f"{written.whole}/{written.cases}", _ratio(written.precision), _ratio(written.recall))
    return (*cells, _ratio(implicit.precision), _ratio(implicit.recall)) if scores.implicit_claimed else cells


def _figures(scores: Scores) -> dict[str, object]:
    return {
        "categories": {
            category: {"written": _sum(total(each, False)), "implicit": _sum(total(each, True))}
            for category, each in scores.categories().items()
        },
        "failures": dict(scores.failures),
        "mistakes": {
            verdict.case.name: {
                "wrong": [str(edge) for edge in sorted(verdict.wrong)],
                "missing": [str(edge) for edge in sorted(verdict.missing)],
            }
            for verdict in scores.verdicts
            if not verdict.is_whole
        },
    }


def _sum(counted: Sum) -> dict[str, float | None]:
    return {**counted._asdict(), "precision": counted.precision, "recall": counted.recall}


def _counts(counted: Sum) -> str:
    return (
        f"{counted.right} written calls right, {counted.wrong} wrong, {counted.missing} missing; "
        f"{counted.whole} of {counted.cases} cases whole"
    )


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
