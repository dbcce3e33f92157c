"""Slots: what callers all over the workspace give the parameters of a function.

Reading one is a look-up like any other: its key is recorded. How slots are filled, round by round, is left to `rounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from keel.languages.python.resolve import keys
from keel.languages.python.resolve.sources import Source
from keel.languages.python.resolve.things import NONE, Things
from keel.model.rows import FileRow


class Slots:
    """What parameters are given, by key."""

    def __init__(self, rows: Mapping[int, FileRow], source: Callable[[int], Source]) -> None:
        self._rows = rows
        self._source = source
        self._keys: dict[tuple[int, int], str] = {}
        self.held: Callable[[int], Things] = lambda key: NONE
        """What is known to be in a slot."""

    def key(self, file: int, function: int, index: int) -> int:
        """The key of a parameter."""
        row, source = self._rows[file], self._source(file)
        definition = source.defs[function]
        params = definition.signature.params if definition.signature else []
        name = source.strings[params[index].name]
        label = f"{source.strings[definition.qualified_name]}#{definition.occurrence}"
        return keys.parameter(row.root, row.path, label, name)

    def get(self, file: int, function: int, index: int) -> Things:
        """What a parameter is given."""
        return self.held(self.key(file, function, index))
