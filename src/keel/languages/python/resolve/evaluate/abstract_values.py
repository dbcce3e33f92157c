"""Abstract values: what an expression may evaluate to, as small tuples that can be compared and cached.

The first element says which sort of value it is. How expressions become abstract values is left to `evaluator`.

    sort            further parts
    FUNCTION        file, definition
    CLASS           file, definition
    INSTANCE        file, definition (of its class)
    METHOD          file, definition, receiver              a function bound to a value
    MODULE          file
    SPACE           Found                                   a namespace package
    OUTSIDE         dotted name                             something that no file of the workspace defines
    MADE_OUTSIDE    dotted name                             an instance or result of such a value
    TEXT            text                                    a string whose text is known
    DISPLAY         file, expression                        a list, tuple, set or dict as written out
    ITEMS           values, values                          a container: what iterating yields, what its keys map to
    ROW             values for each part                    a tuple whose parts are known one by one
    ENTRIES         (text, values) for each key             a dict whose keys are known
    GENERATOR       file, definition, frame
    SUPER           file, definition (of the class), receiver
    SUPER_OF        the same                                the built-in `super`, before it is called
    PARTIAL         values                                  its callees
    WRAPS           values                                  the decorator that `functools.wraps` makes
    BOUND_OUTSIDE   name, value                             a method of a built-in container
    PROPERTY        values                                  the getters of a property made by a call
    WRAPPER         file, definition                        runs first where `functools.wraps` makes a function look
                                                            like another
    MANY                                                    more values than are followed
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

(
    FUNCTION,
    CLASS,
    INSTANCE,
    METHOD,
    MODULE,
    SPACE,
    OUTSIDE,
    MADE_OUTSIDE,
    TEXT,
    DISPLAY,
    ITEMS,
    ROW,
    GENERATOR,
    SUPER,
    SUPER_OF,
    PARTIAL,
    WRAPS,
    BOUND_OUTSIDE,
    PROPERTY,
    ENTRIES,
    WRAPPER,
    MANY,
) = range(22)

AbstractValue = tuple[Any, ...]
AbstractValues = tuple[AbstractValue, ...]
Frame = tuple[int, int, tuple[AbstractValues | None, ...]]
"""A function (file, definition) with the arguments of its parameters; None where they are not known."""

NONE: AbstractValues = ()
MAX_VALUES = 12
"""More abstract values of one expression say nothing: what is not known is not guessed."""
TOO_MANY: AbstractValues = ((MANY,),)


HOLDING = frozenset((ITEMS, ROW, ENTRIES, PARTIAL, WRAPS))
"""Abstract values that hold others."""
DEEPEST = 4
"""Containers in containers that are followed; loops and recursion would nest them without end."""


def is_deep(value: AbstractValue, room: int = DEEPEST) -> bool:
    """Whether values nest in values too deep."""
    if room == 0:
        return True
    for part in value[1:]:
        for inner in part:
            if value[0] == ENTRIES:
                if any(one[0] in HOLDING and is_deep(one, room - 1) for one in inner[1]):
                    return True
            elif inner[0] in HOLDING and is_deep(inner, room - 1):
                return True
    return False


def join(parts: Iterable[AbstractValues]) -> AbstractValues:
    """All abstract values of several expressions, each once; when they are too many, only that they are."""
    found: dict[AbstractValue, None] = {}
    for part in parts:
        for value in part:
            found[value if value[0] not in HOLDING or not is_deep(value) else (MANY,)] = None
    if len(found) > MAX_VALUES:
        kept = [value for value in found if value[0] not in (TEXT, OUTSIDE, MADE_OUTSIDE)]
        return tuple(kept) if len(kept) <= MAX_VALUES else TOO_MANY
    return tuple(found)
