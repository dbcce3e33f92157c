"""Bring the graph up to date with the files, and say what changed.

Files that differ are read again, and only references whose answer can have changed are linked again; the result is
the same as that of a new `map`. When nothing changed it costs about as much as `git status`. Without a graph, it builds
one.

There is seldom a need to call it: almost every question does it first. `where` and `resolve` look at the files that
their answer is about, and do it when those changed; `status` only looks, and writes nothing.

    keel sync
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.indexing.pipeline import bring_up_to_date
from keel.model.record import Record, field
from keel.querying.current_graph import index_context

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "build"


class Params(Record):
    """`sync` takes no parameters: it looks at the whole workspace."""


class Result(Record):
    """What `sync` did."""

    LAYOUT: ClassVar = (
        "{outcome}: {files:# file}, {added:,} added, {changed:,} changed, {removed:,} removed, {linked:,} linked again",
        "unreadable",
        "broken",
        "lost",
        "warnings",
    )

    outcome: str = field("What it came to.", choices=("up to date", "built", "updated"))
    files: int = field("Files in the graph.")
    added: int = field("Files that are new in the graph.")
    changed: int = field("Files whose text differs.")
    removed: int = field("Files that were removed.")
    linked: int = field("Files whose references were looked at again.")
    unreadable: tuple[str, ...] = field("Files that could not be opened; what was known about them is kept.")
    broken: tuple[str, ...] = field("Files with text that is no code; what can be read of them is in the graph.")
    lost: tuple[str, ...] = field("Files whose reader failed; they are in the graph without definitions.")
    warnings: tuple[str, ...] = field("What else was noticed.")


def run(workspace: Workspace, params: Params) -> Result:
    """Brings the graph up to date."""
    workspace.prepare()
    report = bring_up_to_date(index_context(workspace), workspace.progress)
    outcome = "built" if report.built else "up to date" if report.is_quiet else "updated"
    return Result(
        outcome=outcome,
        files=report.files,
        added=report.added,
        changed=report.changed,
        removed=report.removed,
        linked=report.linked,
        unreadable=report.unreadable,
        broken=report.broken,
        lost=report.lost,
        warnings=report.warnings,
    )
