"""I006 calls_not_checked: a signature changed in a language whose calls keel cannot check yet.

What it finds: functions with another signature than in base, in files of a language that brings no contracts: keel
links its calls, and does not know whether the arguments of a call fit.

Why: without it, silence would look like proof.

Instead: look at the calls yourself; `keel discover` lists them.

How sure: certain. What was removed is reported all the same (E004), since the links alone prove it.

When it is wrong: never; it is a remark, and does not count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import INFO, Finding
from keel.ports.rule import Case, finding_about

CODE = "I006"
CATEGORY = "calls_not_checked"
SEVERITY = INFO


def check(case: Case) -> Iterator[Finding]:
    """Signatures that changed where calls are not checked."""
    for subject in case.unchecked:
        message = f"The signature of '{subject.qualified_name}' changed, and keel cannot check its calls yet."
        hint = f"Look at its calls: `keel discover {subject.hash}`"
        yield finding_about(sys.modules[__name__], subject, message, hint, suppress_hint="")
