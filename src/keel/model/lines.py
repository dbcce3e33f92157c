"""The lines of an export: nodes, edges, and references that have no edge, each an object with its `type`.

They are equal for equal graphs: they have no store numbers and no times. Making them is left to `graph/export.py`,
writing them to the formats.
"""

from __future__ import annotations

from msgspec import Struct


class NodeLine(Struct, frozen=True, tag_field="type", tag="node"):
    """A node."""

    id: str
    hash: str
    kind: str
    name: str
    qualified_name: str
    root: str
    path: str
    start_line: int
    end_line: int
    language: str
    external: bool = False

    @property
    def label(self) -> str:
        """Its label in drawings."""
        return f"{self.kind} {self.qualified_name}"


class ToolLine(NodeLine, frozen=True, tag_field="type", tag="node"):
    """A node that is a tool; its root is its space, and its path starts at the folder that has the space's `.ai`."""

    shadowed_by: str = ""
    """The id of the tool that runs in its place; empty for one that can be run."""
    module: str = ""
    """The id of the module with its code, where that is in the graph."""

    @property
    def label(self) -> str:
        """Its label in drawings; tools of one id are distinguished by their space."""
        return f"{self.kind} {self.qualified_name} ({self.root}{', shadowed' if self.shadowed_by else ''})"


class EdgeLine(Struct, frozen=True, tag_field="type", tag="edge"):
    """An edge; path, line and column are those of the reference that made it."""

    kind: str
    source: str
    target: str
    path: str
    line: int
    column: int
    tier: str
    confidence: float
    type_only: bool = False
    metadata: dict[str, object] = {}


class RefLine(Struct, frozen=True, tag_field="type", tag="ref"):
    """A reference that has no edge, and why."""

    kind: str
    source: str
    name: str
    path: str
    line: int
    column: int
    reason: str
    candidates: list[str] = []


ExportLine = NodeLine | EdgeLine | RefLine
