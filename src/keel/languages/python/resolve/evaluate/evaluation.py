"""The interface of evaluation: what `members`, `calls`, `containers` and `types` ask `evaluator` for.

It is here so that they need not know each other. Slots are part of it: the abstract values that flow from elsewhere
into the parameters of functions and the attributes of classes. Reading one is a look-up like any other: its key is
recorded. Filling slots, iteration by iteration, is left to `fixpoint`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from keel.languages.python.resolve.evaluate.abstract_values import NONE, AbstractValue, AbstractValues, Frame
from keel.languages.python.resolve.lookup import keys
from keel.languages.python.resolve.lookup.lookup import Lookup
from keel.languages.python.resolve.lookup.sources import Source
from keel.model.kinds import NodeKind
from keel.model.rows import FileRow

TESTS, TEST_NAMES = frozenset(("tests", "test", "testing")), ("test_", "tests.", "conftest.")


class ParameterSlots:
    """What flows into parameters and attributes, by key."""

    def __init__(self, rows: Mapping[int, FileRow], source: Callable[[int], Source], lookup: Lookup) -> None:
        self._rows = rows
        self._source = source
        self._lookup = lookup
        self._parameters: dict[tuple[int, int, int], int] = {}
        self._fields: dict[tuple[int, int, str], int] = {}
        self._tests: dict[int, bool] = {}
        self.read: set[int] = set()
        """Every slot that was ever read."""
        self.held: Callable[[int], AbstractValues] = _nothing
        """The content of a slot, by its key, in the current iteration."""

    @property
    def by_slot(self) -> tuple[dict[Any, int], ...]:
        """The keys that are known, by slot: the file first."""
        return self._parameters, self._fields

    def key(self, file: int, function: int, index: int) -> int:
        """The key of a parameter."""
        key = (file, function, index)
        known = self._parameters.get(key)
        if known is None:
            row, source = self._rows[file], self._source(file)
            signature = source.defs[function].signature
            params = signature.params if signature else []
            # `def method():` in a class gets a receiver all the same, which nothing reads
            name = source.strings[params[index].name] if index < len(params) else ""
            known = keys.parameter(row.root, row.path, source.label(function), name)
            self._parameters[key] = known
        return known

    def field_key(self, file: int, ordinal: int, name: str) -> int:
        """The key of an attribute of a class."""
        key = (file, ordinal, name)
        known = self._fields.get(key)
        if known is None:
            row, source = self._rows[file], self._source(file)
            known = self._fields[key] = keys.field(row.root, row.path, source.label(ordinal), name)
        return known

    def is_test(self, file: int) -> bool:
        """Whether a file is test code, by its path and name."""
        known = self._tests.get(file)
        if known is None:
            *folders, name = self._rows[file].path.split("/")
            known = self._tests[file] = not TESTS.isdisjoint(folders) or name.startswith(TEST_NAMES)
        return known

    def is_open(self, file: int, function: int) -> bool:
        """Whether anything may flow into a function: methods of test code are called by a runner alone."""
        return not (self.is_test(file) and self._source(file).defs[function].kind == NodeKind.METHOD)

    def parameter(self, file: int, function: int, index: int) -> AbstractValues:
        """The arguments that flow into a parameter."""
        if not self.is_open(file, function):
            return NONE
        return self._get(self.key(file, function, index))

    def field(self, file: int, ordinal: int, name: str) -> AbstractValues:
        """The values that an attribute is set to from outside its class."""
        return self._get(self.field_key(file, ordinal, name))

    def _get(self, key: int) -> AbstractValues:
        self._lookup.slots_read.add(key)
        self.read.add(key)
        return self.held(key)


def _nothing(key: int) -> AbstractValues:
    return NONE


class Evaluation(Protocol):
    """The evaluator, as its parts see it."""

    lookup: Lookup
    slots: ParameterSlots
    source: Callable[[int], Source]
    rows: Mapping[int, FileRow]
    frame: Frame | None

    def evaluate(self, file: int, expr: int) -> AbstractValues:
        """The abstract values of an expression."""

    def all(self, file: int, exprs: Sequence[int]) -> AbstractValues:
        """The abstract values of several expressions."""

    def given(self, argument: Any) -> AbstractValues:
        """The abstract values of an argument."""

    def without_frame(self, ask: Callable[..., AbstractValues], *arguments: object) -> AbstractValues:
        """An answer that does not depend on the caller's arguments."""

    def name(self, file: int, name: str) -> AbstractValues:
        """A name of a module."""

    def binding(self, file: int, scope: int, name: str) -> AbstractValues:
        """What a name of a scope may be at its end."""

    def root(self, file: int, root: int, first: str) -> AbstractValues:
        """What the first name of a chain may be, by where it is bound."""

    def attributes(self, owners: AbstractValues, name: str) -> AbstractValues:
        """An attribute of abstract values."""

    def extension(self, file: int, expr: int) -> AbstractValues:
        """What is added to a container: another container."""

    def grown(self, file: int, exprs: Iterable[int]) -> AbstractValues:
        """The elements added to a container, as containers."""

    def elements(self, whole: AbstractValue) -> AbstractValues:
        """The elements that iterating over a value yields."""

    def definition(self, file: int, ordinal: int) -> AbstractValues:
        """A class or function as its decorators leave it."""

    def note_function(self, file: int, ordinal: int) -> None:
        """Records that the kind and the result of a function were looked up."""

    def note_attribute(self, file: int, ordinal: int, name: str) -> None:
        """Records that the values of an attribute of a class were looked up."""

    def of_definition(self, file: int, ordinal: int) -> AbstractValues:
        """What a definition's name denotes."""
