"""What judging gives, what a run was told, and what it tells: the values that `compile` is made of.

How they come about is left to `judgement.py` and `settlement.py`, which cost more to load.
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
"""The folder of the project's tools, as paths begin with it; said here too, since few edits need to know more."""


class PlainTools(NamedTuple):
    """Tools of the project that are only configuration, which no language reads."""

    there: frozenset[FileKey] = frozenset()
    changed: frozenset[FileKey] = frozenset()
    """Those that are not as they were accepted; some of them may be gone."""


class Call(NamedTuple):
    """What a run was told that matters after judging."""

    suppress: tuple[str, ...] = ()
    """Codes that do not count."""
    starts: bool = False
    ends: bool = False
    """Whether it starts or ends a batch."""
    session: str = ""
    now: float = 0.0
    due: Batch | None = None
    """The batch that is over."""
    is_expired: bool = False
    """Whether it was over before it was ended."""


class Judged(NamedTuple):
    """Findings, and how much differs."""

    findings: list[Finding]
    nodes: int = 0
    edges: Callable[[], int] = int
    """How many edges; counting them takes a while."""
    hashes: tuple[str, ...] = ()
    places: Collection[FileKey] = ()
    """The files whose functions were judged."""
    comments: Sequence[Comment] = ()
    """Suppressions in them, and in the other files that findings are about."""
    evidence: str = "own"
    """Whose word counts: `ty` when it was asked and answered."""
    evidence_missing: str = ""
    """Why it did not answer."""


class Settled(NamedTuple):
    """The findings of a run after all steps."""

    findings: list[Finding]
    deferred: int = 0
    """How many wait for the end of a batch."""
