"""W102 session_forgotten: the memory of the session could not be read or kept.

What it finds: a `.keel/session.json` that is damaged, or that cannot be written.

Why: failed attempts at a finding are counted from one compile to the next, and so is what a batch has deferred. Both
are forgotten; the findings themselves are complete.

Instead: see that the file can be written, or remove what is in its way.

How sure: certain.

When it is wrong: never. In a workspace that nothing may be written to, set `KEEL_SESSION=ci`, which remembers nothing.
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
    """A memory that failed."""
    if case.memory.trouble:
        message = f"What the session remembers {case.memory.trouble}."
        hint = "See that it can be written, or remove what is in its way; the findings are complete"
        yield finding_at(sys.modules[__name__], message, hint, SHOWN_SESSION, 1)
