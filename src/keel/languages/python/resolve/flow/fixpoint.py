"""The fixpoint of argument flow between files: iterations until nothing changes or the last one is done.

In each iteration every file sees the flow of the iteration before, so that the outcome does not depend on the order of
files. A file is linked again when a slot it read has changed. Between runs the store keeps the flow of each file in
each iteration, as portable values: named so that edits elsewhere leave them alone. So an unchanged file takes part
without being linked again. Which values are portable is left to `argument_flow`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from keel.languages.python.facts import PythonTree
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    ENTRIES,
    FUNCTION,
    GENERATOR,
    INSTANCE,
    ITEMS,
    MANY,
    METHOD,
    NONE,
    PARTIAL,
    ROW,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.flow.argument_flow import ArgumentFlow
from keel.languages.python.resolve.flow.edges import Linked
from keel.languages.python.resolve.lookup.sources import Source
from keel.model.rows import FileLinks
from keel.ports.language import Flows

NAMED = (FUNCTION, CLASS, INSTANCE, GENERATOR)
History = list[tuple[int, AbstractValues]]
"""The flow from one file into one slot, by the iteration it begins in."""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


class PortableValues:
    """Encodes and decodes portable values."""

    def __init__(self, tree: PythonTree, source: Callable[[int], Source]) -> None:
        self._rows = tree.files
        self._source = source
        self._files = tree.layout(_numbers)

    def write(self, history: History) -> bytes:
        """A history as bytes."""
        return encode([[iteration, self._values(values)] for iteration, values in history])

    def read(self, data: bytes) -> History:
        """The inverse; values that no longer exist are left out."""
        return [(iteration, self._found(items)) for iteration, items in decode(data)]

    def written(self, data: bytes, iteration: int) -> set[bytes]:
        """The portable values that a history holds in an iteration."""
        found: list[Any] = []
        for number, items in decode(data):
            if number > iteration:
                break
            found = items
        return {encode(item) for item in found}

    def names(self, values: AbstractValues) -> set[bytes]:
        """Abstract values as portable values."""
        return {encode(self._value(value)) for value in values}

    def _values(self, values: AbstractValues) -> list[Any]:
        return sorted((self._value(value) for value in values), key=encode)

    def _value(self, value: AbstractValue) -> list[Any]:
        sort = value[0]
        if sort in NAMED:
            return [sort, *self._name(value[1], value[2])]
        if sort == METHOD:
            return [sort, *self._name(value[1], value[2]), self._value(value[3])]
        if sort == ENTRIES:
            return [sort, *([key, self._values(held)] for key, held in value[1])]
        return [sort, *(self._values(part) for part in value[1:])]

    def _name(self, file: int, ordinal: int) -> list[Any]:
        row, source = self._rows[file], self._source(file)
        definition = source.defs[ordinal]
        return [row.root, row.path, source.strings[definition.qualified_name], definition.occurrence]

    def _found(self, items: list[Any]) -> AbstractValues:
        return tuple(value for item in items if (value := self._read(item)) is not None)

    def _read(self, item: list[Any]) -> AbstractValue | None:
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


MAX_ITERATIONS = 3
"""How often a value is passed on from parameter to parameter."""


class Fixpoint:
    """One run over the files that are to be linked."""

    def __init__(
        self, evaluator: Evaluator, link: Callable[[int], Linked], flows: Flows, portable: PortableValues
    ) -> None:
        self._evaluator = evaluator
        self._link = link
        self._flows = flows
        self._portable = portable
        self._linked: dict[int, Linked] = {}
        self._since: dict[int, int] = {}
        """The iteration from which on a file is linked; its flow before that is as stored."""
        self._given: dict[int, dict[int, ArgumentFlow]] = {}
        """The flow of each file, by iteration; a missing iteration is like the one before."""
        self._contributors: dict[int, set[int]] = {}
        """Files at hand that flow into a slot."""
        self._stored: dict[int, dict[int, History]] = {}
        self._read: dict[int, Mapping[int, bytes]] = {}
        self._iteration = 0
        self._changed: Container[int] = frozenset()
        """Slots whose content differs from the iteration before."""
        self._held: dict[int, AbstractValues] = {}
        self._before: dict[int, AbstractValues] = {}

    def run(self, files: Sequence[int]) -> Iterator[FileLinks]:
        """The recipe: every file with empty slots, then iterations over what changed; then the outcome."""
        slots = self._evaluator.slots
        slots.held = lambda key: NONE
        for file in files:
            linked = self._take(file, 0)
            if linked.is_settled and not self._flows.remembers:
                del self._linked[file]
                yield self._outcome(linked)
        slots.held = self._in_slot
        self._evaluator.lookup.let_go()  # most references are settled, and their values are not needed again
        for iteration in range(1, MAX_ITERATIONS + 1):
            self._begin(iteration)
            late = self._awakened()
            if not self._repeat() and not late and not self._flows.remembers:
                break
            for file in late:
                self._take(file, iteration)
        for file in [*self._linked]:
            yield self._outcome(self._linked.pop(file))

    def _take(self, file: int, iteration: int) -> Linked:
        """Links a file for the first time, in an iteration."""
        self._since[file] = iteration
        linked = self._linked[file] = self._link(file)
        self._note(file, iteration + 1, linked.outflow)
        return linked

    def _note(self, file: int, iteration: int, outflow: ArgumentFlow) -> None:
        self._given.setdefault(file, {})[iteration] = outflow
        for slot in outflow:
            self._contributors.setdefault(slot, set()).add(file)

    def _begin(self, iteration: int) -> None:
        """The flow of the last iteration is what this one sees."""
        self._iteration = iteration
        self._before, self._held = self._held, {}
        read = self._evaluator.slots.read
        may = read if self._flows.remembers else read & self._contributors.keys()
        changed = {slot for slot in may if self._in_slot(slot) != self._was(slot)}
        self._changed = changed
        if changed:
            self._evaluator.lookup.forget(changed)

    def _was(self, slot: int) -> AbstractValues:
        if self._iteration == 1:
            return NONE
        known = self._before.get(slot)
        return self._joined(slot, self._iteration - 1) if known is None else known

    def _repeat(self) -> bool:
        """Asks again what depends on slots that changed; whether anything did."""
        moved = False
        for file, linked in self._linked.items():
            if self._changed != frozenset() and linked.again(self._changed.__contains__):
                moved = True
                self._note(file, self._iteration + 1, linked.outflow)
        return moved

    def _awakened(self) -> list[int]:
        """Files that are not at hand but read a slot whose content differs from what it was in that iteration."""
        if not self._flows.remembers:
            return []
        slots = {slot for outflow in self._given.values() for given in outflow.values() for slot in given}
        slots |= self._flows.slots(self._linked)
        differing = [slot for slot in slots if self._written_now(slot) != self._written_before(slot)]
        found = self._flows.readers(differing) - self._linked.keys() if differing else set()
        return sorted(found)

    # the content of slots

    def _in_slot(self, slot: int) -> AbstractValues:
        known = self._held.get(slot)
        if known is None:
            known = self._held[slot] = self._joined(slot, self._iteration)
        return known

    def _joined(self, slot: int, iteration: int) -> AbstractValues:
        """The content of a slot by an iteration, from all files, those at hand as they are now."""
        stored = self._histories(slot)
        parts = []
        for file in sorted({*stored, *self._contributors.get(slot, ())}):
            if file in self._since and iteration > self._since[file]:
                parts.append(self._at(file, slot, iteration))
            elif file in stored and file not in self._flows.gone:
                parts.append(held_by(stored[file], iteration))
        return tuple(sorted(join(parts), key=repr))

    def _written_before(self, slot: int) -> set[bytes]:
        """The content of a slot in this iteration of the last run, values that no longer exist included."""
        return {value for data in self._data(slot).values() for value in self._portable.written(data, self._iteration)}

    def _written_now(self, slot: int) -> set[bytes]:
        """The content of a slot now, in the same form."""
        found: set[bytes] = set()
        data = self._data(slot)
        for file in {*data, *self._contributors.get(slot, ())}:
            if file in self._since and self._iteration > self._since[file]:
                found |= self._portable.names(self._at(file, slot, self._iteration))
            elif file in data and file not in self._flows.gone:
                found |= self._portable.written(data[file], self._iteration)
        return found

    def _at(self, file: int, slot: int, iteration: int) -> AbstractValues:
        fixpoint = self._given[file]
        for number in range(iteration, 0, -1):
            if number in fixpoint:
                return fixpoint[number].get(slot, NONE)
        return NONE

    def _histories(self, slot: int) -> dict[int, History]:
        known = self._stored.get(slot)
        if known is None:
            known = self._stored[slot] = {file: self._portable.read(data) for file, data in self._data(slot).items()}
        return known

    def _data(self, slot: int) -> Mapping[int, bytes]:
        """The flow of files into a slot, as the store has it."""
        known = self._read.get(slot)
        if known is None:
            known = self._read[slot] = self._flows.given(slot) if self._flows.remembers else {}
        return known

    # the outcome

    def _outcome(self, linked: Linked) -> FileLinks:
        flows = self._histories_of(linked.file)
        return FileLinks(linked.file, linked.rows, bytes(linked.reasons), linked.candidates, linked.keys, flows)

    def _histories_of(self, file: int) -> dict[int, bytes]:
        """The flow of a file into each slot, by iteration, for the store."""
        since, fixpoint = self._since[file], self._given[file]
        slots = {slot for outflow in fixpoint.values() for slot in outflow}
        if since:
            slots |= self._flows.slots([file])
        found: dict[int, bytes] = {}
        for slot in slots:
            history: History = []
            if since:
                history = [part for part in self._histories(slot).get(file, []) if part[0] <= since]
            for iteration in sorted(fixpoint):
                values = fixpoint[iteration].get(slot, NONE)
                if set(values) != set(history[-1][1] if history else NONE):
                    history.append((iteration, values))
            if history:
                found[slot] = self._portable.write(history)
        return found


def held_by(history: History, iteration: int) -> AbstractValues:
    """The values of a history in an iteration."""
    found = NONE
    for number, values in history:
        if number > iteration:
            break
        found = values
    return found
