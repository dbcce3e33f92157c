"""I001 unused_suppression: a suppression has nothing to suppress.

What it finds: a comment `# keel:suppress …` or an entry of `[suppress]` with a code for which this run has no finding,
although it judged the code in question; and an entry about a file that does not exist.

Why: a suppression that is no longer needed hides the next real break.

    # keel:suppress E002 — the types are those of the framework       # I001: the function has all its types now
    def handle(request: Request) -> Response: ...

Instead: remove the code from the suppression, or the suppression.

How sure: certain, since it is reported only where a run can tell. Missing annotations and docstrings are known once the
file is judged. Broken callers depend on the base of the comparison: a change that is no longer visible against the last
commit may still be visible against the whole branch, so they are only reported with `--since`.

When it is wrong: never for the files as they are. It is a remark, and does not affect the exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import INFO, Finding
from keel.ports.rule import Case, Standing, Suppressed, finding_at

CODE = "I001"
CATEGORY = "unused_suppression"
SEVERITY = INFO


def check(case: Case) -> Iterator[Finding]:
    """Suppressions that suppress nothing."""
    for each in case.suppressions:
        for code, standing in each.codes:
            message, hint = _format_messages(each, code, standing)
            if message:
                yield finding_at(sys.modules[__name__], message, hint, each.file, each.line, each.root)


def _format_messages(each: Suppressed, code: str, standing: Standing) -> tuple[str, str]:
    """Message and hint; empty where there is nothing to say."""
    if standing is Standing.NO_FILE:
        path = each.key.rpartition(":")[0]
        message = f"The suppression '{each.key}' suppresses nothing: there is no file {path}."
        return message, "Correct its path, or remove it"
    if standing is not Standing.UNUSED:
        return "", ""
    if each.key:
        message = f"The suppression '{each.key}' suppresses nothing: there is no {code} to suppress."
        return message, f"Remove {code} from it"
    return f"The suppression of {code} suppresses nothing.", f"Remove {code} from it"
