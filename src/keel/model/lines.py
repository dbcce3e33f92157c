"""The lines of an export: nodes, edges, and references that have no edge, each an object with its `type`.

They are the same for equal graphs: no number of a store and no time is in them. Making them is left to
`graph/export.py`, writing them to the formats.
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
        """What drawings call it."""
        return f"{self.kind} {self.qualified_name}"


class ToolLine(NodeLine, frozen=True, tag_field="type", tag="node"):
    """A node that is a tool; its root is its space, and its path begins at the folder that the space's `.ai` is in."""

    shadowed_by: str = ""
    """The id of the tool that runs in its place; empty for one that can be run."""
    module: str = ""
    """The id of the module that its code is, where that is in the graph."""

    @property
    def label(self) -> str:
        """What drawings call it; tools of one id are told apart by their space."""
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
