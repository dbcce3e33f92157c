"""I001 unused_suppression: a suppression suppresses nothing, and that is known.

What it finds: a comment `# keel:suppress …` or an entry of `[suppress]` with a code for which there is no finding,
where what it is about was judged in this run; and an entry about a file that does not exist.

Why: a suppression that is not needed any more hides the next real break.

    # keel:suppress E002 — the types are those of the framework       # I001: the function has all its types now
    def handle(request: Request) -> Response: ...

Instead: remove the code from the suppression, or the suppression.

How sure: certain, since it is said only where it is known. Missing annotations and docstrings are known once the file
is judged. What breaks callers depends on what the files are compared with: compared with the last commit, a change may
be gone that the whole branch still shows, so only `--since` tells.

When it is wrong: never for the files as they are; it is a remark, and does not count.
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
    """Suppressions that there is nothing for."""
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
