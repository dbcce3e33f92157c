"""Check tools without running them: their manifests, chains, spaces, versions, schemas and locks.

    keel tools check
    keel tools check greet deploy/staging

Without an id, every tool of the three spaces is checked. All issues are listed. The exit code is 1 when there are any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, field
from keel.model.text.wording import counted
from keel.querying.tool_spaces import shown, spaces_in
from keel.toolspaces.check import check_tool
from keel.toolspaces.overview import entries
from keel.toolspaces.resolve import find_tool

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace
    from keel.toolspaces.spaces import Spaces

GROUP = "tools"


class Params(Record):
    """Parameters of `tools check`."""

    item_ids: tuple[str, ...] = field("Ids of tools; without any, all.", default=(), positional=True)


class Issue(Record):
    """Something that is wrong with a tool."""

    LAYOUT: ClassVar = ("{path}:{line}  {item_id}  {message}",)

    item_id: str = field("The tool.")
    path: str = field("Its file.")
    line: int = field("The line that it is about.")
    message: str = field("What is wrong.")


class Result(Record):
    """What is wrong with the tools."""

    LAYOUT: ClassVar = ("{summary}", "issues", "warnings")

    checked: int = field("How many tools were checked.")
    issues: tuple[Issue, ...] = field("Everything that is wrong.")
    warnings: tuple[str, ...] = field("What is worth knowing.")

    @property
    def summary(self) -> str:
        """The number of tools and issues, as text."""
        found = counted(len(self.issues), "issue") if self.issues else "nothing is wrong"
        return f"checked {counted(self.checked, 'tool')}: {found}"

    @property
    def exit_code(self) -> int:
        """1 when something is wrong."""
        return 1 if self.issues else 0


def run(workspace: Workspace, params: Params) -> Result:
    """Checks each tool from its file to its primitive."""
    spaces = spaces_in(workspace)
    issues: list[Issue] = []
    warnings: list[str] = []
    places = _places(params.item_ids, spaces)
    for item_id, path in places.items():
        checked = check_tool(item_id, spaces, workspace.folder)
        warnings += checked.warnings
        issues += [
            Issue(item_id=item_id, path=shown(workspace, path), line=each.line, message=each.text)
            for each in checked.issues
        ]
    return Result(checked=len(places), issues=tuple(issues), warnings=tuple(dict.fromkeys(warnings)))


def _places(item_ids: tuple[str, ...], spaces: Spaces) -> dict[str, str]:
    """The tools that are asked about, each with its file."""
    if item_ids:
        return {item_id: find_tool(item_id, spaces).path for item_id in item_ids}
    return {entry.item_id: entry.path for entry in entries(spaces)}
