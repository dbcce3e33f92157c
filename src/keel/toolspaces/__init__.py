"""Tool spaces: which program runs when somebody asks for a tool, and whether it may.

Three spaces are searched in order: the project's, the user's, the system's. A tool names what runs it, down to a
primitive; the chain is validated, may be locked, and is then run. How tools become nodes of the graph, and how commands
show them, is left to others.
"""

from __future__ import annotations

from keel.errors import ChainValidationError, ToolNotFoundError
from keel.toolspaces.chain import Chain, resolve_chain
from keel.toolspaces.execute import ToolResult, execute_chain, run_tool
from keel.toolspaces.manifest import parse_metadata
from keel.toolspaces.resolve import resolve_tool
from keel.toolspaces.validation import ValidationResult, validate_chain, validate_space_compatibility

__all__ = [
    "Chain",
    "ChainValidationError",
    "ToolNotFoundError",
    "ToolResult",
    "ValidationResult",
    "execute_chain",
    "parse_metadata",
    "resolve_chain",
    "resolve_tool",
    "run_tool",
    "validate_chain",
    "validate_space_compatibility",
]
