"""The persistent linker, for the daemon: answers of one run are reused in the next.

For a workspace with the same files, of which some have changed: `learn` takes each of them. Linking itself is left to
`link`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from keel.languages.python.facts import Interface, PythonTree
from keel.languages.python.resolve.flow.edges import Linked
from keel.languages.python.resolve.flow.fixpoint import Fixpoint, PortableValues
from keel.languages.python.resolve.incremental.persistent_fixpoint import Past, PersistentFixpoint
from keel.languages.python.resolve.incremental.persistent_lookup import PersistentLookup
from keel.languages.python.resolve.link import PythonLinker
from keel.languages.python.resolve.lookup.sources import Source
from keel.languages.python.resolve.lookup.tables import Table
from keel.ports.language import Flows

MAX_ANSWERS, MAX_FILES = 250_000, 1_200
"""When more answers are cached than this, all are forgotten."""


class PersistentLinker(PythonLinker):
    """Links Python files again and again."""

    def __init__(self, tree: PythonTree) -> None:
        super().__init__(tree)
        self._past = Past()
        self._source, self._table = self._looked_source, self._looked_table

    def _looked_source(self, file: int) -> Source:
        self._lookup.files.add(file)
        return self._sources[file]

    def _looked_table(self, file: int) -> Table:
        self._lookup.files.add(file)
        return self._tables[file]

    @cached_property
    def _lookup(self) -> PersistentLookup:
        return PersistentLookup(self._tree, self._table)

    @cached_property
    def _portable(self) -> PortableValues:
        return PortableValues(self._tree, self._source)

    def learn(self, file: int, interface: Interface) -> None:
        """Takes in a file whose facts have changed."""
        super().learn(file, interface)
        self._lookup.change(file)
        self._evaluator.change(file)
        self._past.change(file)

    def _fixpoint(self, link: Callable[[int], Linked], flows: Flows) -> Fixpoint:
        return PersistentFixpoint(self._evaluator, self._lookup, link, flows, self._portable, self._past)

    def _drop(self, file: int) -> None:
        """Tests are linked again like other files."""

    def _let_go(self) -> None:
        """Forgets everything when the cache has grown too large."""
        if self._lookup.size > MAX_ANSWERS or len(self._sources) > MAX_FILES:
            self._past = Past()
            super()._let_go()
