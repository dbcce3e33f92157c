"""A workspace of texts: files that are only in memory, as a linker or binding sees a tree.

Nothing is written to disk; what the files mean is for those who ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from keel.languages.python import language
from keel.languages.python.binding.names import Names
from keel.languages.python.facts import Facts, Interface
from keel.model.kinds import RefKind
from keel.model.manifests import Manifest
from keel.model.refs import DefRef
from keel.model.rows import FileRow
from keel.ports.tree import Tree

T = TypeVar("T")
ROOT = "main"


class Texts:
    """The Tree of some Python files, by path."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.facts: dict[int, Facts] = {}
        self.files: dict[int, FileRow] = {}
        for number, (path, text) in enumerate(files.items()):
            self.facts[number] = language.extract(text.encode(), path)
            self.files[number] = FileRow(number, ROOT, path, "python", "", b"", 0, 0, 0)
        self.roots = [ROOT]
        self.manifests: Sequence[Manifest] = []
        self.numbers = {path: number for number, path in enumerate(files)}

    def interface(self, file: int) -> Interface:
        """What a file says to others."""
        return self.facts[file].interface

    def layout(self, make: Callable[[Tree[Any]], T]) -> T:
        """What is made of which files there are."""
        return make(self)

    def names(self) -> Names:
        """Its names."""
        return Names(self)

    def place(self, name: str, path: str | None = None) -> DefRef:
        """The last definition of a qualified name, in a file or else in the last one."""
        file = len(self.files) - 1 if path is None else self.numbers[path]
        interface = self.interface(file)
        found = [number for number, each in enumerate(interface.defs) if interface.text(each.qualified_name) == name]
        if not found:
            raise LookupError(f"no definition of {name}")
        return DefRef(file, found[-1])

    def calls(self, file: int = 0) -> list[int]:
        """Places of all calls of a file, in the order in which the extractor meets them."""
        return [each.value for each in self.facts[file].references.items if each.kind == RefKind.CALL]


def text_of(files: str) -> Texts:
    """A workspace of one file."""
    return Texts({"m.py": files})
