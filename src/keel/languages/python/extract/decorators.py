"""Decorators: their values and references, and what the known ones say about a function.

What a decorator does to a signature is left to binding.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.calls import value_call
from keel.languages.python.extract.names import ATTRIBUTES, COMMENT, IDENTIFIER, attribute_parts
from keel.languages.python.extract.normalise import keep_piece
from keel.languages.python.extract.walk import VALUES, Walk, is_chain
from keel.languages.python.grammar import kind_ids
from keel.model.facts import ABSTRACT, ACCESSOR, CLASSMETHOD, OVERLOAD, PROPERTY, STATIC
from keel.model.kinds import RefKind

CALLS = frozenset(kind_ids("call"))
DECORATE = int(RefKind.DECORATE)

MEANINGS = {
    b"staticmethod": STATIC,
    b"classmethod": CLASSMETHOD,
    b"property": PROPERTY,
    b"cached_property": PROPERTY,
    b"abstractproperty": PROPERTY | ABSTRACT,
    b"abstractmethod": ABSTRACT,
    b"overload": OVERLOAD,
    b"setter": ACCESSOR,
    b"deleter": ACCESSOR,
    b"getter": PROPERTY,
}
"""What the last name of a decorator says about a function."""


def decorators_of(w: Walk, nodes: list[Node], source: int) -> tuple[list[int], int]:
    """Values of decorators, evaluated outside the definition, and what the known ones mean."""
    places = []
    flags = 0
    for node in nodes:
        for child in node.named_children:
            kind = child.kind_id
            if kind == COMMENT:
                continue
            if kind in CALLS:
                places.append(value_call(w, child, DECORATE, source))
                continue
            places.append(named(w, child, DECORATE, source))
            text = w.source[child.start_byte : child.end_byte]
            flags |= MEANINGS.get(text.rpartition(b".")[2], 0)
    return places, flags


def named(w: Walk, node: Node, kind: int, source: int) -> int:
    """A name in a role other than reading: a decorator or a base."""
    if node.kind_id in ATTRIBUTES:
        place, at, text, name = attribute_parts(w, node)
    elif node.kind_id == IDENTIFIER:
        at = node.start_byte
        text = name = w.source[at : node.end_byte]
        place = w.chain(text)
    else:
        return VALUES[node.kind_id](w, node)
    w.refs.append((kind, source, at, text, name, w.scope, -1 if is_chain(text) else place))
    return place


def keep_heads(w: Walk, decorators: list[Node], start: int, end: int) -> None:
    """Adds decorators and the head of what they decorate to its hash, each as a piece of its own."""
    for node in decorators:
        keep_piece(w, node.start_byte, node.end_byte)
    keep_piece(w, start, end)
