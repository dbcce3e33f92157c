"""Accept the files as they are, as the base that `keel compile` compares later edits with, where there is no commit.

In a git repository the last commit is the base, and committing is accepting; this command is for folders outside git,
and before the first commit. `keel map` accepts as well when it builds the graph. The sources are saved in
`.keel/accepted.zip`.

    keel accept
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.checking.plain_tools import take_snapshot
from keel.errors import UsageError
from keel.indexing.base.differences import needs_snapshot
from keel.indexing.pipeline import bring_up_to_date
from keel.model.record import Record, field
from keel.querying.current_graph import index_context

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "check"


class Params(Record):
    """`accept` takes no parameters: it is about the whole workspace."""


class Result(Record):
    """What was accepted."""

    LAYOUT: ClassVar = ("accepted {files:# file}",)

    files: int = field("Files that were accepted.")


def run(workspace: Workspace, params: Params) -> Result:
    """Saves the current files."""
    if not needs_snapshot(workspace.roots):
        raise UsageError("in a git repository, the last commit is what was accepted", "commit to accept")
    workspace.prepare()
    bring_up_to_date(index_context(workspace), workspace.progress)
    with workspace.store.reading() as reader:
        return Result(files=take_snapshot(workspace, reader.files()))
