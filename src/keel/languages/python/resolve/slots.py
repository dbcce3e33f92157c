"""Slots: what is given from elsewhere, to the parameters of functions by callers and to attributes of classes.

Reading one is a look-up like any other: its key is recorded. How slots are filled, round by round, is left to `rounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from keel.languages.python.resolve import keys
from keel.languages.python.resolve.lookup import Lookup
from keel.languages.python.resolve.sources import Source
from keel.languages.python.resolve.things import NONE, Things
from keel.model.kinds import NodeKind
from keel.model.rows import FileRow

TESTS, TEST_NAMES = frozenset(("tests", "test", "testing")), ("test_", "tests.", "conftest.")


class Slots:
    """What parameters and attributes are given, by key."""

    def __init__(self, rows: Mapping[int, FileRow], source: Callable[[int], Source], lookup: Lookup) -> None:
        self._rows = rows
        self._source = source
        self._lookup = lookup
        self._parameters: dict[tuple[int, int, int], int] = {}
        self._fields: dict[tuple[int, int, str], int] = {}
        self._tests: dict[int, bool] = {}
        self.read: set[int] = set()
        """Every slot that was ever read."""
        self.held: Callable[[int], Things] = _nothing
        """What is in a slot, by its key, in the round at hand."""

    @property
    def by_place(self) -> tuple[dict[Any, int], ...]:
        """The keys that are known, by place: the file first."""
        return self._parameters, self._fields

    def key(self, file: int, function: int, index: int) -> int:
        """The key of a parameter."""
        place = (file, function, index)
        known = self._parameters.get(place)
        if known is None:
            row, source = self._rows[file], self._source(file)
            signature = source.defs[function].signature
            params = signature.params if signature else []
            # `def method():` in a class is given a receiver all the same, which nothing reads
            name = source.strings[params[index].name] if index < len(params) else ""
            known = keys.parameter(row.root, row.path, source.label(function), name)
            self._parameters[place] = known
        return known

    def field_key(self, file: int, ordinal: int, name: str) -> int:
        """The key of an attribute of a class."""
        place = (file, ordinal, name)
        known = self._fields.get(place)
        if known is None:
            row, source = self._rows[file], self._source(file)
            known = self._fields[place] = keys.field(row.root, row.path, source.label(ordinal), name)
        return known

    def is_test(self, file: int) -> bool:
        """Whether a file is test code, by its place and name."""
        known = self._tests.get(file)
        if known is None:
            *folders, name = self._rows[file].path.split("/")
            known = self._tests[file] = not TESTS.isdisjoint(folders) or name.startswith(TEST_NAMES)
        return known

    def is_open(self, file: int, function: int) -> bool:
        """Whether anything may be given to a function: methods of test code are called by a runner alone."""
        return not (self.is_test(file) and self._source(file).defs[function].kind == NodeKind.METHOD)

    def parameter(self, file: int, function: int, index: int) -> Things:
        """What a parameter is given."""
        if not self.is_open(file, function):
            return NONE
        return self._get(self.key(file, function, index))

    def field(self, file: int, ordinal: int, name: str) -> Things:
        """What an attribute is given from outside its class."""
        return self._get(self.field_key(file, ordinal, name))

    def _get(self, key: int) -> Things:
        self._lookup.slots_read.add(key)
        self.read.add(key)
        return self.held(key)


def _nothing(key: int) -> Things:
    return NONE
