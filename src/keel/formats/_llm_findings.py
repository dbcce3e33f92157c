"""A report for language models: one line a finding, with what to do, below its file.

Findings that break others come first, then errors, then warnings; where the budget ends, that order decides, and what
was left out is counted. A line that would take too much of the budget names fewer places. Findings that the human
format omits are counted here as well. What fits is left to `_budget.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from keel.formats._budget import Entry
from keel.formats._tokens import estimate
from keel.model.findings import ERROR, STRUCTURAL, Finding, named
from keel.model.report import short_base
from keel.model.text.wording import counted, format_counts

if TYPE_CHECKING:
    from keel.model.report import Report


SHARE = 3
"""One finding takes no more than this part of the budget, as far as naming fewer places helps."""
FEWER = (10, 5, 2, 1)


def finding_entries(report: Report, tokens: int) -> list[Entry]:
    """Files in the order of the worst finding of each, and their findings below them."""
    files: dict[str, list[Finding]] = {}
    for each in sorted(report.shown, key=_weight):
        files.setdefault(report.place(each.root, each.file), []).append(each)
    return list(_entries(report, files, tokens / SHARE))


def _entries(report: Report, files: dict[str, list[Finding]], room: float) -> Iterator[Entry]:
    number = 0
    for path, findings in files.items():
        title = number
        yield Entry(f"\n{path}")
        for each in findings:
            number += 1
            noun = "error" if each.severity == ERROR else "warning"
            yield Entry(f"\n{_line(report, each, room)}", (*_weight(each), number), noun, title)
        number += 1


def _weight(finding: Finding) -> tuple[int, int]:
    """What breaks others, then what is wrong by itself; errors before warnings."""
    return int(finding.code not in STRUCTURAL), int(finding.severity != ERROR)


def _line(report: Report, finding: Finding, room: float) -> str:
    """A finding with the most places that leave room for others."""
    lines = [_with_places(report, finding, count) for count in FEWER[: None if finding.affected else 1]]
    return next((line for line in lines if estimate(line) <= room), lines[-1])


def _with_places(report: Report, finding: Finding, count: int) -> str:
    places = [one.replace(file=report.place(one.root, one.file)) for one in finding.affected]
    hint = finding.fix_hint.replace(named(finding.affected), named(places, count))
    said = f"{finding.line} {finding.code} {finding.severity} {finding.message} fix: {hint}"
    return f" {' '.join(said.split())}"


def closing_of(report: Report) -> Callable[[Sequence[Entry]], str]:
    """The last lines: what was left out, and, with `--verbose`, what was compared."""
    info = report.info if report.counting or report.lists_all else None
    counts = []
    if info is not None and info.existing and not report.lists_all:
        counts.append(f"{counted(info.existing, 'finding')} on code that is as it was")
    if info is not None and info.elsewhere:
        counts.append(f"{counted(info.elsewhere, 'finding')} elsewhere")
    compared = [f"compared with {short_base(info.base)}"] if info is not None and report.lists_all else []

    def closing(left: Sequence[Entry]) -> str:
        cut = format_counts(Counter(entry.noun for entry in left if entry.noun))
        said = [f"{cut} (raise --max-tokens to see more)"] if cut else []
        rest = [f"… not shown: {'; '.join([*said, *counts])}"] if said or counts else []
        return "\n".join([*rest, *compared])

    return closing
