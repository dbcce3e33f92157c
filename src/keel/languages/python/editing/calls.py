"""Edits of the arguments of a call.

What to pass is left to those who plan; here it is seen to that everything else stays as it is written.
"""

from __future__ import annotations

import ast

from tree_sitter import Node

from keel.languages.python.editing.syntax import (
    Argument,
    arguments_of,
    around,
    call_of,
    everything_in,
    name_at,
    text_of,
)
from keel.model.edits import Edit

FUNCTIONS = ("function_definition", "lambda")
BINDING = ("assignment", "augmented_assignment", "named_expression", "for_statement", "delete_statement", "as_pattern")
WITHOUT_EFFECT = ("identifier", "integer", "float", "true", "false", "none", "string", "attribute", "unary_operator")
"""Values that can be left out: nothing happens when they are made."""


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
    by_place = [each for each in given if not each.name and not each.is_starred]
    found = [each for each in given if each.name == name] or by_place[place : place + 1 if place >= 0 else place]
    is_hidden = place >= 0 and any(each.is_starred for each in given[: place + 1])
    if not found or is_hidden or not _is_without_effect(found[0].value):
        return None
    return [_without(source, given, found[0])]


def add_argument(source: bytes, at: int, name: str, value: str) -> list[Edit] | None:
    """Passes one more argument behind the others."""
    given = _arguments(source, at)
    node = name_at(source, at)
    call = call_of(node) if node is not None else None
    listed = call.child_by_field_name("arguments") if call is not None else None
    if given is None or listed is None or any(each.name == name or each.is_starred for each in given):
        return None
    said = f"{name}={value}".encode()
    if not given:
        return [Edit(listed.start_byte + 1, listed.start_byte + 1, said)]
    last = given[-1].node
    if last.type == "generator_expression":  # `f(x for x in y)`: alone it needs no parentheses of its own
        return None
    between = b", "
    if len(given) > 1 and given[-2].node.end_point.row != last.start_point.row:  # one on each line, as the last is
        between = b",\n" + source[last.start_byte - last.start_point.column : last.start_byte]
    return [Edit(last.end_byte, last.end_byte, between + said)]


def given_around(source: bytes, at: int, name: str) -> bool:
    """Whether the function around a name has a parameter called so, and never gives it another value."""
    node = name_at(source, at)
    function = around(node, *FUNCTIONS) if node is not None else None
    taken = function.child_by_field_name("parameters") if function is not None else None
    if (
        function is None
        or taken is None
        or name not in {text_of(each) for each in map(_own_name, taken.children) if each}
    ):
        return False
    body = function.child_by_field_name("body")
    return body is not None and not any(_binds(each, name) for each in everything_in(body))


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


def _without(source: bytes, given: list[Argument], gone: Argument) -> Edit:
    """One argument less: with the comma behind it, or, for the last, the one before it."""
    index = given.index(gone)
    if index + 1 < len(given):
        return Edit(gone.node.start_byte, given[index + 1].node.start_byte, b"")
    if index:
        return Edit(given[index - 1].node.end_byte, gone.node.end_byte, b"")
    end = gone.node.end_byte
    rest = source[end:]
    comma = len(rest) - len(rest.lstrip()) + 1 if rest.lstrip().startswith(b",") else 0
    return Edit(gone.node.start_byte, end + comma, b"")


def _own_name(parameter: Node) -> Node | None:
    """The name of a parameter, however it is written."""
    if parameter.type == "identifier":
        return parameter
    named = parameter.child_by_field_name("name")
    if named is not None:
        return named if named.type == "identifier" else None
    first = parameter.named_child(0) if parameter.type == "typed_parameter" else None
    return first if first is not None and first.type == "identifier" else None


def _binds(node: Node, name: str) -> bool:
    """Whether a statement gives a name another value."""
    if node.type not in BINDING:
        return False
    target = node.child_by_field_name("left") or node.child_by_field_name("name") or node
    return any(each.type == "identifier" and text_of(each) == name for each in everything_in(target))
