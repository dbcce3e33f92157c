"""The tools that a tool delegates to, and those that delegate to it, for `discover` and `explain`.

All tools of the spaces are considered, the system's among them. What else is shown is left to these verbs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.graph.relatives import Callee, Caller
from keel.model.kinds import EdgeKind, Tier
from keel.querying.tool_spaces import shown, spaces_in
from keel.toolspaces.nodes import node_of
from keel.toolspaces.tool_graph import tool_graph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keel.ports.workspace import Workspace
    from keel.toolspaces.tool_graph import Delegation, ToolGraph


class Relatives(NamedTuple):
    """The tools around one, the nearest first, by id."""

    upstream: list[Caller]
    downstream: list[Callee]


def tool_relatives(workspace: Workspace, tool: str, depth: int) -> Relatives:
    """Everything within so many edges of the tool with this id in the graph."""
    graph = tool_graph(spaces_in(workspace))
    return Relatives(
        [Caller(**_fields(workspace, graph, tool, met)) for met in _walk(graph, tool, depth, is_up=True)],
        [Callee(**_fields(workspace, graph, tool, met)) for met in _walk(graph, tool, depth, is_up=False)],
    )


def delegation(workspace: Workspace, source: str, target: str) -> Delegation | None:
    """The edge from one tool to another, by their ids in the graph."""
    edges = tool_graph(spaces_in(workspace)).edges
    return next((edge for edge in edges if (edge.source, edge.target) == (source, target)), None)


class _Met(NamedTuple):
    """A tool that a walk reached: by which edge, from which tool, and at what distance."""

    tool: str
    via: str
    edge: Delegation
    depth: int


def _walk(graph: ToolGraph, start: str, depth: int, is_up: bool) -> Iterator[_Met]:
    """Everything within so many edges in one direction, each tool once, at its least distance."""
    seen, near = {start}, [start]
    for distance in range(1, depth + 1):
        ends = [(edge.source, edge.target, edge) if is_up else (edge.target, edge.source, edge) for edge in graph.edges]
        level = {far: _Met(far, via, edge, distance) for far, via, edge in ends if via in near and far not in seen}
        yield from (level[tool] for tool in sorted(level))
        seen, near = seen | level.keys(), list(level)


def _fields(workspace: Workspace, graph: ToolGraph, start: str, met: _Met) -> dict[str, Any]:
    """The fields of a tool that a walk reached."""
    entry = graph.tools[met.tool]
    node = node_of(entry, shown(workspace, entry.path))
    return {
        "id": node.id,
        "hash": node.hash,
        "kind": node.kind,
        "name": node.name,
        "qualified_name": node.qualified_name,
        "module": "",
        "path": node.path,
        "line": node.start_line,
        "depth": met.depth,
        "via": graph.tools[met.via].item_id if met.via != start else "",
        "edge": EdgeKind.DELEGATES_TO.word,
        "confidence": 1.0,
        "resolution_tier": Tier.TIER1_TREESITTER.word,
        "call_path": shown(workspace, graph.tools[met.edge.source].path),
        "call_line": met.edge.line,
        "call_sites": 1,
    }
