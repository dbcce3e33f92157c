"""Type parameters, as in `def f[T]` and `class A[T]`: a scope between a definition and what is around it.

What a type parameter stands for is left to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.names import TYPE
from keel.languages.python.extract.scopes import INNER, Scope
from keel.languages.python.extract.walk import Walk, visit_children
from keel.languages.python.grammar import kind_id

TYPE_PARAMETERS = kind_id("type_parameter")


def generic_scope(w: Walk, node: Node, index: int, outer: Scope) -> Scope:
    """The scope of type parameters, as in `def f[T]`."""
    scope = Scope(INNER, outer, index)
    for child in node.named_children:
        text = w.source[child.start_byte : child.end_byte].lstrip(b"*")
        scope.names[text.partition(b":")[0].partition(b"=")[0].strip()] = None
    w.scope = scope
    outer_kind, w.name_kind = w.name_kind, TYPE
    visit_children(w, node)
    w.name_kind = outer_kind
    return scope
