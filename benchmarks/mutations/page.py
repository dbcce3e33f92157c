"""What was found, as text for a terminal, as the page that is committed, and as JSON for machines.

The counts are `score`'s.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.mutations.cases import LEVELS, OWN, TY, Case
from benchmarks.mutations.judged import Ruling
from benchmarks.mutations.mutants import WRITTEN
from benchmarks.mutations.packages import PINS, STYLES
from benchmarks.mutations.score import (
    GROUPS,
    ReportedCase,
    Score,
    by_one,
    false_errors,
    missed,
    of_kinds,
    score,
    written,
)
from benchmarks.report import RESULTS

AT_LEVEL = ("error", "warning", "missed", "caught %", "false errors", "in % of mutants", "false warnings")
HEAD = ("mutants", "broken", *(f"{level}: {title}" for level in LEVELS for title in AT_LEVEL))
EXPLAINED = """\
Functions with callers are picked by chance from a fixed seed and changed, one change at a time; `keel compile` is asked
about each changed tree twice, alone (*own*) and with ty as a witness (*ty*). Counted are calling scopes: a function (or
class body, or module) that uses what was changed. *broken* is the truth: pyright or ty complains there about the
changed tree and not about the original, or the use cannot work by Python's own rules (`inspect.signature(…).bind` with
the shape of the call, for the uses that pyright or ty find), and a person who read it did not find otherwise
(`benchmarks/mutations/judged.tsv`). Who is ruled broken by hand fails when Python runs it (`python -m
benchmarks.mutations.ran`). *error* and *warning* are broken scopes that keel names in an E001, E004 or E005; *missed*
are those of which it says nothing. *false errors* are scopes with an error that are not broken. Scopes inside the
changed function itself are left out. The seventh change that the specification names, a function added in the wrong
module (W001), has a page of its own (`placement.md`).

ty is part of the truth that keel with ty is held against, so what pyright alone says is counted besides."""
BARS = {OWN: 97.0, TY: 99.0}
"""What is to be caught of a hundred broken scopes."""
FALSE_BAR = 0.5
PYRIGHT = "pyright"


def as_text(cases: Sequence[Case], read: Sequence[Ruling], verbose: bool) -> str:
    """The tables with aligned columns, then what is listed."""
    parts = [f"{title}\n{_aligned(head, rows)}" for title, head, rows in _tables(cases)]
    parts.append(_bars(cases))
    for title, listed in _lists(cases, read):
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
    for title, listed in _lists(cases, read):
        lines += [f"## {title.capitalize()}", ""]
        lines += _table(("cause", "scopes"), [(cause, str(count)) for cause, count in _causes(listed)])
        lines += ["", *(f"- {_line(each)}" for each in listed), ""]
    lines += _table(("setting", ""), list(setting.items()))
    return "\n".join([*lines, ""])


def _lists(cases: Sequence[Case], read: Sequence[Ruling]) -> Iterator[tuple[str, list[ReportedCase]]]:
    for level in LEVELS:
        some = [case.at(level) for case in cases]
        yield f"missed, {level}", missed(some, read)
        yield f"false errors, {level}", false_errors(some, read)


def _bars(cases: Sequence[Case]) -> str:
    return "\n".join(_bars_at([case.at(level) for case in cases], level) for level in LEVELS)


def _bars_at(cases: Sequence[Case], level: str) -> str:
    breaking, typed, harmless = (score(case for case in cases if group(case)) for _, group in GROUPS)
    every = score(case for case in cases if case.mutant.kind not in WRITTEN)
    says, caught = by_one(cases, PYRIGHT)
    return (
        f"{level}: caught {breaking.caught_share:.2f} % of {breaking.broken:,} broken scopes "
        f"(bar: {BARS[level]:.0f} %), {breaking.error_share:.2f} % as errors; with changes of types "
        f"{breaking.also(typed).caught_share:.2f} % of {breaking.also(typed).broken:,}; "
        f"of the {says:,} that pyright says, {100 * caught / (says or 1):.2f} %; false errors on "
        f"{harmless.false_share:.2f} % of {harmless.mutants:,} harmless mutants (bar: {FALSE_BAR} %), and on "
        f"{every.false_share:.2f} % of all {every.mutants:,}."
    )


def _tables(cases: Sequence[Case]) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    packages = list(dict.fromkeys(case.package for case in cases))
    rows = []
    for name in packages:
        some = [case for case in cases if case.package == name]
        rows += [(name, title, *_cells([each for each in some if group(each)])) for title, group in GROUPS]
    rows += [("all", title, *_cells([each for each in cases if group(each)])) for title, group in GROUPS]
    yield "Packages", ("package", "changes", *HEAD), rows
    yield "Kinds of change", ("change", *HEAD), [(kind, *_cells(each)) for kind, each in of_kinds(cases)]
    every = [
        (name, kind, *_cells(each))
        for name in packages
        for kind, each in of_kinds([case for case in cases if case.package == name])
    ]
    yield "Packages and kinds", ("package", "change", *HEAD), every
    told: list[tuple[str, ...]] = [(kind.value, f"{many:,}", f"{named:,}") for kind, many, named in written(cases)]
    yield "What must be written", ("change", "mutants", "error"), told
    yield "The packages", ("package", "style"), [(f"{name} {PINS[name]}", STYLES[name]) for name in packages]


def _cells(cases: Sequence[Case]) -> tuple[str, ...]:
    alone = score(cases)
    parts = [_cells_at(score(case.at(level) for case in cases)) for level in LEVELS]
    return (str(alone.mutants), str(alone.broken), *(cell for part in parts for cell in part))


def _cells_at(one: Score) -> tuple[str, ...]:
    caught = f"{one.caught_share:.1f}" if one.broken else ""
    counts = (str(one.errors), str(one.warnings), str(one.missed), caught)
    return (*counts, str(one.false_errors), f"{one.false_share:.2f}", str(one.false_warnings))


def _figures(cases: Sequence[Case], read: Sequence[Ruling]) -> dict[str, object]:
    return {level: _figures_at([case.at(level) for case in cases], read) for level in LEVELS}


def _figures_at(cases: Sequence[Case], read: Sequence[Ruling]) -> dict[str, object]:
    packages = dict.fromkeys(case.package for case in cases)
    says, caught = by_one(cases, PYRIGHT)
    return {
        "groups": {title: asdict(score(case for case in cases if group(case))) for title, group in GROUPS},
        "pyright": {"broken": says, "caught": caught},
        "packages": {
            name: {
                kind.value: asdict(score(some))
                for kind, some in of_kinds([case for case in cases if case.package == name])
            }
            for name in packages
        },
        "missed": dict(_causes(missed(cases, read))),
        "false_errors": dict(_causes(false_errors(cases, read))),
    }


def _causes(listed: Sequence[ReportedCase]) -> list[tuple[str, int]]:
    return Counter(each.cause for each in listed).most_common()


def _line(each: ReportedCase) -> str:
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
