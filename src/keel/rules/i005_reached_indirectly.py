"""I005 reached_indirectly: since the edit, a type checker reports code that does not use a changed definition.

What it finds: a diagnostic of ty that base does not have, at a place that does not use a changed definition directly:
often in a function that calls one that calls the changed one.

Why: it may follow from a finding elsewhere, and then goes away with it.

    def price(item): ...                # returns a text now
    def total(items):
        return sum(map(price, items))   # E001: here
    def show(items) -> int:
        return total(items) + 1         # I005: and so the type checker complains here too

Instead: fix the other findings first, then see whether it is still reported.

How sure: it is certain that the type checker reports it; that it follows from the edit is likely.

When it is wrong: a diagnostic about code that was edited as well. It is a remark, and does not affect the exit code.
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
    """Diagnostics of the type checker that no use of a changed definition explains."""
    for each in case.complaints:
        text = "A type checker complains here since the edit, and not about a use of a changed definition."
        hint = "See whether it follows from the edit itself, or from a finding elsewhere"
        yield finding_at(sys.modules[__name__], f"{text} {each.text}", hint, each.file, each.line, each.root)
