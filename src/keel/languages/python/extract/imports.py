"""Imports: every form of the statement, as records and as references.

Which file an import reaches is left to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.flow import assign
from keel.languages.python.extract.normalise import keep_piece
from keel.languages.python.extract.scopes import bind
from keel.languages.python.extract.walk import Walk, statement
from keel.languages.python.facts import Import
from keel.languages.python.grammar import kind_id
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
