"""Make a new tool, which runs as it is and is meant to be changed.

It goes to the project's space, or to the user's with `--space user`; the system's space is never written. A tool of the
same id in a lower space is shadowed by it, and the answer says so.

    keel tools new greet
    keel tools new deploy/staging --type bash --description "Deploys the staging server."
    keel tools new greet --space user
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.errors import KeelError, ToolNotFoundError, UsageError
from keel.model.record import Record, field
from keel.querying.tool_spaces import below, shown, spaces_in
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.scaffold import KINDS, executor_of, new_tool
from keel.toolspaces.spaces import PROJECT, USER

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace
    from keel.toolspaces.spaces import Spaces

GROUP = "tools"


class Params(Record):
    """Parameters of `tools new`."""

    item_id: str = field("The id of the new tool.", positional=True)
    space: str = field("The space it goes to.", default=PROJECT, choices=(PROJECT, USER))
    type: str = field("What it is written in.", default="python", choices=tuple(KINDS))
    description: str = field("What it does, in a sentence.", default="")


class Result(Record):
    """Where the new tool is."""

    LAYOUT: ClassVar = ("made {path}", "{note}", "try it: keel tools run {item_id}")

    item_id: str = field("What it is called.")
    path: str = field("Its file.")
    space: str = field("The space it is in.")
    note: str = field("What it shadows, or what shadows it; usually nothing.")


def run(workspace: Workspace, params: Params) -> Result:
    """Writes the file."""
    spaces = spaces_in(workspace)
    space = next((each for each in spaces if each.name == params.space), None)
    if space is None:
        raise KeelError(problem=f"there is no {params.space} space here: it is the same folder as another, or unknown")
    if params.item_id == executor_of(params.type):
        raise UsageError(
            f"a {params.type} tool called '{params.item_id}' would be run by itself", "choose another id or --type"
        )
    path = new_tool(params.item_id, space, params.type, params.description)
    note = _note(workspace, params.item_id, params.space, spaces)
    return Result(item_id=params.item_id, path=shown(workspace, path), space=params.space, note=note)


def _note(workspace: Workspace, item_id: str, space: str, spaces: Spaces) -> str:
    """Which tool of the same id it shadows, or is shadowed by."""
    try:
        found = find_tool(item_id, spaces)
    except ToolNotFoundError:
        return ""
    if found.space.name != space:
        return f"it is shadowed by {shown(workspace, found.path)}, which runs in its place"
    return f"it shadows the tool of the {below(found.shadows)} space" if found.shadows else ""
