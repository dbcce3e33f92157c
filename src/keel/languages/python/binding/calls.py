"""Call shapes: the arguments of a CALL expression, with stars expanded where their content is written out.

A tuple that a variable holds is expanded too, since it cannot change; lists and dicts only where they are written in
the call itself. Whether the shape fits a callee is left to `bind`.
"""

from __future__ import annotations

from msgspec import Struct

from keel.languages.python import forms
from keel.languages.python.binding.bind import CallShape
from keel.languages.python.facts import UNBOUND, Interface

WHOLE = 0
"""The `skip` of a BOUND whose value is read whole."""

NOT_KEPT = "…"
"""Represents the text of a string that is not kept."""


class _Stars(Struct, frozen=True):
    """What a star expands to."""

    count: int = 0
    names: tuple[str, ...] = ()
    more: bool = False


def read_call(interface: Interface, expr: int) -> CallShape:
    """The shape of a CALL expression of a file."""
    ir = interface.ir
    npos, nkw = ir[expr + 4], ir[expr + 5]
    at = expr + 6
    count, more_positional = 0, False
    for value in ir[at : at + 3 * npos : 3]:
        stars = _starred(interface, value)
        count += stars.count
        more_positional = more_positional or stars.more
    at += 3 * npos
    names: list[str] = []
    more_keywords = False
    for name, value in zip(ir[at : at + 4 * nkw : 4], ir[at + 1 : at + 4 * nkw : 4], strict=True):
        if name >= 0:
            names.append(interface.strings[name])
        else:
            stars = _double_starred(interface, value)
            names += stars.names
            more_keywords = more_keywords or stars.more
    return CallShape(count, tuple(names), more_positional, more_keywords)


def arguments(interface: Interface, expr: int) -> tuple[list[int], dict[str, int]]:
    """The expressions of the arguments of a CALL: positional ones, and those with a name."""
    ir = interface.ir
    npos, nkw = ir[expr + 4], ir[expr + 5]
    at = expr + 6 + 3 * npos
    named = {interface.strings[ir[key]]: ir[key + 1] for key in range(at, at + 4 * nkw, 4) if ir[key] >= 0}
    return list(ir[expr + 6 : at : 3]), named


def held(interface: Interface, expr: int) -> int:
    """The expression that a variable holds, where it is read whole; other expressions unchanged."""
    ir = interface.ir
    while expr >= 0 and ir[expr] == forms.BOUND and ir[expr + 3] == WHOLE:
        text = interface.strings[ir[expr + 1]]
        if "." in text:
            return expr
        expr = ir[expr + 2]
    return expr


def text_of(interface: Interface, expr: int) -> str:
    """The dotted path of a value as written: `a.b`; a call by its callee."""
    ir = interface.ir
    if expr >= 0 and ir[expr] in (forms.CHAIN, forms.BOUND):
        return interface.strings[ir[expr + 1]]
    if expr >= 0 and ir[expr] == forms.ATTR:
        return f"{text_of(interface, ir[expr + 1])}.{interface.strings[ir[expr + 2]]}"
    return text_of(interface, ir[expr + 1]) if expr >= 0 and ir[expr] == forms.CALL else "…"


def string_of(interface: Interface, expr: int) -> str | None:
    """The text of a string that is written out; None for another value, and for one too long to be kept."""
    ir = interface.ir
    text = interface.strings[ir[expr + 1]] if expr >= 0 and ir[expr] == forms.STRING else NOT_KEPT
    return None if text == NOT_KEPT else text


def _starred(interface: Interface, expr: int) -> _Stars:
    """One positional argument, or what `*` makes of one."""
    ir = interface.ir
    if expr < 0 or ir[expr] != forms.WRAP or ir[expr + 1] != forms.STARRED:
        return _Stars(1)
    inner = ir[expr + 2]
    row = held(interface, inner)
    kinds = (forms.LIST, forms.TUPLE, forms.SET) if row == inner else (forms.TUPLE,)
    if row < 0 or ir[row] != forms.DISPLAY or ir[row + 1] not in kinds:
        return _Stars(more=True)
    parts = [_starred(interface, part) for part in forms.operands(ir, row)]
    if ir[row + 1] == forms.SET and len(parts) > 1:  # equal members are one
        return _Stars(1, more=True)
    return _Stars(sum(part.count for part in parts), more=any(part.more for part in parts))


def _double_starred(interface: Interface, expr: int) -> _Stars:
    """The names that `**` passes."""
    ir = interface.ir
    inner = ir[expr + 2] if expr >= 0 and ir[expr] == forms.WRAP else -1
    if inner < 0:
        return _Stars(more=True)
    if ir[inner] == forms.CALL and _is_dict(interface, ir[inner + 1]) and not ir[inner + 4]:
        made = read_call(interface, inner)
        return _Stars(names=made.keywords, more=made.more_keywords)
    if ir[inner] != forms.DISPLAY or ir[inner + 1] != forms.DICT:
        return _Stars(more=True)
    found: dict[str, None] = {}
    more = False
    parts = forms.operands(ir, inner)
    for key, value in zip(parts[::2], parts[1::2], strict=False):
        text = string_of(interface, key)
        if text is not None:
            found[text] = None
        elif key < 0 and value >= 0 and ir[value] == forms.WRAP and ir[value + 1] == forms.DOUBLE_STARRED:
            nested = _double_starred(interface, value)
            found |= dict.fromkeys(nested.names)
            more = more or nested.more
        else:
            more = True
    return _Stars(names=tuple(found), more=more)


def _is_dict(interface: Interface, expr: int) -> bool:
    ir = interface.ir
    return ir[expr : expr + 3 : 2] == [forms.CHAIN, UNBOUND] and interface.strings[ir[expr + 1]] == "dict"
