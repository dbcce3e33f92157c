"""Things on paper: as a store keeps them, named so that edits elsewhere leave them alone.

What can be named so is decided in `giving`; who reads them is `rounds`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from keel.languages.python.facts import PythonTree
from keel.languages.python.resolve.sources import Source
from keel.languages.python.resolve.things import (
    CLASS,
    ENTRIES,
    FUNCTION,
    GENERATOR,
    INSTANCE,
    ITEMS,
    MANY,
    METHOD,
    PARTIAL,
    ROW,
    Thing,
    Things,
)

NAMED = (FUNCTION, CLASS, INSTANCE, GENERATOR)
History = list[tuple[int, Things]]
"""What is given, from which round on."""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


class Paper:
    """Writes things down and reads them again."""

    def __init__(self, tree: PythonTree, source: Callable[[int], Source]) -> None:
        self._rows = tree.files
        self._source = source
        self._files = tree.layout(_numbers)

    def write(self, history: History) -> bytes:
        """A history as bytes."""
        return encode([[turn, self._things(things)] for turn, things in history])

    def read(self, data: bytes) -> History:
        """The inverse; things that are no longer there are left out."""
        return [(turn, self._found(items)) for turn, items in decode(data)]

    def written(self, data: bytes, turn: int) -> set[bytes]:
        """The things that a history holds in a round, as they are written down."""
        found: list[Any] = []
        for number, items in decode(data):
            if number > turn:
                break
            found = items
        return {encode(item) for item in found}

    def names(self, things: Things) -> set[bytes]:
        """Things as they would be written down."""
        return {encode(self._thing(thing)) for thing in things}

    def _things(self, things: Things) -> list[Any]:
        return sorted((self._thing(thing) for thing in things), key=encode)

    def _thing(self, thing: Thing) -> list[Any]:
        sort = thing[0]
        if sort in NAMED:
            return [sort, *self._name(thing[1], thing[2])]
        if sort == METHOD:
            return [sort, *self._name(thing[1], thing[2]), self._thing(thing[3])]
        if sort == ENTRIES:
            return [sort, *([key, self._things(held)] for key, held in thing[1])]
        return [sort, *(self._things(part) for part in thing[1:])]

    def _name(self, file: int, ordinal: int) -> list[Any]:
        row, source = self._rows[file], self._source(file)
        definition = source.defs[ordinal]
        return [row.root, row.path, source.strings[definition.qualified_name], definition.occurrence]

    def _found(self, items: list[Any]) -> Things:
        return tuple(thing for item in items if (thing := self._read(item)) is not None)

    def _read(self, item: list[Any]) -> Thing | None:
        sort = item[0]
        if sort in NAMED or sort == METHOD:
            root, path, name, occurrence = item[1:5]
            file = self._files.get((root, path))
            ordinal = None if file is None else self._source(file).by_name.get((name, occurrence))
            if ordinal is None:
                return None
            if sort == METHOD:
                receiver = self._read(item[5])
                return None if receiver is None else (sort, file, ordinal, receiver)
            return (sort, file, ordinal, None) if sort == GENERATOR else (sort, file, ordinal)
        if sort == ENTRIES:
            return (sort, tuple((key, self._found(held)) for key, held in item[1:]))
        assert sort in (ITEMS, ROW, PARTIAL, MANY)
        return (sort, *(self._found(part) for part in item[1:]))


def _numbers(tree: PythonTree) -> dict[tuple[str, str], int]:
    """The numbers of files by root and path."""
    return {(row.root, row.path): number for number, row in tree.files.items()}
