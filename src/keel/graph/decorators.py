"""Decorators of a function as they are written, without their arguments: `app.get`, `functools.cache`.

What a decorator does is left to the languages; here only its name counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.values import ATTR, BOUND, CALL, CHAIN

if TYPE_CHECKING:
    from keel.model.facts import Def, Interface


def decorators_of(interface: Interface, definition: Def) -> list[str]:
    """The names of its decorators; empty for one that is no name."""
    return [_name(interface, place) for place in definition.decorators]


def _name(interface: Interface, place: int) -> str:
    if place < 0:
        return ""
    operation, first, second = interface.tape[place : place + 3]
    if operation in (CHAIN, BOUND):
        return interface.strings[first]
    if operation == ATTR:
        return f"{_name(interface, first)}.{interface.strings[second]}"
    return _name(interface, first) if operation == CALL else ""
