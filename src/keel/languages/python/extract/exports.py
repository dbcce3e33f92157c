"""`__all__`: the names a module says it exports, as far as they are written out.

A list that is computed cannot be read, and then there is none; what star imports make of it is left to `resolve`.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.walk import Walk
from keel.languages.python.forms import read
from keel.model.expressions import Call, Concat, Display, Literal, Name, Value

_ASSIGNED = rb"__all__\s*(?::[^=]+)?(\+?=)(?!=)"
_CALLED = rb"__all__\s*\.\s*(append|extend|remove|insert|pop|clear)\s*\("

UNREADABLE = [b"\0"]
"""Stands for a list that cannot be read, so that later additions do not make it look whole."""


def note_exports(w: Walk, node: Node) -> None:
    """Takes in a module-level statement that speaks of `__all__`."""
    text = w.source[node.start_byte : node.end_byte]
    assigned, called = re.match(_ASSIGNED, text), re.match(_CALLED, text)
    if assigned:
        names = _names(_last_value(w), w.exports)
        if assigned[1] == b"=":
            w.exports = names if names is not None else UNREADABLE
        else:
            _extend(w, names)
    elif called:
        call = _last_call(w)
        argument = call.positional[0].value if call and call.positional else None
        if called[1] in (b"append", b"remove"):
            argument = Display("list", (argument,)) if argument else None
        names = _names(argument, w.exports)
        if called[1] in (b"append", b"extend"):
            _extend(w, names)
        else:
            _remove(w, names if called[1] == b"remove" else None)


def _extend(w: Walk, names: list[bytes] | None) -> None:
    if w.exports is not UNREADABLE:
        w.exports = (w.exports or []) + names if names is not None else UNREADABLE


def _remove(w: Walk, names: list[bytes] | None) -> None:
    if w.exports is not UNREADABLE:
        w.exports = UNREADABLE if names is None else [name for name in w.exports or () if name not in names]


def _last_value(w: Walk) -> Value | None:
    return _value(w, w.assigns[-1].value) if w.assigns else None


def _last_call(w: Walk) -> Call | None:
    place = w.refs[-1][-1] if w.refs else -1
    if place < 0 or w.tape[place] != forms.CALL:
        return None
    value = _value(w, place)
    return value if isinstance(value, Call) else None


def _value(w: Walk, place: int) -> Value:
    return read(w.tape, [text.decode("utf-8", "replace") for text in w.strings], place)


def _names(value: Value | None, now: list[bytes] | None) -> list[bytes] | None:
    """The names a value lists, where `__all__` itself stands for those it has now; None when it cannot be read."""
    if isinstance(value, Concat):
        parts = [_names(part, now) for part in value.parts]
        return None if None in parts else [name for part in parts for name in part or ()]
    if isinstance(value, Display) and value.kind != "dict":
        texts = [item.text for item in value.items if isinstance(item, Literal) and item.kind == "string"]
        return [text.encode() for text in texts] if len(texts) == len(value.items) else None
    own = isinstance(value, Name) and value.text == "__all__" and now is not UNREADABLE
    return now if own else None
