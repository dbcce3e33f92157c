"""T001 tool_chain: a tool of the project cannot be run as it stands.

What it finds: a tool in `.ai/tools` whose manifest, chain, schema or lock is wrong: where its file is judged, and where
an edit, a new tool or a deleted one is anywhere in its chain.

Why: whoever asks for the tool is refused, and often that is an agent in the middle of something else.

    __tool_type__ = "python"
    __executor_id__ = "pyhton_runtime"             # T001: there is no such tool

Instead:

    __executor_id__ = "python_runtime"

How sure: certain. It is what `keel tools check` says, and what a run would be refused with. An error where
something in the chain has changed, a warning where nothing has.

When it is wrong: never for the machine it is run on; a tool may rely on one of the user's space that others have not.
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
