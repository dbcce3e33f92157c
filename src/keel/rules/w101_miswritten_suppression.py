"""W101 miswritten_suppression: a suppression has no effect, because of how it is written.

What it finds: a comment `# keel:suppress …` that gives no reason, names no code or an unknown one, or is not on the
line above a definition; an entry of `[suppress]` that names an unknown code; and a comment with a code that no comment
can suppress, since it is about removed definitions.

Why: it looks as if the finding were suppressed, and it still counts.

    # keel:suppress E005                          # W101: it gives no reason
    def charge(order, amount, currency): ...

Instead:

    # keel:suppress E005 — the callers are generated from this signature
    def charge(order, amount, currency): ...

How sure: certain. It is read from the comment, or the configuration, itself.

When it is wrong: never. To mention suppressions in a comment, write it in other words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import SHOWN_CONFIG, WARNING, Finding
from keel.ports.rule import Case, Standing, Suppressed, finding_at

CODE = "W101"
CATEGORY = "miswritten_suppression"
SEVERITY = WARNING
FORM = "E001 — reason"
WHERE = "on the line above the definition"


def check(case: Case) -> Iterator[Finding]:
    """Suppressions that have no effect as they are written."""
    for each in case.suppressions:
        for message, hint in _format_messages(each):
            yield finding_at(sys.modules[__name__], message, hint, each.file, each.line, each.root)


def _format_messages(each: Suppressed) -> Iterator[tuple[str, str]]:
    """Messages with their hints."""
    if each.fault:
        yield f"A suppression does not suppress: {each.fault}.", _as_it_should_be(each)
    for code, standing in each.codes:
        if standing is Standing.NOT_BY_COMMENT:
            message = f"A comment cannot suppress {code}: a removed definition has no line for one."
            yield message, f"Suppress it in `[suppress]` of {SHOWN_CONFIG}"
        elif standing is Standing.NO_CODE and each.key:
            message = f"The suppression '{each.key}' names {code}, which is no code."
            yield message, "Name a code such as E001 or W001"
        elif standing is Standing.NO_CODE:
            yield f"A suppression names '{code}', which is no code.", _as_it_should_be(each)


def _as_it_should_be(each: Suppressed) -> str:
    return f"Write `{each.syntax.suppression(FORM)}` {WHERE}"
