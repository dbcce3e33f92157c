"""S001 suppressed: a finding that somebody has silenced, with the reason.

What it finds: every finding that a comment (`# keel:suppress E001 — reason`, on the line above the definition or its
decorators), the configuration (`[suppress]`) or the command line silences. It does not count, but is never hidden: it
stands in the JSON of `compile` with `suppressed: true` and the code it had, and `--verbose` shows it.

Why: what is silenced and forgotten hides the next real break.

How sure: as sure as the finding itself.

When it is wrong: a suppression without a reason does not suppress.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.model.findings import INFO, Finding
from keel.ports.rule import Case

CODE = "S001"
CATEGORY = "suppressed"
SEVERITY = INFO
IS_SUPPRESSION = True


def check(case: Case) -> Iterator[Finding]:
    """The findings of other rules that do not count any more."""
    for finding, reason in case.silenced:
        yield finding.replace(
            code=CODE,
            severity=SEVERITY,
            category=CATEGORY,
            suppressed=True,
            suppressed_code=finding.code,
            message=f"{finding.message} Suppressed: {reason}",
        )
