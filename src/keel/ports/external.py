"""The External socket: what a language knows of packages outside the workspace, by what the source itself says.

It is optional. Looking into packages, and their symbols as nodes of the graph, are left to later capabilities.
"""

from __future__ import annotations

from typing import Any, Protocol

from keel.model.facts import Reference


class External(Protocol):
    """Packages as one language names them; `interface` is what the language itself decodes."""

    def package_of(self, interface: Any, reference: Reference) -> str:
        """The package that a reference out of the workspace resolves to; empty where the file does not tell."""
