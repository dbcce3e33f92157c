"""Python: files are read with tree-sitter, names are resolved by Python's own import and scope rules.

`language` is what the registry loads; extraction and resolution are imported only when they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from keel.ports.language import Language

if TYPE_CHECKING:
    from keel.languages.python.facts import Facts, Interface, PythonSide, PythonTree
    from keel.model.evidence import Clue
    from keel.model.manifests import Source
    from keel.model.rows import EdgeRow
    from keel.model.syntax import Syntax
    from keel.ports.contracts import Contracts
    from keel.ports.conventions import Conventions
    from keel.ports.editing import Editing
    from keel.ports.external import External
    from keel.ports.language import Answers, Change, Linker, ManifestReading, Question
    from keel.ports.tree import SlotContents


class Python(Language):
    """The Language socket for Python."""

    name = "python"
    suffixes: tuple[str, ...] = (".py", ".pyi")
    version = 7
    manifest_files: tuple[str, ...] = ("pyproject.toml", "setup.py", "setup.cfg")

    @property
    def syntax(self) -> Syntax:
        """How Python writes names, comments and signatures."""
        from keel.languages.python.syntax import SYNTAX

        return SYNTAX

    def parse_manifests(self, contents: Mapping[tuple[str, str], bytes]) -> ManifestReading:
        """What the manifests declare."""
        from keel.languages.python.manifests.read import read_manifests

        return read_manifests(contents)

    def sources(self, tree: PythonTree) -> Mapping[str, Sequence[Source]]:
        """Where absolute imports start."""
        from keel.languages.python.resolve.lookup.modules import Modules

        return tree.layout(Modules).sources

    def text(self, source: bytes) -> bytes:
        """The text of a Python file, by the encoding it declares."""
        from keel.languages.python.source import as_utf8

        return as_utf8(source)

    def extract(self, source: bytes, path: str) -> Facts:
        """All facts of a Python file."""
        from keel.languages.python.extract import extract

        return extract(source, path)

    def decode(self, data: bytes) -> Interface:
        """An interface with the fields that only Python reads."""
        from keel.languages.python.facts import decode_interface

        return decode_interface(data)

    def linker(self, tree: PythonTree, persistent: bool = False) -> Linker:
        """A linker over the workspace as it is now."""
        if persistent:
            from keel.languages.python.resolve.incremental.persistent_linker import PersistentLinker

            return PersistentLinker(tree)
        from keel.languages.python.resolve.link import PythonLinker

        return PythonLinker(tree)

    def explain(
        self, tree: PythonTree, file: int, edge: EdgeRow, references: Callable[[int], bytes], given: SlotContents
    ) -> list[Clue]:
        """The steps of evidence behind an edge."""
        from keel.languages.python.resolve.evidence.explain import explain

        return explain(tree, file, edge, references, given)

    def contracts(self, base: PythonSide, now: PythonSide) -> Contracts:
        """Judgements about calls and definitions of two trees."""
        from keel.languages.python.contracts.judge import PythonContracts

        return PythonContracts(base, now)

    def conventions(self) -> Conventions:
        """The conventions that functions are checked for: annotations and docstrings."""
        from keel.languages.python.contracts.questions import PythonConventions

        return PythonConventions()

    def external(self) -> External:
        """What Python files say of packages outside the workspace."""
        from keel.languages.python.external import PythonExternal

        return PythonExternal()

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
        from keel.languages.python.resolve.lookup.keys import changed_keys

        return changed_keys(changes, known)


language = Python()
