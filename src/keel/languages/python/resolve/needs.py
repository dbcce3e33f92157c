"""Needs: which parameters the result of a function depends on, and how, by the looks of its body.

What callers give to other parameters need not be known to tell what it hands back. Found by what is on the tape alone;
what the values are is left to `evaluate`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from keel.languages.python.facts import Def
from keel.languages.python.forms import (
    ATTR,
    BOUND,
    CALL,
    CHAIN,
    DEFINED,
    EXCLUDED,
    LAMBDA,
    NARROWED,
    PARAM,
    SUBSCRIPT,
    operands,
)
from keel.model.kinds import NodeKind

BY_NAME = frozenset(("getattr", "get", "pop", "setdefault", "__getitem__"))
"""What looks something up by a text that it is given."""


class Body(Protocol):
    """What is asked of a file."""

    tape: list[int]
    strings: list[str]
    defs: list[Def]

    @property
    def returns(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """What each function hands back: place and how."""


class Needs(NamedTuple):
    """Parameters by index."""

    values: frozenset[int]
    """Those that what is handed back depends on."""
    keys: frozenset[int]
    """Those whose text may say which of several things it is."""


def find_needs(source: Body, function: int) -> Needs:
    """The recipe: everything that is handed back, and what that is made of."""
    tape = source.tape
    seen: set[int] = set()
    found: set[int] = set()
    keys: set[int] = set()
    stack = [place for place, _ in source.returns.get(function, ())]
    while stack:
        place = stack.pop()
        if place < 0 or place in seen:
            continue
        seen.add(place)
        op = tape[place]
        if op == PARAM:
            if tape[place + 1] == function:
                found.add(tape[place + 2])
        elif op == BOUND and _is_part_of_receiver(source, place, function):
            continue
        elif op == DEFINED:
            # an inner function stands for what it wraps
            stack += source.defs[tape[place + 1]].decorators
        else:
            keys.update(_as_keys(source, place, function))
            stack += operands(tape, place)
    return Needs(frozenset(found), frozenset(keys & found))


def _as_keys(source: Body, place: int, function: int) -> Iterator[int]:
    """Parameters that stand where a text leads to something: subscripts, `getattr`, functions of the same file."""
    tape = source.tape
    if tape[place] == SUBSCRIPT:
        candidates = [tape[place + 2]]
    elif tape[place] == CALL and _looks_up(source, tape[place + 1]):
        candidates = list(operands(tape, place)[1:])
    else:
        return
    for one in candidates:
        value = _behind_names(source, one)
        if value >= 0 and tape[value] == PARAM and tape[value + 1] == function:
            yield tape[value + 2]


def _behind_names(source: Body, place: int) -> int:
    """The value that names stand for, whatever was found out about it since."""
    tape = source.tape
    while place >= 0:
        if tape[place] == BOUND and tape[place + 3] == 0:
            place = tape[place + 2]
        elif tape[place] in (NARROWED, EXCLUDED):
            place = tape[place + 1]
        else:
            break
    return place


def _looks_up(source: Body, callee: int) -> bool:
    callee = _behind_names(source, callee)
    if callee < 0:
        return False
    tape = source.tape
    op = tape[callee]
    if op in (DEFINED, LAMBDA):
        return True
    if op == ATTR:
        return source.strings[tape[callee + 2]] in BY_NAME
    if op not in (CHAIN, BOUND):
        return False
    text = source.strings[tape[callee + 1]]
    return text.rpartition(".")[2] in BY_NAME or (op == CHAIN and tape[callee + 2] >= 0 and "." not in text)


def _is_part_of_receiver(source: Body, place: int, function: int) -> bool:
    """Whether a value is an attribute of a method's receiver: the same for whatever class it is called on."""
    tape = source.tape
    base = tape[place + 2]
    if base < 0 or tape[base] != PARAM or tape[base + 1] != function or tape[base + 2] != 0:
        return False
    text = source.strings[tape[place + 1]]
    return source.defs[function].kind == NodeKind.METHOD and "." in text and not text.endswith(".__class__")
