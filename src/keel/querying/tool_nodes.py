"""Tools as nodes, for queries about a single symbol whose handle names a tool and nothing in the graph.

How tools become nodes is left to `toolspaces/nodes.py`; which tools exist, to the spaces; their neighbours, to
`tool_relatives.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.model.kinds import EdgeKind
from keel.querying.tool_spaces import shown, spaces_in
from keel.toolspaces.nodes import find_element, node_of
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.tool_graph import tool_graph

if TYPE_CHECKING:
    from keel.model.nodes import Node
    from keel.ports.workspace import Workspace
    from keel.toolspaces.chain import Element
    from keel.toolspaces.resolve import ResolvedTool


class ToolNode(NamedTuple):
    """A tool as the graph would have it."""

    node: Node
    source: list[str]
    """The lines of its file."""
    note: str
    """What it shadows, or what shadows it; usually nothing."""
    is_shadowed: bool


def tool_node(workspace: Workspace, handle: str) -> ToolNode | None:
    """The tool that a handle names; None when it names none."""
    element = find_element(handle, spaces_in(workspace))
    if element is None:
        return None
    node = node_of(element, shown(workspace, element.path))
    lines = element.data.decode("utf-8", "replace").split("\n")
    winner = find_tool(element.item_id, spaces_in(workspace))
    return ToolNode(node, lines[: node.end_line], _note(workspace, element, winner), winner.path != element.path)


def delegation_counts(workspace: Workspace, node: Node) -> dict[str, dict[str, int]]:
    """How many `delegates_to` edges a tool has."""
    edges = tool_graph(spaces_in(workspace)).edges
    into, out = sum(edge.target == node.id for edge in edges), sum(edge.source == node.id for edge in edges)
    return {EdgeKind.DELEGATES_TO.word: {"in": into, "out": out}} if into or out else {}


def _note(workspace: Workspace, element: Element, winner: ResolvedTool) -> str:
    if winner.path != element.path:
        return f"shadowed by {shown(workspace, winner.path)}, which runs in its place"
    below = " and ".join(shown(workspace, path) for _, path in winner.shadows)
    return f"shadows {below}" if below else ""
