"""A symbol of the graph, or else a tool of that name: for verbs that answer about either.

The graph goes first; a name that begins with `tool:` is a tool. What a tool consists of is left to `tool_nodes.py`,
which is only loaded when a name is not a symbol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from keel.errors import SymbolNotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from keel.ports.workspace import Workspace
    from keel.querying.tool_nodes import ToolNode

TOOL = "tool:"
"""The prefix of tool ids."""
R = TypeVar("R")


def symbol_or_tool(workspace: Workspace, name: str, of_symbol: Callable[[], R], of_tool: Callable[[ToolNode], R]) -> R:
    """The answer about a symbol, or about the tool of that name; when there is neither, the error about the symbol."""
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
