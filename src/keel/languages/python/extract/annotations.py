"""Annotations: their text, their value, and the types they name.

What a type expression means is left to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.expressions import value_parenthesised
from keel.languages.python.extract.names import TYPE
from keel.languages.python.extract.walk import Walk, head, is_chain


def annotation(w: Walk, node: Node) -> tuple[int, int]:
    """Text and value of a `type` node; the names in it become references of kind `type`."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if is_chain(text):
        w.refs.append((TYPE, w.owner, start + text.rfind(b".") + 1, text, head(text), w.scope, -1))
        return w.intern(text), w.chain(text)
    outer, w.name_kind = w.name_kind, TYPE
    value = value_parenthesised(w, node)
    w.name_kind = outer
    return w.intern(b" ".join(text.split())), value
