"""Imports and exports: every form of the import statement, and the names that `__all__` lists.

An `__all__` that is computed cannot be read, and counts as none. Which file an import resolves to, and what star
imports make of a list, is left to `resolve`.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.definitions import keep_piece
from keel.languages.python.extract.flow import assign
from keel.languages.python.extract.scopes import bind
from keel.languages.python.extract.walk import Walk, statement
from keel.languages.python.facts import Import
from keel.languages.python.forms import read
from keel.languages.python.grammar import kind_id
from keel.model.expressions import Call, Concat, Display, Literal, Name, Value
from keel.model.facts import CONDITIONAL, FROM_IMPORT, STAR, TYPE_ONLY
from keel.model.kinds import RefKind

ALIASED = kind_id("aliased_import")
DOTTED = kind_id("dotted_name")
RELATIVE = kind_id("relative_import")
WILDCARD = kind_id("wildcard_import")

IMPORT = int(RefKind.IMPORT)


@statement("import_statement")
def import_statement(w: Walk, node: Node) -> None:
    """`import a.b, c as d`: binds `a` and `d`."""
    for child in node.named_children:
        name, alias = _name_and_alias(w, child)
        if name:
            _keep(w, child, name, 0, b"", alias, alias or name.partition(b".")[0])
    keep_piece(w, node.start_byte, node.end_byte)


@statement("import_from_statement")
def import_from_statement(w: Walk, node: Node) -> None:
    """`from ..a import b as c, d` and `from a import *`."""
    kids = node.named_children
    module, level = _module(w, kids[0])
    for child in kids[1:]:
        if child.kind_id == WILDCARD:
            _keep(w, child, module, level, b"*", b"", b"")
        else:
            name, alias = _name_and_alias(w, child)
            if name:
                _keep(w, child, module, level, name, alias, alias or name)
    keep_piece(w, node.start_byte, node.end_byte)


@statement("future_import_statement")
def future_import_statement(w: Walk, node: Node) -> None:
    """`from __future__ import annotations`."""
    for child in node.named_children:
        name, alias = _name_and_alias(w, child)
        if name:
            _keep(w, child, b"__future__", 0, name, alias, alias or name)
    keep_piece(w, node.start_byte, node.end_byte)


def _module(w: Walk, node: Node) -> tuple[bytes, int]:
    text = _joined(w, node)
    if node.kind_id != RELATIVE:
        return text, 0
    name = text.lstrip(b".")
    return name, len(text) - len(name)


def _name_and_alias(w: Walk, node: Node) -> tuple[bytes, bytes]:
    if node.kind_id == DOTTED:
        return _joined(w, node), b""
    if node.kind_id == ALIASED:
        kids = node.named_children
        return _joined(w, kids[0]), _joined(w, kids[-1])
    return b"", b""


def _joined(w: Walk, node: Node) -> bytes:
    text = w.source[node.start_byte : node.end_byte]
    return text if text.isalnum() else b"".join(text.replace(b"\\", b"").split())


def _keep(w: Walk, node: Node, module: bytes, level: int, name: bytes, alias: bytes, bound: bytes) -> None:
    scope = w.scope
    conditional = scope.conditional > 0
    flags = (TYPE_ONLY if w.type_only else 0) | (CONDITIONAL if conditional else 0)
    if name == b"*":
        flags |= STAR
    text = name or module
    first = node.named_children[0] if node.kind_id == ALIASED else node
    at = first.end_byte - len(text.rpartition(b".")[2])
    index = len(w.imports)
    w.imports.append(
        Import(
            w.intern(b"." * level + module),
            w.intern(name) if name else -1,
            w.intern(alias) if alias else -1,
            at,
            scope.owner,
            flags,
            w.intern(module),
            level,
        )
    )
    w.refs.append((IMPORT, w.owner, at, text, b"", scope, index))
    if bound:
        bind(scope, bound, (FROM_IMPORT, index, at, conditional))
        assign(w, bound, w.put(forms.IMPORT, index))


_ASSIGNED = rb"__all__\s*(?::[^=]+)?(\+?=)(?!=)"
_CALLED = rb"__all__\s*\.\s*(append|extend|remove|insert|pop|clear)\s*\("

UNREADABLE = [b"\0"]
"""Represents a list that cannot be read, so that later additions do not make it look whole."""


def note_exports(w: Walk, node: Node) -> None:
    """Evaluates a module-level statement that changes `__all__`."""
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
    expr = w.refs[-1][-1] if w.refs else -1
    if expr < 0 or w.ir[expr] != forms.CALL:
        return None
    value = _value(w, expr)
    return value if isinstance(value, Call) else None


def _value(w: Walk, expr: int) -> Value:
    return read(w.ir, [text.decode("utf-8", "replace") for text in w.strings], expr)


def _names(value: Value | None, now: list[bytes] | None) -> list[bytes] | None:
    """The names a value lists, `__all__` itself meaning those it has now; None when it cannot be read."""
    if isinstance(value, Concat):
        parts = [_names(part, now) for part in value.parts]
        return None if None in parts else [name for part in parts for name in part or ()]
    if isinstance(value, Display) and value.kind != "dict":
        texts = [item.text for item in value.items if isinstance(item, Literal) and item.kind == "string"]
        return [text.encode() for text in texts] if len(texts) == len(value.items) else None
    own = isinstance(value, Name) and value.text == "__all__" and now is not UNREADABLE
    return now if own else None
