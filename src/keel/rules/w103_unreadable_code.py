"""W103 unreadable_code: an edited file cannot be read whole since the edit.

What it finds: a file whose syntax is wrong from some line on, or in which half of a merge is left, and that could be
read whole in base or is new.

Why: nothing in such a file counts as removed, and what its broken part says is not judged: what is wrong there may hide
what else is wrong.

    def total(items:                    # W103: the parenthesis is not closed
        return sum(items)

Instead: correct the syntax, then compile again.

How sure: certain that the file is not valid; the line is where reading first failed, which may be after the mistake.

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
    """Files that could be read whole in base, or are new, and cannot be now."""
    for file in case.files:
        if not file.is_changed or not file.now.gaps or (file.base is not None and file.base.gaps):
            continue
        yield finding_at(
            sys.modules[__name__],
            "The file cannot be read whole from here on: what is wrong here may hide what else is wrong.",
            "Correct the syntax, then compile again",
            file.path,
            file.line(min(gap.start for gap in file.now.gaps)),
            file.root,
        )
