"""Python: its files by tree-sitter, its names by its own import and scope rules.

`language` is what the registry finds; extraction and resolution are imported only when they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.languages.python.facts import Interface
    from keel.model.evidence import Clue
    from keel.model.facts import Facts
    from keel.model.manifests import Source
    from keel.model.rows import EdgeRow
    from keel.ports.contracts import Contracts, Side
    from keel.ports.editing import Editing
    from keel.ports.language import Answers, Change, Linker, Question, Steering
    from keel.ports.tree import Given, Tree


class Python:
    """The Language socket for Python."""

    name = "python"
    suffixes: tuple[str, ...] = (".py", ".pyi")
    version = 6
    steering: tuple[str, ...] = ("pyproject.toml", "setup.py", "setup.cfg")

    def steer(self, contents: Mapping[tuple[str, str], bytes]) -> Steering:
        """What the manifests declare."""
        from keel.languages.python.manifests.read import read_manifests

        return read_manifests(contents)

    def sources(self, tree: Tree) -> Mapping[str, Sequence[Source]]:
        """Where absolute imports start."""
        from keel.languages.python.resolve.modules import Modules

        return tree.layout(Modules).sources

    def text(self, source: bytes) -> bytes:
        """The text of a Python file, by the encoding it declares."""
        from keel.languages.python.source import as_utf8

        return as_utf8(source)

    def extract(self, source: bytes, path: str) -> Facts:
        """All facts of a Python file."""
        from keel.languages.python.extract import extract

        return extract(source, path)

    def linker(self, tree: Tree, lasts: bool = False) -> Linker:
        """A linker over the workspace as it is now."""
        if lasts:
            from keel.languages.python.resolve.lasting_link import LastingLinker

            return LastingLinker(tree)
        from keel.languages.python.resolve.link import PythonLinker

        return PythonLinker(tree)

    def explain(
        self, tree: Tree, file: int, edge: EdgeRow, references: Callable[[int], bytes], given: Given
    ) -> list[Clue]:
        """The steps behind an edge."""
        from keel.languages.python.resolve.explain import explain

        return explain(tree, file, edge, references, given)

    def contracts(self, base: Side, now: Side) -> Contracts:
        """Judgements about calls and definitions of two trees."""
        from keel.languages.python.contracts.judge import PythonContracts

        return PythonContracts(base, now)

    def editing(self) -> Editing:
        """Edits of Python source."""
        from keel.languages.python.editing import PythonEditing

        return PythonEditing()

    def questions(self, interface: Interface, references: bytes) -> list[Question]:
        """What a type checker is asked about a file."""
        from keel.languages.python.resolve.confirm import questions

        return questions(interface, references)

    def changed_keys(self, changes: Iterable[Change], known: Answers | None = None) -> set[int]:
        """The look-up keys whose answers differ."""
        from keel.languages.python.resolve.keys import changed_keys

        return changed_keys(changes, known)


language = Python()
