"""Scopes of functions in the syntax tree: which names they take and bind, so that an outer name is shadowed.

What follows from it is left to `calls.py` and `renames.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from keel.languages.python.editing.syntax import around, everything_in, text_of

FUNCTIONS = ("function_definition", "lambda")
COMPREHENSIONS = (
    *("list_comprehension", "set_comprehension", "dictionary_comprehension"),
    "generator_expression",
)
BINDING = {
    **dict.fromkeys(("assignment", "augmented_assignment", "for_statement", "for_in_clause"), "left"),
    **dict.fromkeys(("named_expression", "function_definition", "class_definition"), "name"),
    **dict.fromkeys(("import_statement", "import_from_statement", "delete_statement", "global_statement"), ""),
    **dict.fromkeys(("as_pattern", "case_pattern", "nonlocal_statement"), ""),
}
"""Nodes that bind a name, and the field that holds the name; empty where any part of it may."""


def takes(function: Node, name: str) -> bool:
    """Whether a function has a parameter of a name, with no star."""
    taken = function.child_by_field_name("parameters")
    return taken is not None and any(text_of(each) == name for each in map(_own_name, taken.children) if each)


def binds(body: Node, name: str) -> bool:
    """Whether anything in a body binds a name."""
    return any(
        each.type == "identifier" and text_of(each) == name
        for target in targets(body)
        for each in everything_in(target)
    )


def is_own_around(node: Node, name: str) -> bool:
    """Whether a name is bound by a function or comprehension around a node, not by the module."""
    scope = around(node, *FUNCTIONS, *COMPREHENSIONS)
    while scope is not None:
        taken, body = scope.child_by_field_name("parameters"), scope.child_by_field_name("body")
        if taken is not None and any(text_of(each) == name for each in everything_in(taken)):
            return True
        if binds(scope if body is None or scope.type in COMPREHENSIONS else body, name):
            return True
        scope = around(scope, *FUNCTIONS, *COMPREHENSIONS)
    return False


def targets(body: Node) -> Iterator[Node]:
    """The nodes of a body that bind names: the part that holds the name, or all of it."""
    for node in everything_in(body):
        if node.type in BINDING:
            part = BINDING[node.type]
            yield (node.child_by_field_name(part) if part else None) or node


def _own_name(parameter: Node) -> Node | None:
    """The name of a parameter, however it is written."""
    if parameter.type == "identifier":
        return parameter
    named = parameter.child_by_field_name("name")
    if named is not None:
        return named if named.type == "identifier" else None
    first = parameter.named_child(0) if parameter.type == "typed_parameter" else None
    return first if first is not None and first.type == "identifier" else None
