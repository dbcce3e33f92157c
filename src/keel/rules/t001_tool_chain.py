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

from collections.abc import Iterator

from keel.model.findings import ERROR, WARNING, Finding
from keel.model.kinds import Tier
from keel.ports.rule import Case, Subject

CODE = "T001"
CATEGORY = "tool_chain"
SEVERITY = ERROR


def check(case: Case) -> Iterator[Finding]:
    """Nothing by itself: tools are no functions of a file, and are checked by those who know the spaces."""
    return iter(())


def wrong_tool(subject: Subject, problem: str) -> Finding:
    """A finding about a tool."""
    return Finding(
        code=CODE,
        severity=SEVERITY if subject.is_new else WARNING,
        category=CATEGORY,
        message=f"Tool '{subject.qualified_name}' cannot be run: {problem}",
        file=subject.file,
        line=subject.line,
        hash=subject.hash,
        confidence=1.0,
        resolution_tier=Tier.TIER1_TREESITTER.word,
        fix_hint=f"Correct it; `keel tools check {subject.qualified_name}` says whether it can be run",
        root=subject.root,
        symbol=subject.qualified_name,
        unchanged=not subject.is_new,
    )
