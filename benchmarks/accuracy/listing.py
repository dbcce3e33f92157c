"""The sites that a person has to look at, as a table for a spreadsheet or `grep`: one line a site.

It lies beside the cached answers, outside git: it is long, and of use only while its keel is worked on.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.accuracy.score import Case, Landing, Outcome, Verdict

COLUMNS = ("outcome", "kind", "place", "name", "shape", "keel", "confidence", "tier", "pyright", "ty", "source")
LISTED = (Outcome.WRONG, Outcome.OUTSIDE, Outcome.SILENT, Outcome.ALONE)


def write_list(path: Path, cases: Iterable[Case]) -> None:
    """Every site where keel does not say what pyright says, the worst first."""
    rows = sorted(
        (LISTED.index(case.outcome), case.site.kind, case.site.place, case) for case in cases if case.outcome in LISTED
    )
    lines = ["\t".join(COLUMNS), *("\t".join(cells(case)) for *_, case in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def cells(case: Case) -> tuple[str, ...]:
    """The cells of one line."""
    site, said = case.site, case.said
    return (
        case.outcome,
        site.kind,
        str(site.place),
        site.name,
        site.shape,
        case.answer or f"({'a variable' if said.targets else said.reason})",
        f"{said.confidence:.2f}" if said.targets else "",
        said.tier,
        _shown(case.truth),
        _shown(case.second),
        site.text.replace("\t", " "),
    )


def _shown(verdict: Verdict) -> str:
    if verdict.landing != Landing.INSIDE:
        return f"({verdict.landing})"
    return ", ".join(sorted(map(str, verdict.things)))
