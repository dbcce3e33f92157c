"""Tests of the MCP server, as clients meet it: over the wire, and with the public suites."""
