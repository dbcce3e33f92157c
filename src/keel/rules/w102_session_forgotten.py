"""W102 session_forgotten: the state of the session could not be read or saved.

What it finds: a `.keel/session.json` that is damaged, or that cannot be written.

Why: it holds the count of failed attempts at a finding, and the checks that a batch has deferred. Both are lost; the
findings themselves are complete.

Instead: make the file writable, or remove the damaged one.

How sure: certain.

When it is wrong: never. In a read-only workspace, set `KEEL_SESSION=ci`, which remembers nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import SHOWN_SESSION, WARNING, Finding
from keel.ports.rule import Case, finding_at

CODE = "W102"
CATEGORY = "session_forgotten"
SEVERITY = WARNING


def check(case: Case) -> Iterator[Finding]:
    """The state of the session, if it could not be read or saved."""
    if case.memory.trouble:
        message = f"What the session remembers {case.memory.trouble}."
        hint = "See that it can be written, or remove what is in its way; the findings are complete"
        yield finding_at(sys.modules[__name__], message, hint, SHOWN_SESSION, 1)
