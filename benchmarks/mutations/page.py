"""What was found, as text for a terminal, as the page that is committed, and as JSON for machines.

The counts are `score`'s.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.mutations.cases import Case
from benchmarks.mutations.judged import Ruling
from benchmarks.mutations.packages import PINS, STYLES
from benchmarks.mutations.score import GROUPS, Listed, Score, by_kind, false_errors, missed, score, written
from benchmarks.report import RESULTS

HEAD = (
    "mutants",
    "broken",
    "error",
    "warning",
    "missed",
    "caught %",
    "false errors",
    "in % of mutants",
    "false warnings",
)
EXPLAINED = """\
Functions with callers are picked by chance from a fixed seed and changed, one change at a time; `keel compile` is asked
about each changed tree, without ty. Counted are calling scopes: a function (or class body, or module) that uses what
was changed. *broken* is the truth: pyright or ty complains there about the changed tree and not about the original, or
the use cannot work by Python's own rules (`inspect.signature(…).bind` with the shape of the call, for the uses that
pyright or ty find), and a person who read it did not find otherwise (`benchmarks/mutations/judged.tsv`). *error* and
*warning* are broken scopes that keel names in an E001, E004 or E005; *missed* are those of which it says nothing.
*false errors* are scopes with an error that are not broken. Scopes inside the changed function itself are left out. The
seventh change that the specification names, a function added in the wrong module (W001), is left out: there is no W001
yet."""
BARS = (97.0, 0.5)


def as_text(cases: Sequence[Case], read: Sequence[Ruling], verbose: bool) -> str:
    """The tables with aligned columns, then what is listed."""
    parts = [f"{title}\n{_aligned(head, rows)}" for title, head, rows in _tables(cases)]
    parts.append(_bars(cases))
    for title, listed in (("missed", missed(cases, read)), ("false errors", false_errors(cases, read))):
        parts.append(f"{title}, by cause\n" + "\n".join(f"{count:5}  {cause}" for cause, count in _causes(listed)))
        if verbose:
            parts.append("\n".join(_line(each) for each in listed))
    return "\n\n".join(parts)


def write(
    cases: Sequence[Case], read: Sequence[Ruling], setting: Mapping[str, str], folder: Path = RESULTS
) -> list[Path]:
    """Keeps the page and the figures behind it."""
    page, figures = folder / "mutations.md", folder / "mutations.json"
    page.write_text(_markdown(cases, read, setting), encoding="utf-8")
    content = {"setting": setting, **_figures(cases, read)}
    figures.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [page, figures]


def _markdown(cases: Sequence[Case], read: Sequence[Ruling], setting: Mapping[str, str]) -> str:
    lines = ["# What an edit breaks, and whether keel says so", ""]
    lines += ["Written by `make bench-mutations`; not edited by hand.", "", EXPLAINED, "", _bars(cases), ""]
    for title, head, rows in _tables(cases):
        lines += [f"## {title}", "", *_table(head, rows), ""]
    for title, listed in (("Missed", missed(cases, read)), ("False errors", false_errors(cases, read))):
        lines += [f"## {title}", ""]
        lines += _table(("cause", "scopes"), [(cause, str(count)) for cause, count in _causes(listed)])
        lines += ["", *(f"- {_line(each)}" for each in listed), ""]
    lines += _table(("setting", ""), list(setting.items()))
    return "\n".join([*lines, ""])


def _bars(cases: Sequence[Case]) -> str:
    caught, false = BARS
    breaking, harmless = (score(case for case in cases if group(case)) for _, group in (GROUPS[0], GROUPS[2]))
    return (
        f"Caught {breaking.caught_share:.2f} % of {breaking.broken:,} broken scopes (bar: {caught:.0f} %), "
        f"{breaking.error_share:.2f} % as errors; "
        f"false errors on {harmless.false_share:.2f} % of {harmless.mutants:,} harmless mutants (bar: {false} %)."
    )


def _tables(cases: Sequence[Case]) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    packages = list(dict.fromkeys(case.package for case in cases))
    rows = []
    for name in packages:
        some = [case for case in cases if case.package == name]
        rows += [(name, title, *_cells(score(each for each in some if group(each)))) for title, group in GROUPS]
    rows += [("all", title, *_cells(score(each for each in cases if group(each)))) for title, group in GROUPS]
    yield "Packages", ("package", "changes", *HEAD), rows
    yield "Kinds of change", ("change", *HEAD), [(kind, *_cells(each)) for kind, each in by_kind(cases)]
    every = [
        (name, kind, *_cells(each))
        for name in packages
        for kind, each in by_kind([case for case in cases if case.package == name])
    ]
    yield "Packages and kinds", ("package", "change", *HEAD), every
    told: list[tuple[str, ...]] = [(kind.value, f"{many:,}", f"{named:,}") for kind, many, named in written(cases)]
    yield "What must be written", ("change", "mutants", "error"), told
    yield "The packages", ("package", "style"), [(f"{name} {PINS[name]}", STYLES[name]) for name in packages]


def _cells(one: Score) -> tuple[str, ...]:
    counts = (one.mutants, one.broken, one.errors, one.warnings, one.missed)
    caught = f"{one.caught_share:.1f}" if one.broken else ""
    return (*map(str, counts), caught, str(one.false_errors), f"{one.false_share:.2f}", str(one.false_warnings))


def _figures(cases: Sequence[Case], read: Sequence[Ruling]) -> dict[str, object]:
    packages = dict.fromkeys(case.package for case in cases)
    return {
        "groups": {title: asdict(score(case for case in cases if group(case))) for title, group in GROUPS},
        "packages": {
            name: {kind.value: asdict(each) for kind, each in by_kind([case for case in cases if case.package == name])}
            for name in packages
        },
        "missed": dict(_causes(missed(cases, read))),
        "false_errors": dict(_causes(false_errors(cases, read))),
    }


def _causes(listed: Sequence[Listed]) -> list[tuple[str, int]]:
    return Counter(each.cause for each in listed).most_common()


def _line(each: Listed) -> str:
    scope = f"{each.scope.path} {each.scope.name}"
    return f"{each.case.package}, {each.case.mutant.label} — {scope}: {each.why} ({each.cause})"


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]
