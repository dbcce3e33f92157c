"""The values that `compile` works with: the options of a run, its judgement, and its final findings.

How they are computed is left to `judgement.py` and `settlement.py`, which are slower to load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.model.refs import FileKey

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from keel.enforcement.session.comments import Comment
    from keel.enforcement.session.session import Batch
    from keel.model.findings import Finding

TOOLS = ".ai/tools/"
"""The folder of the project's tools, as a prefix of paths; repeated here so that most edits need not load the rest."""


class PlainTools(NamedTuple):
    """Tools of the project that are only configuration, which no language reads."""

    there: frozenset[FileKey] = frozenset()
    changed: frozenset[FileKey] = frozenset()
    """Those that differ from base; some of them may be removed."""


class Call(NamedTuple):
    """The options of a run that matter after judging."""

    suppress: tuple[str, ...] = ()
    """Codes that are suppressed."""
    starts: bool = False
    ends: bool = False
    """Whether it starts or ends a batch."""
    session: str = ""
    now: float = 0.0
    due: Batch | None = None
    """The batch that has ended."""
    is_expired: bool = False
    """Whether it expired before it was ended."""


class Judged(NamedTuple):
    """Findings, and how much differs."""

    findings: list[Finding]
    nodes: int = 0
    edges: Callable[[], int] = int
    """How many edges differ; expensive to count."""
    hashes: tuple[str, ...] = ()
    places: Collection[FileKey] = ()
    """The files whose functions were judged."""
    comments: Sequence[Comment] = ()
    """Suppressions in them, and in the other files that findings are about."""
    evidence: str = "own"
    """The source of evidence: `ty` when it was asked and answered."""
    evidence_missing: str = ""
    """Why it did not answer."""


class Settled(NamedTuple):
    """The findings of a run after all steps."""

    findings: list[Finding]
    deferred: int = 0
    """How many findings are deferred to the end of a batch."""
