"""Results: whether a call's result is used up on the spot, so that a coroutine there is always wrong.

A coroutine can be returned, passed on, stored and awaited later. Compared, formatted, iterated over, used as a
condition or dropped, it is never awaited, and mostly nothing complains. Only the few calls that findings are about are
looked at, in the syntax tree: facts do not keep what surrounds one. What a finding makes of it is left to rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from keel.languages.python.editing.syntax import call_of, name_at, text_of
from keel.languages.python.facts import Interface
from keel.model.facts import Reference

ANYHOW = frozenset(
    (
        *("expression_statement", "comparison_operator", "interpolation", "assert_statement", "not_operator"),
        *("binary_operator", "unary_operator", "augmented_assignment", "list_splat", "dictionary_splat", "if_clause"),
    )
)
"""What uses up the value of every part of it."""
PARTS = {
    "attribute": "object",
    "subscript": "value",
    "call": "function",
    "for_statement": "right",
    "for_in_clause": "right",
    "if_statement": "condition",
    "elif_clause": "condition",
    "while_statement": "condition",
    "match_statement": "subject",
    "boolean_operator": "left",
}
"""What uses up the value of one part."""
THROUGH = ("parenthesized_expression", "boolean_operator")
"""What passes a value on to the node around it."""
OF_COROUTINES = frozenset(("send", "throw", "close"))


def is_used_up(lines: Sequence[str], interface: Interface, reference: Reference) -> bool:
    """Whether nothing is left of a call's result that could be awaited."""
    at = interface.defs[reference.source].start + reference.at
    name = name_at("\n".join(lines).encode(), at)
    node = call_of(name) if name is not None else None
    while node is not None and node.parent is not None:
        if _uses_up(node.parent, node):
            return True
        node = node.parent if node.parent.type in THROUGH else None
    return False


def _uses_up(around: Node, node: Node) -> bool:
    if around.type == "conditional_expression":
        return around.named_child(1) == node
    if around.type not in PARTS:
        return around.type in ANYHOW
    attribute = around.child_by_field_name("attribute")
    if attribute is not None and (text_of(attribute) in OF_COROUTINES or text_of(attribute).startswith(("cr_", "__"))):
        return False
    return around.child_by_field_name(PARTS[around.type]) == node
