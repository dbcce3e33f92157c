"""Parameters of functions and lambdas: kind, annotation and default, by the language's own marks.

How a call binds to them is left to binding.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.annotations import annotation
from keel.languages.python.extract.names import COMMENT, IDENTIFIER, solid
from keel.languages.python.extract.walk import VALUES, Walk
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import STATIC, Param
from keel.model.kinds import ParamKind

DEFAULT = kind_id("default_parameter")
TYPED = kind_id("typed_parameter")
TYPED_DEFAULT = kind_id("typed_default_parameter")
STAR = frozenset(kind_ids("list_splat_pattern"))
DOUBLE_STAR = frozenset(kind_ids("dictionary_splat_pattern"))
KEYWORD_MARK = kind_id("keyword_separator")
POSITIONAL_MARK = kind_id("positional_separator")
TYPE_NODE = kind_id("type")

MAX_DEFAULT = 80
"""A longer default is shown cut off; the hash covers it whole."""

PLAIN = ParamKind.POSITIONAL_OR_KEYWORD


def parameters(w: Walk, node: Node) -> tuple[list[Param], list[bytes]]:
    """The parameters in order, and their names."""
    params: list[Param] = []
    names: list[bytes] = []
    kind = PLAIN
    for child in node.named_children:
        number = child.kind_id
        if number == IDENTIFIER:
            name = w.source[child.start_byte : child.end_byte]
            params.append(Param(w.intern(name), kind))
        elif number == KEYWORD_MARK:
            kind = ParamKind.KEYWORD_ONLY
            continue
        elif number == POSITIONAL_MARK:
            params = [_positional_only(param) for param in params]
            continue
        elif number == COMMENT:
            continue
        else:
            name, param = _detailed(w, child, kind)
            params.append(param)
            if param.kind == ParamKind.VAR_POSITIONAL:
                kind = ParamKind.KEYWORD_ONLY
        names.append(name)
    return params, names


def _positional_only(param: Param) -> Param:
    return Param(param.name, ParamKind.POSITIONAL_ONLY, param.annotation, param.type, param.default, param.value)


def _detailed(w: Walk, node: Node, kind: ParamKind) -> tuple[bytes, Param]:
    number = node.kind_id
    kids = solid(node)
    text = type_value = default = value = -1
    if number in STAR or number in DOUBLE_STAR:
        target = node
    elif number in (DEFAULT, TYPED, TYPED_DEFAULT) and kids:
        target = kids[0]
        for child in kids[1:]:
            if child.kind_id == TYPE_NODE:
                text, type_value = annotation(w, child)
            else:
                raw = w.source[child.start_byte : child.end_byte]
                default = w.intern(_short(raw))
                value = VALUES[child.kind_id](w, child)
    else:  # a tuple of Python 2, or something broken
        target = node
    name = w.source[target.start_byte : target.end_byte]
    if target.kind_id in STAR:
        kind, name = ParamKind.VAR_POSITIONAL, name.lstrip(b"* ")
    elif target.kind_id in DOUBLE_STAR:
        kind, name = ParamKind.VAR_KEYWORD, name.lstrip(b"* ")
    return name, Param(w.intern(name), kind, text, type_value, default, value)


def _short(raw: bytes) -> bytes:
    text = b" ".join(raw.split())
    if len(text) <= MAX_DEFAULT:
        return text
    return text[:MAX_DEFAULT].decode("utf-8", "ignore").encode() + b"\xe2\x80\xa6"


def takes_receiver(params: list[Param], flags: int) -> bool:
    """Whether a method's first parameter is the object or class it is called on."""
    return bool(params) and not flags & STATIC and params[0].kind in (PLAIN, ParamKind.POSITIONAL_ONLY)
