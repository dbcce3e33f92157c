"""The graph of tools: all of them, what each delegates to, and which of them concern a project.

It is made from the spaces for each query. A shadowed tool is in it, marked by the one that wins; it is never run, so it
has no edges. Making a node of a tool is left to `nodes.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from keel.toolspaces.manifests.manifest import EXECUTOR
from keel.toolspaces.nodes import id_of
from keel.toolspaces.overview import Entry, entries
from keel.toolspaces.spaces import SYSTEM, Spaces, has_own_tools


class Delegation(NamedTuple):
    """A `delegates_to` edge from a tool to what runs it, by their ids in the graph, and the line that says so."""

    source: str
    target: str
    line: int


class ToolGraph(NamedTuple):
    """Tools by their ids in the graph, and the edges between them; both in the order of these ids."""

    tools: Mapping[str, Entry] = {}
    edges: tuple[Delegation, ...] = ()


def tool_graph(spaces: Spaces) -> ToolGraph:
    """Every tool of the spaces."""
    found = sorted((id_of(each.space, each.item_id), each) for each in entries(spaces, with_shadowed=True))
    winners = {each.item_id: own_id for own_id, each in found if not each.shadowed_by}
    edges = [
        Delegation(own_id, winners[manifest.executor_id], manifest.lines.get(EXECUTOR, 1))
        for own_id, each in found
        if not each.shadowed_by and (manifest := each.manifest) is not None and manifest.executor_id in winners
    ]
    return ToolGraph(dict(found), tuple(edges))


def tools_in_use(spaces: Spaces) -> ToolGraph:
    """The tools of the project and of the user, everything that runs them, and what all these shadow.

    A project without tools has none, although the system's always exist.
    """
    if not has_own_tools(spaces):
        return ToolGraph()
    whole = tool_graph(spaces)
    leads_to = {edge.source: edge.target for edge in whole.edges}
    reached: set[str] = set()
    for own_id, tool in whole.tools.items():
        at: str | None = own_id if tool.space != SYSTEM else None
        while at is not None and at not in reached:
            reached.add(at)
            at = leads_to.get(at)
    ids = {whole.tools[own_id].item_id for own_id in reached}
    tools = {own_id: tool for own_id, tool in whole.tools.items() if tool.item_id in ids}
    return ToolGraph(tools, tuple(edge for edge in whole.edges if edge.source in tools))
