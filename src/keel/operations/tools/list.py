"""List the tools that can be asked for, with the space that each comes from.

Of tools with the same id, only the one that wins is listed, with the spaces whose tools it shadows. A file without a
manifest is a module, and not listed; one with an invalid manifest is listed with the problem. Whether a tool can be run
is not checked; `keel tools check` does.

    keel tools list
    keel tools list --space project
    keel tools list --json
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, field
from keel.querying.tool_spaces import shown, spaces_in
from keel.toolspaces.overview import Entry, entries
from keel.toolspaces.spaces import RANK

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "tools"


class Params(Record):
    """Parameters of `tools list`."""

    space: str = field("Only tools that come from this space.", default="", choices=tuple(RANK))


class Tool(Record):
    """A tool in the list."""

    LAYOUT: ClassVar = ("{item_id}  {space}  {type}  {release}  {about}",)

    item_id: str = field("What it is called.")
    space: str = field("The space it comes from.")
    type: str = field("The type that its manifest declares; `broken` when its file cannot be used.")
    version: str = field("Its version; empty when it declares none.")
    executor_id: str | None = field("What runs it; null for a primitive, and for what cannot be read.")
    description: str = field("What it does, in its own words.")
    path: str = field("Its file.")
    shadows: tuple[str, ...] = field("The spaces whose tools of this id it shadows.")
    problem: str = field("Why it cannot be read; usually empty.")

    @property
    def release(self) -> str:
        """The version, or a sign for none."""
        return self.version or "-"

    @property
    def about(self) -> str:
        """The description or the problem, and what is shadowed, in one line."""
        said = " ".join((self.problem or self.description).split())
        hidden = f"(shadows {' and '.join(self.shadows)})" if self.shadows else ""
        return f"{said} {hidden}".strip()


class Result(Record):
    """The tools."""

    LAYOUT: ClassVar = ("{nothing}", "tools")

    tools: tuple[Tool, ...] = field("Every tool that wins, by id.")

    @property
    def nothing(self) -> str:
        """The text when there is no tool."""
        return "" if self.tools else "no tools; `keel tools new ID` makes one"


def run(workspace: Workspace, params: Params) -> Result:
    """Looks into all spaces."""
    found = entries(spaces_in(workspace))
    return Result(tools=tuple(_tool(workspace, each) for each in found if params.space in ("", each.space)))


def _tool(workspace: Workspace, entry: Entry) -> Tool:
    manifest = entry.manifest
    return Tool(
        item_id=entry.item_id,
        space=entry.space,
        type=manifest.tool_type if manifest is not None else "broken",
        version=manifest.version if manifest is not None else "",
        executor_id=manifest.executor_id if manifest is not None else None,
        description=manifest.description if manifest is not None else "",
        path=shown(workspace, entry.path),
        shadows=tuple(dict.fromkeys(space for space, _ in entry.shadows)),
        problem=entry.problem,
    )
