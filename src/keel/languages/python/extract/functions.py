"""Functions, methods and lambdas: parameters and signature outside their scope, body inside.

What they share with classes is in `definitions`; how they are called is left to binding.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.definitions import (
    PRIVATE,
    TYPE_PARAMETERS,
    annotation,
    decorators_of,
    docstring,
    enter,
    generic_scope,
    hash_of,
    keep_heads,
    leave,
    occurrence,
    visibility,
)
from keel.languages.python.extract.flow import assign, enter_body
from keel.languages.python.extract.primaries import COMMENT, IDENTIFIER, READ, solid
from keel.languages.python.extract.scopes import CLASS, FUNCTION, Scope, bind
from keel.languages.python.extract.walk import VALUES, Walk, statement, value_of, walk_statements
from keel.languages.python.facts import Def
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import (
    ACCESSOR,
    ASYNC,
    DEFINED,
    GENERATOR,
    RETURNED,
    STATIC,
    STUB,
    TYPED,
    Param,
    Return,
    Signature,
)
from keel.model.kinds import NodeKind, ParamKind

BLOCKS = frozenset(kind_ids("block"))
PARAMETERS = kind_id("parameters")
LAMBDA_PARAMETERS = kind_id("lambda_parameters")
RETURN_TYPE = kind_id("type")

METHOD_KIND, FUNCTION_KIND = NodeKind.METHOD, NodeKind.FUNCTION


@statement("function_definition")
def plain_function(w: Walk, node: Node) -> None:
    """A function or method without decorators."""
    function_definition(w, node, node.start_byte, [])


def function_definition(w: Walk, node: Node, start: int, decorators: list[Node]) -> None:
    """A function or method: signature outside its scope, body inside."""
    index = len(w.defs)
    w.defs.append(None)
    outer = w.scope
    kids = node.named_children
    name_node, body = kids[0], kids[-1]
    name = w.source[name_node.start_byte : name_node.end_byte]
    exprs, flags = decorators_of(w, decorators, index) if decorators else ([], 0)
    in_class = outer.kind == CLASS
    is_async = w.source.startswith(b"async", node.start_byte)
    saved = enter(w, index, name, node)
    try:
        inner = generic_scope(w, kids[1], index, outer) if kids[1].kind_id == TYPE_PARAMETERS else outer
        params, names, returns = _signature(w, kids, inner)
        receives = in_class and takes_receiver(params, flags)
        w.scope = _function_scope(inner, index, names, receives)
        enter_body(w, w.scope, _given(w, index, names))
        statements = body.named_children if body.kind_id in BLOCKS else [body]
        keep_heads(w, decorators, node.start_byte, body.start_byte)
        doc, skip = docstring(w.source, statements)
        w.generator = False
        walk_statements(w, statements[skip:])
        typed = returns[0] >= 0 and all(param.annotation >= 0 for param in params[int(receives) :])
        flags |= is_async * ASYNC | w.generator * GENERATOR | typed * TYPED | w.stub * STUB
        w.defs[index] = Def(
            METHOD_KIND if in_class else FUNCTION_KIND,
            w.intern(name),
            w.intern(w.qualified),
            occurrence(w),
            outer.owner,
            start,
            node.end_byte,
            name_node.start_byte,
            flags,
            visibility(name) if outer.kind <= CLASS else PRIVATE,
            -1 if doc is None else w.intern(doc),
            hash_of(w.pieces),
            Signature(params, *returns),
            tuple(exprs),
            body=body.start_byte - start,
            used_parameters=w.flow.used_parameters,
        )
    finally:
        leave(w, index, saved)
    if not flags & ACCESSOR:
        bind(outer, name, (DEFINED, index, node.end_byte, outer.conditional > 0))
        assign(w, name, w.put(forms.DEFINED, index))


def _signature(w: Walk, kids: list[Node], scope: Scope) -> tuple[list[Param], list[bytes], tuple[int, int]]:
    w.scope = scope
    params: list[Param] = []
    names: list[bytes] = []
    returns = (-1, -1)
    for child in kids[1:-1]:
        kind = child.kind_id
        if kind == PARAMETERS:
            params, names = parameters(w, child)
        elif kind == RETURN_TYPE:
            returns = annotation(w, child)
    return params, names, returns


def _function_scope(outer: Scope, index: int, names: list[bytes], receives: bool) -> Scope:
    scope = Scope(FUNCTION, outer, index)
    scope.names = dict.fromkeys(names)
    if receives:
        scope.receiver = names[0]
    return scope


def _given(w: Walk, index: int, names: list[bytes]) -> list[tuple[bytes, int]]:
    """Binds each parameter to its argument."""
    return [(name, w.put(forms.PARAM, index, number)) for number, name in enumerate(names)]


@value_of("lambda")
def value_lambda(w: Walk, node: Node) -> int:
    """A function without a name."""
    index = len(w.defs)
    w.defs.append(None)
    outer = w.scope
    kids = solid(node)
    start, end = node.start_byte, node.end_byte
    has_params = bool(kids) and kids[0].kind_id == LAMBDA_PARAMETERS
    params, names = parameters(w, kids[0]) if has_params else ([], [])
    kind, w.name_kind = w.name_kind, READ
    saved = enter(w, index, b"<lambda>", node)
    try:
        w.scope = _function_scope(outer, index, names, receives=False)
        enter_body(w, w.scope, _given(w, index, names))
        value = VALUES[kids[-1].kind_id](w, kids[-1])
        w.returns.append(Return(index, value, kids[-1].start_byte, RETURNED))
        w.defs[index] = Def(
            FUNCTION_KIND,
            w.intern(b"<lambda>"),
            w.intern(w.qualified),
            occurrence(w),
            outer.owner,
            start,
            end,
            start,
            STUB if w.stub else 0,
            PRIVATE,
            -1,
            hash_of([w.source[start:end]]),
            Signature(params),
            body=kids[-1].start_byte - start,
            used_parameters=w.flow.used_parameters,
        )
    finally:
        leave(w, index, saved)
        w.pieces.pop()  # the statement around holds its text already
    w.name_kind = kind
    return w.put(forms.LAMBDA, index)


DEFAULT = kind_id("default_parameter")
TYPED_PARAMETER = kind_id("typed_parameter")
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
    elif number in (DEFAULT, TYPED_PARAMETER, TYPED_DEFAULT) and kids:
        target = kids[0]
        for child in kids[1:]:
            if child.kind_id == TYPE_NODE:
                text, type_value = annotation(w, child)
            else:
                raw = w.source[child.start_byte : child.end_byte]
                default = w.intern(_short(raw))
                value = VALUES[child.kind_id](w, child)
    else:  # a tuple of Python 2, or a syntax error
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
