"""Finding nodes in the syntax tree of a Python file: names, calls of them, arguments, imports.

Editing them is left to `calls.py` and `names.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from keel.languages.python.grammar import parse

SEPARATORS = (",", "(", ")", "comment")


class Argument(NamedTuple):
    """An argument of a call: its name, empty for none, its value, and all of it; one with a star says so."""

    name: str
    value: Node
    node: Node
    is_starred: bool


def name_at(source: bytes, at: int) -> Node | None:
    """The identifier that begins at an offset; None in text that does not parse."""
    root = parse(source).root_node
    if root.has_error:
        return None
    node = root.named_descendant_for_byte_range(at, at + 1)
    return node if node is not None and node.type == "identifier" and node.start_byte == at else None


def call_of(name: Node) -> Node | None:
    """The call whose function ends in a name, as written: `a.b.name(…)`; None where it is not called."""
    node = name
    parent = node.parent
    if parent is not None and parent.type == "attribute" and parent.child_by_field_name("attribute") == node:
        node, parent = parent, parent.parent
    while parent is not None and parent.type == "parenthesized_expression":
        node, parent = parent, parent.parent
    if parent is None or parent.type != "call" or parent.child_by_field_name("function") != node:
        return None
    taken = parent.child_by_field_name("arguments")
    return parent if taken is not None and taken.type == "argument_list" else None


def arguments_of(call: Node) -> list[Argument]:
    """The arguments of a call in their order."""
    listed = call.child_by_field_name("arguments")
    return [] if listed is None else [_argument(node) for node in listed.named_children if node.type != "comment"]


def _argument(node: Node) -> Argument:
    if node.type == "keyword_argument":
        [name, value] = [node.child_by_field_name(part) or node for part in ("name", "value")]
        return Argument(text_of(name), value, node, False)
    return Argument("", node, node, node.type in ("list_splat", "dictionary_splat"))


def text_of(node: Node) -> str:
    """The text of a node."""
    return (node.text or b"").decode("utf-8", "surrogateescape")


def around(node: Node, *kinds: str) -> Node | None:
    """The nearest node of some kinds that encloses a node."""
    parent = node.parent
    while parent is not None and parent.type not in kinds:
        parent = parent.parent
    return parent


def everything_in(node: Node) -> Iterator[Node]:
    """A node and all that is in it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.children


def plain_names(node: Node) -> Iterator[Node]:
    """The identifiers that are plain names: not behind a dot, nor the keyword of an argument."""
    for one in everything_in(node):
        parent = one.parent
        if one.type != "identifier" or parent is None:
            continue
        if parent.type == "attribute" and parent.child_by_field_name("attribute") == one:
            continue
        if parent.type == "keyword_argument" and parent.child_by_field_name("name") == one:
            continue
        yield one
