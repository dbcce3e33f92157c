"""Reach: through what a callee is reached at a call, by evaluating the callee once more.

Edges say who is called, not how; whether a receiver comes before the arguments is only known from the value that is
called. What files give each other is taken from what the store remembers of the last run.
"""

from __future__ import annotations

import sys

from keel.languages.python.binding.functions import Reached
from keel.languages.python.resolve.link import MAX_FRAMES, PythonLinker
from keel.languages.python.resolve.memory import Trace
from keel.languages.python.resolve.portable import Paper
from keel.languages.python.resolve.rounds import ROUNDS, held_by
from keel.languages.python.resolve.things import CLASS, FUNCTION, INSTANCE, METHOD, Things, join
from keel.model.contracts import Spot
from keel.model.kinds import NodeKind
from keel.ports.tree import Given, Tree

CONSTRUCTORS = ("__init__", "__new__")
"""What calling a class calls; both are given something before the arguments."""


class Reach(PythonLinker):
    """A linker that only evaluates callees."""

    def __init__(self, tree: Tree, given: Given) -> None:
        super().__init__(tree)
        self._given = given
        self._paper = Paper(tree.files, self._source)
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
