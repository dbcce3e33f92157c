"""The MCP server: operations as tools of the Model Context Protocol, for coding agents.

`keel mcp` starts it. The description and schemas of a tool follow from its operation; only the tools that are listed by
default are named here. The protocol itself is left to the official SDK.
"""
