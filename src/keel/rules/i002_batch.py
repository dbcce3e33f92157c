"""I002 batch: a batch expired before its `--batch-end`, or `--batch-end` found no open batch.

What it finds: a compile that comes more than 60 seconds after the last one of an open batch, and a `--batch-end`
without a batch.

Why: while a batch is open, checks that only make sense on finished code are deferred. When it expires, they run at
once, and report findings that the call did not ask for.

    keel compile --batch-start cart.py
    keel compile cart.py                # two minutes later: I002, and the deferred findings

Instead: start another batch with `--batch-start` while code is incomplete.

How sure: certain. It depends on the clock of the machine, and on what the session remembers.

When it is wrong: a session that another process shares; name one with `--session`. It is a remark, and does not affect
the exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import INFO, SHOWN_SESSION, Finding
from keel.ports.rule import Case, finding_at

CODE = "I002"
CATEGORY = "batch"
SEVERITY = INFO


def check(case: Case) -> Iterator[Finding]:
    """A batch that expired, or that was ended and never started."""
    this = sys.modules[__name__]
    if case.memory.is_expired:
        message = "The batch ended: 60 seconds passed without a compile. Its deferred checks are made now."
        yield finding_at(this, message, "Start another with --batch-start while code is incomplete", SHOWN_SESSION, 1)
    elif case.memory.has_no_batch:
        yield finding_at(this, "No batch was open.", "Start one with --batch-start", SHOWN_SESSION, 1)
