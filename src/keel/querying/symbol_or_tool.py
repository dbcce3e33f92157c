"""A symbol that the graph has, or else a tool of that name: for verbs that answer about either.

The graph goes first; what begins with `tool:` is a tool. What a tool is made of is left to `tool_nodes.py`, which is
loaded when a name is no symbol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from keel.errors import SymbolNotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from keel.ports.workspace import Workspace
    from keel.querying.tool_nodes import ToolNode

TOOL = "tool:"
"""What the ids of tools begin with."""
R = TypeVar("R")


def symbol_or_tool(workspace: Workspace, name: str, of_symbol: Callable[[], R], of_tool: Callable[[ToolNode], R]) -> R:
    """The answer about a symbol, or about the tool that the name means; otherwise it is as unknown as it was."""
    unknown = SymbolNotFound(name, [])
    if not name.startswith(TOOL):
        try:
            return of_symbol()
        except SymbolNotFound as error:
            unknown = error
    from keel.querying.tool_nodes import tool_node

    found = tool_node(workspace, name)
    if found is None:
        raise unknown
    return of_tool(found)
