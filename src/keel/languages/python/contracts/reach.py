"""Reach: through what a callee is reached at a call, by evaluating the callee once more.

Edges say who is called, not how; whether a receiver comes before the arguments is only known from the value that is
called. What files give each other is taken from what the store remembers of the last run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.languages.python import forms
from keel.languages.python.binding.functions import Reached
from keel.languages.python.facts import PythonTree
from keel.languages.python.resolve.link import MAX_FRAMES, PythonLinker
from keel.languages.python.resolve.members import owners_of
from keel.languages.python.resolve.memory import Trace
from keel.languages.python.resolve.portable import Paper
from keel.languages.python.resolve.rounds import ROUNDS, held_by
from keel.languages.python.resolve.things import (
    CLASS,
    FUNCTION,
    INSTANCE,
    MADE_OUTSIDE,
    MANY,
    METHOD,
    OUTSIDE,
    TEXT,
    Things,
    join,
)
from keel.model.contracts import Spot
from keel.model.kinds import NodeKind
from keel.ports.tree import Given

HELD_AT = {forms.ATTR: 1, forms.BOUND: 2}
"""Where values keep the one that they are looked up on."""
STRANGE = (OUTSIDE, MADE_OUTSIDE, TEXT, MANY)
"""Things that no class of the workspace says anything about."""
CONSTRUCTORS = ("__init__", "__new__")
"""What calling a class calls; both are given something before the arguments."""


class Reach(PythonLinker):
    """A linker that only evaluates callees."""

    def __init__(self, tree: PythonTree, given: Given) -> None:
        super().__init__(tree)
        self._given = given
        self._paper = Paper(tree, self._source)
        self._evaluator.slots.held = self._in_slot

    def of(self, file: int, place: int, callee: Spot) -> Reached | None:
        """How a callee is reached by the value at a place; None when it is not, or in more than one way."""
        if place < 0:
            return None
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, MAX_FRAMES))
        try:
            self._evaluator.at_hand = file
            things, _ = self._lookup.traced(Trace(), self._evaluator.evaluate, file, place)
        finally:
            sys.setrecursionlimit(limit)
        ways = {self._way(thing, callee) for thing in things} - {None}
        return ways.pop() if len(ways) == 1 else None

    def is_known(self, file: int, place: int) -> bool:
        """Whether everything that a callee may be looked up on is known, and of the workspace."""
        self._evaluator.at_hand = file
        (owners, name), _ = self._lookup.traced(Trace(), owners_of, self._evaluator, file, place)
        if any(owner[0] in STRANGE for owner in owners):
            return False
        return not name or all(self._evaluator.evaluate(file, each) for each in self._choices(file, place))

    def has_owner(self, file: int, place: int) -> bool:
        """Whether something is known of what the last name of a value is looked up on, if it is on anything."""
        self._evaluator.at_hand = file
        (owners, name), _ = self._lookup.traced(Trace(), owners_of, self._evaluator, file, place)
        return bool(owners) or not name

    def is_member(self, file: int, place: int, member: Spot) -> bool:
        """Whether the last name of a value is a member of an instance that it is looked up on."""
        self._evaluator.at_hand = file
        (owners, name), _ = self._lookup.traced(Trace(), owners_of, self._evaluator, file, place)
        found = [self._lookup.attribute(owner[1], owner[2], name) for owner in owners if owner[0] == INSTANCE]
        return any((each.file, each.ordinal) == tuple(member) for each in found)

    def _choices(self, file: int, place: int) -> Iterator[int]:
        """The values that the receiver of a callee may be, where the flow of control decides."""
        tape = self._source(file).tape
        if tape[place] == forms.CHOICE:
            yield from forms.operands(tape, place)
        elif tape[place] in HELD_AT and tape[place + HELD_AT[tape[place]]] >= 0:
            yield from self._choices(file, tape[place + HELD_AT[tape[place]]])

    def _way(self, thing: tuple[object, ...], callee: Spot) -> Reached | None:
        if thing[0] == INSTANCE:
            return Reached.INSTANCE if self._name(callee) == "__call__" else None
        if thing[0] == CLASS and self._name(callee) in CONSTRUCTORS:
            return Reached.INSTANCE
        if thing[1:3] != tuple(callee):
            return None
        is_method = self._source(callee.file).defs[callee.ordinal].kind == NodeKind.METHOD
        if thing[0] == METHOD:
            receiver = thing[3]
            if not is_method:  # a function that a class body names: its first parameter is filled, and nothing says so
                return None
            return Reached.CLASS if isinstance(receiver, tuple) and receiver[0] == CLASS else Reached.INSTANCE
        if thing[0] == CLASS:
            return Reached.NAME
        if thing[0] != FUNCTION:
            return None
        return Reached.CLASS if is_method else Reached.NAME

    def _name(self, callee: Spot) -> str:
        source = self._source(callee.file)
        return source.strings[source.defs[callee.ordinal].name]

    def _in_slot(self, slot: int) -> Things:
        given = self._given(slot)
        return join(held_by(self._paper.read(given[file]), ROUNDS) for file in sorted(given))
