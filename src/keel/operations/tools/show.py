"""Show one tool: where it is, its manifest, what runs it, what it shadows, and what is wrong with it.

    keel tools show python_runtime
    keel tools show greet --json

A tool of a higher space shadows one of the same id in a lower one. To bring the lower one back, delete the file of the
higher one; the answer says what would then take its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, field
from keel.querying.tool_spaces import shown, spaces_in
from keel.toolspaces.chain import ARROW, load
from keel.toolspaces.check import check_tool
from keel.toolspaces.locks import is_locked
from keel.toolspaces.manifests.manifest import CONFIG, ENVIRONMENT, SCHEMA
from keel.toolspaces.resolve import find_tool

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace
    from keel.toolspaces.chain import Element

GROUP = "tools"


class Params(Record):
    """Parameters of `tools show`."""

    item_id: str = field("The id of the tool.", positional=True)


class Parameter(Record):
    """A parameter that the tool takes."""

    LAYOUT: ClassVar = ("{name}  {about}",)

    name: str = field("What it is called.")
    about: str = field("Its type, whether it must be given, its default and what it means.")


class Result(Record):
    """The tool."""

    LAYOUT: ClassVar = (
        "{item_id}  {type}  {space} space",
        "{description}",
        "file: {path}",
        "{version_line}",
        "{chain_line}",
        "parameters",
        "{environment_line}",
        "{shadow_line}",
        "{lock_line}",
        "issues",
        "warnings",
    )

    item_id: str = field("What it is called.")
    path: str = field("Its file.")
    space: str = field("The space it comes from.")
    type: str = field("The type that its manifest declares.")
    version: str = field("Its version; empty when it declares none.")
    executor_id: str | None = field("What runs it; null for a primitive.")
    description: str = field("What it does, in its own words.")
    chain: tuple[str, ...] = field("Everything that runs it, with the space of each; empty when that is not known.")
    parameters: tuple[Parameter, ...] = field("Its parameters, from its schema.")
    schema: dict[str, object] = field("The JSON Schema of its parameters; empty when it declares none.")
    config: dict[str, object] = field("Its own settings.")
    environment: tuple[str, ...] = field("Environment variables that are passed to it.")
    shadows: tuple[str, ...] = field("Files of lower spaces that it shadows; the first would take its place.")
    locked: bool = field("Whether there is a lock for it.")
    issues: tuple[str, ...] = field("Why it cannot be run.")
    warnings: tuple[str, ...] = field("What is worth knowing.")

    @property
    def version_line(self) -> str:
        """The version, when there is one."""
        return f"version: {self.version}" if self.version else ""

    @property
    def chain_line(self) -> str:
        """The chain in one line."""
        return f"runs by: {ARROW.join(self.chain)}" if self.chain else ""

    @property
    def environment_line(self) -> str:
        """The variables that it asks for."""
        return f"gets the variables: {', '.join(self.environment)}" if self.environment else ""

    @property
    def shadow_line(self) -> str:
        """What would take its place if it were deleted."""
        if not self.shadows:
            return ""
        first, *others = self.shadows
        further = f"; below that {' and '.join(others)}" if others else ""
        return f"shadows: {first} would take its place if it were deleted{further}"

    @property
    def lock_line(self) -> str:
        """Whether it is locked, as text."""
        return "locked" if self.locked else ""


def run(workspace: Workspace, params: Params) -> Result:
    """Reads the tool and its chain."""
    spaces = spaces_in(workspace)
    found = find_tool(params.item_id, spaces)
    tool = load(found)
    checked = check_tool(params.item_id, spaces, workspace.folder)
    schema = tool.manifest.said.get(SCHEMA)
    return Result(
        item_id=tool.item_id,
        path=shown(workspace, tool.path),
        space=tool.space,
        type=tool.manifest.tool_type,
        version=tool.manifest.version,
        executor_id=tool.manifest.executor_id,
        description=tool.manifest.description,
        chain=tuple(f"{each.item_id} ({each.space})" for each in (checked.chain.elements if checked.chain else ())),
        parameters=tuple(_parameters(schema)),
        schema=dict(schema) if isinstance(schema, dict) else {},
        config=dict(tool.manifest.table(CONFIG)),
        environment=_passed(tool),
        shadows=tuple(shown(workspace, path) for _, path in found.shadows),
        locked=is_locked(tool.item_id, workspace.folder),
        issues=tuple(issue.text for issue in checked.issues),
        warnings=tuple(checked.warnings),
    )


def _passed(tool: Element) -> tuple[str, ...]:
    said = tool.manifest.table(ENVIRONMENT).get("pass")
    return tuple(str(name) for name in said) if isinstance(said, list) else ()


def _parameters(schema: object) -> list[Parameter]:
    held = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    must = required if isinstance(required, list) else []
    properties = held if isinstance(held, dict) else {}
    return [Parameter(name=name, about=_about(said, name in must)) for name, said in properties.items()]


def _about(said: object, is_required: bool) -> str:
    table = said if isinstance(said, dict) else {}
    kind = table.get("type", "anything")
    notes = [" or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)]
    notes += ["must be given"] if is_required else []
    notes += [f"default {table['default']!r}"] if "default" in table else []
    meaning = " ".join(str(table.get("description", "")).split())
    return f"{', '.join(notes)}{f': {meaning}' if meaning else ''}"
