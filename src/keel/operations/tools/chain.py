"""Show the chain of a tool: what runs it, down to the primitive, and whether that is allowed.

    keel tools chain greet
    keel tools chain greet --json

Each element is resolved by itself, the project's space first. A tool may rely on tools of its own space and of lower
ones, never of higher ones. The exit code is 1 when the chain has issues.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, field
from keel.querying.tool_spaces import shown, spaces_in
from keel.toolspaces.check import check_tool
from keel.toolspaces.resolve import find_tool

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace
    from keel.toolspaces.chain import Element

GROUP = "tools"
SHORT = 12


class Params(Record):
    """Parameters of `tools chain`."""

    item_id: str = field("The id of the tool.", positional=True)


class Part(Record):
    """An element of the chain."""

    LAYOUT: ClassVar = ("{item_id}  {space}  {type}  {release}  {digest}  {path}",)

    item_id: str = field("What it is called.")
    space: str = field("The space it comes from.")
    type: str = field("The type that its manifest declares.")
    version: str = field("Its version; empty when it declares none.")
    sha256: str = field("The SHA-256 of its file.")
    path: str = field("Its file.")

    @property
    def release(self) -> str:
        """The version, or a sign for none."""
        return self.version or "-"

    @property
    def digest(self) -> str:
        """The beginning of the hash."""
        return self.sha256[:SHORT]


class Result(Record):
    """The chain, and its issues."""

    LAYOUT: ClassVar = ("chain", "{verdict}", "issues", "warnings")

    chain: tuple[Part, ...] = field("From the tool to its primitive; empty when there is no whole chain.")
    valid: bool = field("Whether it may run.")
    issues: tuple[str, ...] = field("Why it may not run.")
    warnings: tuple[str, ...] = field("What is worth knowing.")

    @property
    def verdict(self) -> str:
        """Whether it may run, as text."""
        return "valid" if self.valid else ""

    @property
    def exit_code(self) -> int:
        """1 when it may not run."""
        return 0 if self.valid else 1


def run(workspace: Workspace, params: Params) -> Result:
    """Resolves and validates the chain."""
    spaces = spaces_in(workspace)
    find_tool(params.item_id, spaces)  # a tool that does not exist is an error, not a chain with an issue
    checked = check_tool(params.item_id, spaces, workspace.folder)
    return Result(
        chain=tuple(_part(workspace, each) for each in (checked.chain.elements if checked.chain else ())),
        valid=not checked.issues,
        issues=tuple(issue.text for issue in checked.issues),
        warnings=tuple(checked.warnings),
    )


def _part(workspace: Workspace, element: Element) -> Part:
    return Part(
        item_id=element.item_id,
        space=element.space,
        type=element.manifest.tool_type,
        version=element.manifest.version,
        sha256=element.sha256,
        path=shown(workspace, element.path),
    )
