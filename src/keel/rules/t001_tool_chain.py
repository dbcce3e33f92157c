"""T001 tool_chain: a tool of the project cannot be run.

What it finds: a tool in `.ai/tools` whose manifest, chain, schema or lock is wrong. A tool is checked when its file is
judged, and when an edit changes, adds or deletes any tool in its chain.

Why: a call of the tool is refused, often to an agent in the middle of another task.

    __tool_type__ = "python"
    __executor_id__ = "pyhton_runtime"             # T001: there is no such tool

Instead:

    __executor_id__ = "python_runtime"

How sure: certain. It is the answer of `keel tools check`, and the reason for which a run would be refused. An error
where the chain has changed, a warning where it has not.

When it is wrong: never for the machine it is run on; a tool may rely on one in the user's tool space that others do not
have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import ERROR, WARNING, Finding
from keel.ports.rule import Case, finding_about

CODE = "T001"
CATEGORY = "tool_chain"
SEVERITY = ERROR
IS_ABOUT_TOOLS = True


def check(case: Case) -> Iterator[Finding]:
    """Tools that would be refused if they were run."""
    for subject, problem in case.tools:
        yield finding_about(
            sys.modules[__name__],
            subject,
            f"Tool '{subject.qualified_name}' cannot be run: {problem}",
            f"Correct it; `keel tools check {subject.qualified_name}` says whether it can be run",
            severity=SEVERITY if subject.is_new else WARNING,
            suppress_hint="",
            id="",
            unchanged=not subject.is_new,
        )
