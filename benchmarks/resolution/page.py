"""What was found, as text for a terminal, as the page that is committed, and as JSON for machines.

The counts are `score`'s, the lists of sites `listing`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.report import RESULTS
from benchmarks.resolution.reach import Reach
from benchmarks.resolution.score import Score

COLUMNS = ("package", "truth", "sites", "same", "wrong", "silent", "same %", "right %", "outside", "several", "alone")
CAUSES_SHOWN = 12
OFFENDERS_SHOWN = 10
EXPLAINED = """\
A site is a callee (the name, or the last part of a dotted one) or a name of `from … import …` in the package's own
source; it counts where the checker's definition is a function or class of that source (for imports, a module too).
A class, its `__init__` and its `__new__` are the same thing, and so are overloads with their implementation and the
accessors of a property. *same*: keel names it; *wrong*: keel names something else; *silent*: keel names nothing.
*outside*: keel names something of the package where the checker lands outside of it. *right %* is same of same,
wrong and outside. *several*: counted as same, and keel names other targets besides. *alone*: keel names a function or
class where no checker does. *either* takes both checkers together and leaves out the sites at which they differ."""


@dataclass(frozen=True, slots=True)
class Result:
    """One package: scores by kind of site and truth, causes of misses, and edges into tests."""

    package: str
    version: str
    scores: Mapping[str, Mapping[str, Score]]
    causes: Sequence[tuple[str, int]]
    reach: Reach | None = None


def as_text(results: Sequence[Result]) -> str:
    """The tables with aligned columns, and below them what is behind the misses."""
    parts = [f"{title}\n{_aligned(rows)}" for title, rows in _tables(results)]
    parts += [f"{result.package}: misses by cause\n{_causes(result)}" for result in results]
    parts += [_reach(result) for result in results if result.reach]
    return "\n\n".join(parts)


def as_markdown(results: Sequence[Result], setting: Mapping[str, str]) -> str:
    """The page that is committed."""
    lines = ["# Resolution against type checkers", "", "Written by `make bench-resolution`; not edited by hand.", ""]
    lines += [EXPLAINED, ""]
    for title, rows in _tables(results):
        lines += [f"## {title}", "", *_table(COLUMNS, rows), ""]
    lines += ["## Misses by cause", ""]
    for result in results:
        causes = [(cause, str(count)) for cause, count in result.causes[:CAUSES_SHOWN]]
        lines += [f"{result.package}:", "", *_table(("cause", "sites"), causes), ""]
    lines += ["## Edges that no import explains", "", *(f"- {_reach(one)}" for one in results if one.reach), ""]
    lines += _table(("setting", ""), list(setting.items()))
    return "\n".join([*lines, ""])


def write(results: Sequence[Result], setting: Mapping[str, str], folder: Path = RESULTS) -> list[Path]:
    """Keeps the page and the figures behind it."""
    folder.mkdir(parents=True, exist_ok=True)
    page, figures = folder / "resolution.md", folder / "resolution.json"
    page.write_text(as_markdown(results, setting), encoding="utf-8")
    content = {"setting": setting, "packages": [_figures(result) for result in results]}
    figures.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [page, figures]


def _figures(result: Result) -> dict[str, object]:
    scores = {
        kind: {
            truth: asdict(score)
            | {"same_share": round(score.same_share, 2), "right_share": round(score.right_share, 2)}
            for truth, score in by_truth.items()
        }
        for kind, by_truth in result.scores.items()
    }
    figures: dict[str, object] = {"package": result.package, "version": result.version, "scores": scores}
    figures["causes"] = dict(result.causes)
    if result.reach:
        figures["call_edges"] = result.reach.edges
        figures["into_tests"] = result.reach.into_tests
        figures["unreachable"] = len(result.reach.unreachable)
    return figures


def _tables(results: Sequence[Result]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    for kind in results[0].scores if results else ():
        rows = [
            _row(result.package, truth, score) for result in results for truth, score in result.scores[kind].items()
        ]
        yield f"{kind.capitalize()}s", rows


def _row(package: str, truth: str, score: Score) -> tuple[str, ...]:
    shown = f"{truth} ({score.differ} differ)" if score.differ else truth
    counts = (score.sites, score.same, score.wrong, score.silent)
    shares = (f"{score.same_share:.2f}", f"{score.right_share:.2f}")
    return (package, shown, *map(_number, counts), *shares, *map(_number, (score.outside, score.several, score.alone)))


def _number(count: int) -> str:
    return f"{count:,}"


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    lines = [COLUMNS, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]


def _causes(result: Result) -> str:
    return "\n".join(f"{count:7,}  {cause}" for cause, count in result.causes[:CAUSES_SHOWN])


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
