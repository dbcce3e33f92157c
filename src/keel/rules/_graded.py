"""Findings about annotations and docstrings, as strict as the configuration says for new and for existing code.

What a function must have is left to each rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keel.model.findings import ERROR, WARNING, Finding
from keel.ports.rule import Case, Subject, finding_about

SEVERITIES = {"error": ERROR, "warning": WARNING}
"""Severities by the value in the configuration; `off` has none."""


def graded(rule: Any, key: str, case: Case, subject: Subject, message: str, hint: str) -> Iterator[Finding]:
    """A finding of a rule, unless the configuration turns its key off for the file."""
    severity = SEVERITIES.get(case.grade(key if subject.is_new else f"{key}_existing", subject.file))
    if severity is not None:
        yield finding_about(rule, subject, message, hint, severity=severity, unchanged=not subject.is_new)
