"""Edits of the arguments of a call; everything else keeps its bytes.

Which argument to pass is left to the planner of the edit.
"""

from __future__ import annotations

import ast

from tree_sitter import Node

from keel.languages.python.editing.layout import line_end, without
from keel.languages.python.editing.scopes import FUNCTIONS, binds, is_own_around, takes
from keel.languages.python.editing.syntax import Argument, arguments_of, around, call_of, everything_in, name_at
from keel.model.edits import Edit

WITHOUT_EFFECT = ("identifier", "integer", "float", "true", "false", "none", "string", "attribute", "unary_operator")
"""Values that can be left out: evaluating them has no effect."""


def rename_argument(source: bytes, at: int, old: str, new: str) -> list[Edit] | None:
    """Passes an argument by another name."""
    given = _arguments(source, at)
    if given is None or any(each.name == new for each in given):
        return None
    return [
        Edit(each.node.start_byte, each.node.start_byte + len(old.encode()), new.encode())
        for each in given
        if each.name == old
    ]


def drop_argument(source: bytes, at: int, name: str, place: int) -> list[Edit] | None:
    """Takes an argument out, with its comma."""
    given = _arguments(source, at)
    if given is None:
        return None
    positional = [each for each in given if not each.name and not each.is_starred]
    found = [each for each in given if each.name == name] or positional[place : place + 1 if place >= 0 else place]
    is_hidden = place >= 0 and any(each.is_starred for each in given[: place + 1])
    if not found or is_hidden or not _is_without_effect(found[0].value):
        return None
    return without(source, [each.node for each in given], found[0].node)


def add_argument(source: bytes, at: int, name: str, value: str, is_named_only: bool = False) -> list[Edit] | None:
    """Passes one more argument behind the others."""
    given = _arguments(source, at)
    node = name_at(source, at)
    call = call_of(node) if node is not None else None
    listed = call.child_by_field_name("arguments") if call is not None else None
    if given is None or listed is None or any(each.name == name or _may_hide(each, is_named_only) for each in given):
        return None
    said = f"{name}={value}".encode()
    if not given:
        return [Edit(listed.start_byte + 1, listed.start_byte + 1, said)]
    last = given[-1].node
    if last.type == "generator_expression":  # `f(x for x in y)`: alone it needs no parentheses of its own
        return None
    between = b", "
    if len(given) > 1 and given[-2].node.end_point.row != last.start_point.row:  # one on each line, as the last is
        between = b"," + line_end(source) + source[last.start_byte - last.start_point.column : last.start_byte]
    return [Edit(last.end_byte, last.end_byte, between + said)]


def _may_hide(argument: Argument, is_named_only: bool) -> bool:
    """Whether a star may hide an argument: one star hides none that is taken by name alone."""
    return argument.is_starred and not (is_named_only and argument.node.type == "list_splat")


def given_around(source: bytes, at: int, name: str) -> bool:
    """Whether the function around a name has a parameter of that name, and nothing in it assigns to it."""
    node = name_at(source, at)
    function = around(node, *FUNCTIONS) if node is not None else None
    body = function.child_by_field_name("body") if function is not None else None
    if node is None or function is None or body is None or not body.start_byte <= node.start_byte < body.end_byte:
        return False
    return takes(function, name) and not binds(body, name)


def is_of_module(source: bytes, at: int, name: str) -> bool:
    """Whether a name means the same at a node as at the top of the file."""
    node = name_at(source, at)
    return node is not None and not is_own_around(node, name)


def is_plain(value: str) -> bool:
    """Whether a value is a literal that cannot be changed: a number, a string, None, or a tuple of such."""
    try:
        return not isinstance(ast.literal_eval(value), (list, dict, set))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


def _arguments(source: bytes, at: int) -> list[Argument] | None:
    node = name_at(source, at)
    call = call_of(node) if node is not None else None
    return arguments_of(call) if call is not None else None


def _is_without_effect(value: Node) -> bool:
    return all(
        each.type in WITHOUT_EFFECT or not each.is_named or "string" in each.type for each in everything_in(value)
    )
