"""The MCP server: operations as tools of the Model Context Protocol, for coding agents.

`keel mcp` starts it. What a tool is, takes and answers follows from its operation; nothing here knows a single one,
but for the names that are listed by default. The protocol itself is spoken by the official SDK.
"""
