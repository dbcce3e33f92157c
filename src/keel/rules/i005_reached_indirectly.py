"""I005 reached_indirectly: a type checker complains since the edit about code that does not use what has changed.

What it finds: a complaint of ty that base does not have, at a place that no use of a changed definition leads to: often
in a function that calls one that calls what has changed.

Why: it may follow from a finding elsewhere, and then goes away with it.

    def price(item): ...                # returns a text now
    def total(items):
        return sum(map(price, items))   # E001: here
    def show(items) -> int:
        return total(items) + 1         # I005: and so the type checker complains here too

Instead: deal with the other findings first, then see whether it is still there.

How sure: that the type checker says so is certain; that it follows from the edit is likely.

When it is wrong: a complaint about code that was edited as well. It is a remark, and does not count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import INFO, Finding
from keel.ports.rule import Case, finding_at

CODE = "I005"
CATEGORY = "reached_indirectly"
SEVERITY = INFO


def check(case: Case) -> Iterator[Finding]:
    """Complaints that no use of what has changed leads to."""
    for each in case.complaints:
        said = "A type checker complains here since the edit, and not about a use of what has changed."
        hint = "See whether it follows from the edit itself, or from a finding elsewhere"
        yield finding_at(sys.modules[__name__], f"{said} {each.text}", hint, each.file, each.line, each.root)
