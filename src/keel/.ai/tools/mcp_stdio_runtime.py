"""The runtime of tools that an MCP server offers: the server is started, asked once over standard input, and ended.

The tool's `CONFIG` says the server's `command` and `args`, and which of its tools is meant (`mcp_tool`).
"""

from __future__ import annotations

__tool_type__ = "runtime"
__executor_id__ = "subprocess"
__version__ = "1.0.0"
__tool_description__ = "Calls one tool of an MCP server that is started for it."

CONFIG = {"protocol": "mcp"}
