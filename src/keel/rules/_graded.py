"""Findings about what is written at a function, as strict as the configuration says for new and for existing code.

What must be written is left to each rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.model.findings import ERROR, WARNING, Finding
from keel.model.kinds import Tier
from keel.ports.rule import Case, Subject
from keel.rules._places import suppress_hint

SEVERITIES = {"error": ERROR, "warning": WARNING}
"""By the words of the configuration; `off` is none."""


def graded(rule: tuple[str, str, str], case: Case, subject: Subject, message: str, hint: str) -> Iterator[Finding]:
    """A finding, unless it is switched off there; `rule` is its code, its category and its key."""
    code, category, key = rule
    severity = SEVERITIES.get(case.grade(key if subject.is_new else f"{key}_existing", subject.file))
    if severity is not None:
        yield Finding(
            code=code,
            severity=severity,
            category=category,
            message=message,
            file=subject.file,
            line=subject.line,
            hash=subject.hash,
            confidence=1.0,
            resolution_tier=Tier.TIER1_TREESITTER.word,
            fix_hint=hint,
            suppress_hint=suppress_hint(code, subject),
            root=subject.root,
            symbol=subject.qualified_name,
            id=subject.id,
            unchanged=not subject.is_new,
        )
