"""S001 suppressed: a finding that a suppression silences, with the reason.

What it finds: every finding that a comment (`# keel:suppress E001 — reason`, on the line above the definition or its
decorators), the configuration (`[suppress]`) or the command line suppresses. It does not affect the exit code, but is
never hidden: the JSON of `compile` has it with `suppressed: true` and its original code, and `--verbose` shows it.

Why: a suppression that is out of sight hides the next real break.

How sure: as sure as the original finding.

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
    """The suppressed findings of other rules."""
    for finding, reason in case.silenced:
        yield finding.replace(
            code=CODE,
            severity=SEVERITY,
            category=CATEGORY,
            suppressed=True,
            suppressed_code=finding.code,
            message=f"{finding.message} Suppressed: {reason}",
        )
