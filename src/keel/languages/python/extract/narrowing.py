"""Narrowing: what a condition says about the types of variables.

Only `isinstance` speaks, alone, negated, or among others joined by `and`; what follows from it is left to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.names import solid
from keel.languages.python.extract.walk import Walk, is_chain
from keel.languages.python.grammar import kind_ids

CALLS = frozenset(kind_ids("call"))
NOT = frozenset(kind_ids("not_operator"))
AND = frozenset(kind_ids("boolean_operator"))
BRACKETS = frozenset(kind_ids("parenthesized_expression"))
TUPLES = frozenset(kind_ids("tuple"))

Known = list[tuple[bytes, int, bool]]
"""Variables (names or chains) with the value of a class, and whether they are instances of it."""


def narrowings(w: Walk, node: Node) -> tuple[Known, Known]:
    """What holds where a condition is true, and what where it is false."""
    kind = node.kind_id
    if kind in CALLS:
        found = _isinstance(w, node)
        return ([(*found, True)], [(*found, False)]) if found is not None else ([], [])
    if kind in NOT:
        inner = solid(node)
        true, false = narrowings(w, inner[0]) if inner else ([], [])
        return false, true
    if kind in BRACKETS:
        inner = solid(node)
        return narrowings(w, inner[0]) if len(inner) == 1 else ([], [])
    if kind in AND:
        operator = node.child_by_field_name("operator")
        sides = [narrowings(w, side) for side in solid(node)]
        if operator is not None and operator.type == "and":
            return [known for true, _ in sides for known in true], []
        return [], [known for _, false in sides for known in false]
    return [], []


def _isinstance(w: Walk, node: Node) -> tuple[bytes, int] | None:
    source = w.source
    if not source.startswith(b"isinstance", node.start_byte):
        return None
    kids = solid(node)
    arguments = solid(kids[1]) if len(kids) == 2 else []
    if len(arguments) != 2 or source[kids[0].start_byte : kids[0].end_byte] != b"isinstance":
        return None
    text = source[arguments[0].start_byte : arguments[0].end_byte]
    if not is_chain(text):
        return None
    classes = solid(arguments[1]) if arguments[1].kind_id in TUPLES else [arguments[1]]
    names = [source[child.start_byte : child.end_byte] for child in classes]
    if not names or not all(map(is_chain, names)):
        return None
    places = [w.chain(name) for name in names]
    return text, places[0] if len(places) == 1 else w.put(forms.CHOICE, len(places), *places)
