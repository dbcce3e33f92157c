"""Findings about what is written at a function, as strict as the configuration says for new and for existing code.

What must be written is left to each rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keel.model.findings import ERROR, WARNING, Finding
from keel.ports.rule import Case, Subject, finding_about

SEVERITIES = {"error": ERROR, "warning": WARNING}
"""By the words of the configuration; `off` is none."""


def graded(rule: Any, key: str, case: Case, subject: Subject, message: str, hint: str) -> Iterator[Finding]:
    """A finding of a rule, unless its key is off there."""
    severity = SEVERITIES.get(case.grade(key if subject.is_new else f"{key}_existing", subject.file))
    if severity is not None:
        yield finding_about(rule, subject, message, hint, severity=severity, unchanged=not subject.is_new)
