"""What was found, as text for a terminal, as the page that is committed, and as JSON for machines.

The counts are `figures`', the lists of sites `listing`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.accuracy.figures import ALONE, EXTRA, WITH_TIER3, WITH_TY, Answerer, Judged, Result, summed
from benchmarks.accuracy.judged import OPEN, RIGHT, SAMPLE_SIZE, WRONG
from benchmarks.accuracy.score import Score
from benchmarks.report import RESULTS

Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]
"""What it is about, its head, and its rows."""

COUNTS = ("sites", "same", "wrong", "silent", "same %", "right %", "outside", "excused", "several")
BARS = {ALONE: (97.0, 99.0), WITH_TY: (99.5, 99.7)}
"""Per cent of sites with the same answer, and of answers that are right."""
KEELS = (ALONE, WITH_TY, WITH_TIER3)
SHAPES_SHOWN = 8
OFFENDERS_SHOWN = 10
EXPLAINED = """\
A site is a callee (the name, or the last part of a dotted one) or a name of `from … import …` in the package's own
source, tests left out. It counts where pyright's definition is a function or class of that source (for imports, a
module too). A class, its `__init__` and its `__new__` are the same thing, and so are overloads with their
implementation and the accessors of a property. *same*: the same is named; *wrong*: something else is named; *silent*:
nothing is named. *outside*: something of the package is named where pyright lands outside of it. *excused*: of wrong
and outside, those that ty says too, or that were judged right by reading the source. *right %* is same and excused, of
same, wrong and outside. *several*: counted as same, and other targets are named besides."""
TIER3 = """\
Tier 3 is pyright itself: where keel asks it, the comparison with pyright says only that its answers arrive."""


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run."""

    results: Sequence[Result]
    judged: Judged
    setting: Mapping[str, str]


def as_text(report: Report) -> str:
    """The tables with aligned columns, and below them what no import explains."""
    parts = [f"{title}\n{_aligned([head, *rows])}" for title, head, rows in _tables(report)]
    parts += [_reach(result) for result in report.results if result.reach]
    return "\n\n".join(parts)


def as_markdown(report: Report) -> str:
    """The page that is committed."""
    lines = ["# Accuracy", "", "Written by `make bench-accuracy`; not edited by hand. What it means, and what it does"]
    lines += [
        "not say, is explained in [docs/accuracy.md](../../docs/accuracy.md); what it costs to let ty be asked is"
    ]
    lines += ["measured [apart](map_with_ty.md).", "", EXPLAINED, ""]
    if any(WITH_TIER3 in result.answerers for result in report.results):
        lines += [TIER3, ""]
    for title, head, rows in _tables(report):
        lines += [f"## {title}", "", *_table(head, rows), ""]
    reaching = [f"- {_reach(result)}" for result in report.results if result.reach]
    if reaching:
        lines += ["## Edges that no import explains", "", *reaching, ""]
    lines += _table(("setting", ""), list(report.setting.items()))
    return "\n".join([*lines, ""])


def write(report: Report, folder: Path = RESULTS) -> list[Path]:
    """Keeps the page and the figures behind it."""
    folder.mkdir(parents=True, exist_ok=True)
    page, figures = folder / "accuracy.md", folder / "accuracy.json"
    page.write_text(as_markdown(report), encoding="utf-8")
    content = {
        "setting": report.setting,
        "packages": [_figures(result) for result in report.results],
        "judged": report.judged.verdicts,
    }
    figures.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [page, figures]


def _tables(report: Report) -> Iterator[Table]:
    results = report.results
    yield "The bars", ("answers", "packages", "same %", "bar", "", "right %", "bar", ""), list(_bars(results))
    head: Sequence[str] = ("package", "answers", *COUNTS)
    yield "Calls and imports", head, list(_all(results))
    for kind, title in (("call", "Calls alone"), ("import", "Imports alone")):
        yield title, head, list(_of_kind(results, kind))
    yield "keel and its peers on the same sites", ("package", "who", *PEER_COUNTS), list(_peers(results))
    yield "Where pyright names no function or class", SILENT_HEAD, list(_alone(results))
    head = ("tier of the answer", "judged", RIGHT, WRONG, OPEN)
    yield f"{SAMPLE_SIZE} of these, judged by reading the source", head, list(_judged(report.judged))
    head = ("package", "answers", "what is behind it", "sites")
    yield "Differences by cause", head, list(_causes(results))


def _bars(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for who, (same, right) in BARS.items():
        counted = [(f"all without {EXTRA}", summed(results, who))]
        counted += [(result.package, result.answerers[who].all) for result in results if who in result.answerers]
        for package, score in counted:
            if score.sites:
                yield (
                    who,
                    package,
                    *(f"{score.same_share:.2f}", f"≥ {same:.1f}", _met(score.same_share, same)),
                    *(f"{score.right_share:.2f}", f"≥ {right:.1f}", _met(score.right_share, right)),
                )


def _met(share: float, bar: float) -> str:
    return "met" if share >= bar else "NOT MET"


def _all(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for result in results:
        for who, one in _keels(result):
            yield result.package, who, *_counts(one.all)
    for who in KEELS:
        if (score := summed(results, who)).sites:
            yield f"all without {EXTRA}", who, *_counts(score)


def _of_kind(results: Sequence[Result], kind: str) -> Iterator[tuple[str, ...]]:
    for result in results:
        for who, one in _keels(result):
            yield result.package, who, *_counts(one.by_kind[kind])


def _keels(result: Result) -> list[tuple[str, Answerer]]:
    return [(who, result.answerers[who]) for who in KEELS if who in result.answerers]


def _counts(score: Score) -> tuple[str, ...]:
    shares = (f"{score.same_share:.2f}", f"{score.right_share:.2f}")
    counts = (score.sites, score.same, score.wrong, score.silent)
    return *map(_number, counts), *shares, *map(_number, (score.outside, score.excused, score.several))


PEER_COUNTS = ("sites", "same", "wrong", "silent", "same %", "CPU-s")


def _peers(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for result in results:
        for who, one in result.answerers.items():
            if who != WITH_TIER3:
                counts = map(_number, (one.all.sites, one.all.same, one.all.wrong, one.all.silent))
                cost = "" if one.cpu_seconds is None else f"{one.cpu_seconds:.1f}"
                yield result.package, who, *counts, f"{one.all.same_share:.2f}", cost


SILENT_HEAD = ("package", "keel alone answers", "keel with ty answers", "ty gives that answer too")


def _alone(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for result in results:
        own = result.answerers[ALONE].all.alone
        yield result.package, *map(_number, (own, result.alone["answers"], result.alone["ty agrees"]))


def _judged(judged: Judged) -> Iterator[tuple[str, ...]]:
    for tier, verdicts in [*judged.verdicts.items(), ("all", judged.total)]:
        yield tier, str(sum(verdicts.values())), *(str(verdicts.get(one, 0)) for one in (RIGHT, WRONG, OPEN))


def _causes(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for result in results:
        for who, causes in result.causes.items():
            shown = list(causes.items()) if who == WITH_TY else list(causes.items())[:SHAPES_SHOWN]
            for cause, count in shown:
                yield result.package, who, cause, _number(count)
            rest = sum(causes.values()) - sum(count for _, count in shown)
            if rest:
                yield result.package, who, "others", _number(rest)


def _figures(result: Result) -> dict[str, object]:
    figures: dict[str, object] = {"package": result.package, "version": result.version}
    figures["answerers"] = {
        who: {"cpu_seconds": one.cpu_seconds, "all": asdict(one.all)}
        | {kind: asdict(score) for kind, score in one.by_kind.items()}
        for who, one in result.answerers.items()
    }
    figures["causes"] = result.causes
    figures["where_pyright_names_none"] = result.alone
    if result.reach:
        figures["call_edges"] = result.reach.edges
        figures["into_tests"] = result.reach.into_tests
        figures["unreachable"] = len(result.reach.unreachable)
    return figures


def _number(count: int) -> str:
    return f"{count:,}"


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]


def _reach(result: Result) -> str:
    found = result.reach
    assert found is not None, "asked only of packages that were checked"
    share = 100 * len(found.unreachable) / found.edges if found.edges else 0.0
    listed = [
        f"{edge.place} calls {edge.target.path}:{edge.target.line} {edge.target.name} ({edge.confidence:.2f})"
        for edge in found.unreachable[:OFFENDERS_SHOWN]
    ]
    head = (
        f"{result.package}: {found.edges:,} edges from calls and constructions in the whole tree, "
        f"{found.into_tests:,} of them into tests; "
        f"{len(found.unreachable):,} ({share:.2f} % of all) that the caller's file cannot reach by import"
    )
    return "\n".join([head, *(f"  - {line}" for line in listed)])
