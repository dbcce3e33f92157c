"""W103 unreadable_code: since the edit, a file cannot be parsed as a whole.

What it finds: a file that has a syntax error, or in which merge conflict markers are left, and that is new or could be
parsed as a whole in base.

Why: definitions in such a file do not count as removed, and its broken part is not judged: the syntax error may hide
other findings.

    def total(items:                    # W103: the parenthesis is not closed
        return sum(items)

Instead: correct the syntax, then compile again.

How sure: certain that the file is not valid; the line is where parsing first failed, which may be after the mistake.

When it is wrong: syntax that is newer than keel's grammar. It is a warning, and does not stop an edit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import WARNING, Finding
from keel.ports.rule import Case, finding_at

CODE = "W103"
CATEGORY = "unreadable_code"
SEVERITY = WARNING
IS_BREAKING = True


def check(case: Case) -> Iterator[Finding]:
    """Files with a syntax error that are new, or had none in base."""
    for file in case.files:
        if not file.is_changed or not file.now.gaps or (file.base is not None and file.base.gaps):
            continue
        yield finding_at(
            sys.modules[__name__],
            "The file cannot be parsed from here on: the syntax error may hide other findings.",
            "Correct the syntax, then compile again",
            file.path,
            file.line(min(gap.start for gap in file.now.gaps)),
            file.root,
        )
