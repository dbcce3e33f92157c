"""Surfaces: the command line, the daemon, the MCP server and the library. The only part that prints.

They parse arguments and write text; what a request does and answers is left to the operations.
"""
