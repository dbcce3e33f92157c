"""Python: its files by tree-sitter, its names by its own import and scope rules.

`language` is what the registry finds; extraction and resolution are imported only when they are used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.model.facts import Facts
    from keel.ports.language import Change, Linker, Tree


class Python:
    """The Language socket for Python."""

    name = "python"
    suffixes: tuple[str, ...] = (".py", ".pyi")
    version = 2
    steering: tuple[str, ...] = ("pyproject.toml", "setup.py", "setup.cfg")

    def extract(self, source: bytes, path: str) -> Facts:
        """All facts of a Python file."""
        from keel.languages.python.extract import extract

        return extract(source, path)

    def linker(self, tree: Tree) -> Linker:
        """A linker over the workspace as it is now."""
        from keel.languages.python.resolve.link import PythonLinker

        return PythonLinker(tree)

    def changed_keys(self, changes: Iterable[Change]) -> set[int]:
        """The look-up keys whose answers differ."""
        from keel.languages.python.resolve.keys import changed_keys

        return changed_keys(changes)


language = Python()
