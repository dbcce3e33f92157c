"""Tool spaces: which program runs for the id of a tool, and whether it may.

Three spaces are searched in order: the project's, the user's, the system's. A tool names what runs it, down to a
primitive; the chain is validated, may be locked, and is then run. The public names are imported on first use, since
commands need few of them. Showing tools is left to the operations.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.errors import ChainValidationError, ToolNotFoundError
    from keel.toolspaces.chain import Chain, resolve_chain
    from keel.toolspaces.execute import ToolResult, execute_chain, run_tool
    from keel.toolspaces.manifests.manifest import parse_metadata
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

_MODULES = {
    "keel.errors": ("ChainValidationError", "ToolNotFoundError"),
    "keel.toolspaces.chain": ("Chain", "resolve_chain"),
    "keel.toolspaces.execute": ("ToolResult", "execute_chain", "run_tool"),
    "keel.toolspaces.manifests.manifest": ("parse_metadata",),
    "keel.toolspaces.resolve": ("resolve_tool",),
    "keel.toolspaces.validation": ("ValidationResult", "validate_chain", "validate_space_compatibility"),
}


def __getattr__(name: str) -> object:
    module = next((module for module, names in _MODULES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'keel.toolspaces' has no attribute '{name}'")
    return getattr(import_module(module), name)
