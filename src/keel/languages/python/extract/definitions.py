"""Definitions: functions, methods, lambdas and classes, with signatures, decorators, bases and docs.

Statements inside them are walked by the tables of `walk`; what a definition means to its callers is left to binding
and `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.annotations import annotation
from keel.languages.python.extract.calls import KEYWORD, value_call
from keel.languages.python.extract.docs import docstring
from keel.languages.python.extract.expressions import (
    ATTRIBUTES,
    COMMENT,
    IDENTIFIER,
    SPLATS,
    attribute_parts,
    solid,
)
from keel.languages.python.extract.naming import PRIVATE, visibility
from keel.languages.python.extract.normalise import hash_of, keep_digest, keep_piece
from keel.languages.python.extract.parameters import parameters, takes_receiver
from keel.languages.python.extract.scopes import CLASS, FUNCTION, INNER, Scope, bind
from keel.languages.python.extract.walk import (
    VALUES,
    VISITS,
    Walk,
    is_chain,
    statement,
    value_of,
    visit_children,
    walk_statements,
)
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model import values
from keel.model.facts import (
    ABSTRACT,
    ACCESSOR,
    ASYNC,
    CLASSMETHOD,
    DEFINED,
    GENERATOR,
    INSTANCE,
    OVERLOAD,
    PROPERTY,
    RETURNED,
    STATIC,
    STUB,
    TYPED,
    UNRELIABLE,
    Def,
    Param,
    Return,
    Signature,
)
from keel.model.hashing import digest64
from keel.model.kinds import NodeKind, RefKind

BLOCKS = frozenset(kind_ids("block"))
DECORATOR = kind_id("decorator")
CALLS = frozenset(kind_ids("call"))
SUBSCRIPTS = frozenset(kind_ids("subscript"))
TYPE_PARAMETERS = kind_id("type_parameter")
ARGUMENTS = kind_id("argument_list")
PARAMETERS = kind_id("parameters")
LAMBDA_PARAMETERS = kind_id("lambda_parameters")
RETURN_TYPE = kind_id("type")

METHOD_KIND, FUNCTION_KIND, CLASS_KIND = NodeKind.METHOD, NodeKind.FUNCTION, NodeKind.CLASS
DECORATE = int(RefKind.DECORATE)
TYPE = int(RefKind.TYPE)
INHERIT = int(RefKind.INHERIT)

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


@statement("decorated_definition")
def decorated_definition(w: Walk, node: Node) -> None:
    """Decorators and what they decorate."""
    *before, definition = node.named_children
    decorators = [child for child in before if child.kind_id == DECORATOR]
    if definition.type == "class_definition":
        class_definition(w, definition, node.start_byte, decorators)
    else:
        function_definition(w, definition, node.start_byte, decorators)


def _decorators(w: Walk, nodes: list[Node], source: int) -> tuple[list[int], int]:
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
            places.append(_named(w, child, DECORATE, source))
            text = w.source[child.start_byte : child.end_byte]
            flags |= MEANINGS.get(text.rpartition(b".")[2], 0)
    return places, flags


def _named(w: Walk, node: Node, kind: int, source: int) -> int:
    """A name in a role other than reading: a decorator or a base."""
    if node.kind_id in ATTRIBUTES:
        place, at, text = attribute_parts(w, node)
    elif node.kind_id == IDENTIFIER:
        at = node.start_byte
        text = w.source[at : node.end_byte]
        place = w.chain(text)
    else:
        return VALUES[node.kind_id](w, node)
    w.refs.append((kind, source, at, text, w.scope, -1 if is_chain(text) else place))
    return place


# functions


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
    places, flags = _decorators(w, decorators, index) if decorators else ([], 0)
    in_class = outer.kind == CLASS
    is_async = w.source.startswith(b"async", node.start_byte)
    saved = _enter(w, index, name, node)
    try:
        inner = _generic(w, kids[1], index, outer) if kids[1].kind_id == TYPE_PARAMETERS else outer
        params, names, returns = _signature(w, kids, inner)
        receives = in_class and takes_receiver(params, flags)
        w.scope = _function_scope(inner, index, names, receives)
        statements = body.named_children if body.kind_id in BLOCKS else [body]
        keep_piece(w, start, body.start_byte)
        doc, skip = docstring(w.source, statements)
        w.generator = False
        walk_statements(w, statements[skip:])
        typed = returns[0] >= 0 and all(param.annotation >= 0 for param in params[int(receives) :])
        flags |= is_async * ASYNC | w.generator * GENERATOR | typed * TYPED | w.stub * STUB
        w.defs[index] = Def(
            METHOD_KIND if in_class else FUNCTION_KIND,
            w.intern(name),
            w.intern(w.qualified),
            _occurrence(w),
            outer.owner,
            start,
            node.end_byte,
            name_node.start_byte,
            flags,
            visibility(name) if outer.kind <= CLASS else PRIVATE,
            -1 if doc is None else w.intern(doc),
            hash_of(w.pieces),
            Signature(params, *returns),
            places,
        )
    finally:
        _leave(w, index, saved)
    if not flags & ACCESSOR:
        bind(outer, name, (DEFINED, index, name_node.start_byte, outer.conditional > 0))


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


def _generic(w: Walk, node: Node, index: int, outer: Scope) -> Scope:
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
    kind, w.name_kind = w.name_kind, int(RefKind.READ)
    saved = _enter(w, index, b"<lambda>", node)
    try:
        w.scope = _function_scope(outer, index, names, receives=False)
        value = VALUES[kids[-1].kind_id](w, kids[-1])
        w.returns.append(Return(index, value, kids[-1].start_byte, RETURNED))
        w.defs[index] = Def(
            FUNCTION_KIND,
            w.intern(b"<lambda>"),
            w.intern(w.qualified),
            _occurrence(w),
            outer.owner,
            start,
            end,
            start,
            STUB if w.stub else 0,
            PRIVATE,
            -1,
            hash_of([w.source[start:end]]),
            Signature(params),
        )
    finally:
        _leave(w, index, saved)
        w.pieces.pop()  # the statement around holds its text already
    w.name_kind = kind
    return w.put(values.LAMBDA, index)


# classes


@statement("class_definition")
def plain_class(w: Walk, node: Node) -> None:
    """A class without decorators."""
    class_definition(w, node, node.start_byte, [])


def class_definition(w: Walk, node: Node, start: int, decorators: list[Node]) -> None:
    """A class: bases outside its scope, body inside, then the fields its methods set."""
    index = len(w.defs)
    w.defs.append(None)
    outer = w.scope
    kids = node.named_children
    name_node, body = kids[0], kids[-1]
    name = w.source[name_node.start_byte : name_node.end_byte]
    places, _ = _decorators(w, decorators, index)
    saved = _enter(w, index, name, node)
    try:
        inner = _generic(w, kids[1], index, outer) if kids[1].kind_id == TYPE_PARAMETERS else outer
        w.scope = inner
        bases, keywords = _bases(w, kids)
        scope = w.scope = Scope(CLASS, inner, index)
        w.scopes.append(scope)
        w.fields = {}
        statements = body.named_children if body.kind_id in BLOCKS else [body]
        keep_piece(w, start, body.start_byte)
        doc, skip = docstring(w.source, statements)
        walk_statements(w, statements[skip:])
        _instance_fields(w, scope)
        w.defs[index] = Def(
            CLASS_KIND,
            w.intern(name),
            w.intern(w.qualified),
            _occurrence(w),
            outer.owner,
            start,
            node.end_byte,
            name_node.start_byte,
            STUB if w.stub else 0,
            visibility(name) if outer.kind <= CLASS else PRIVATE,
            -1 if doc is None else w.intern(doc),
            hash_of(w.pieces),
            None,
            places,
            bases,
            keywords,
        )
    finally:
        _leave(w, index, saved)
    bind(outer, name, (DEFINED, index, name_node.start_byte, outer.conditional > 0))


def _bases(w: Walk, kids: list[Node]) -> tuple[list[int], list[tuple[int, int]]]:
    bases: list[int] = []
    keywords: list[tuple[int, int]] = []
    arguments = next((child for child in kids[1:] if child.kind_id == ARGUMENTS), None)
    for child in arguments.named_children if arguments is not None else ():
        kind = child.kind_id
        if kind == KEYWORD:
            parts = child.named_children
            name = w.intern(w.source[parts[0].start_byte : parts[0].end_byte])
            keywords.append((name, VALUES[parts[-1].kind_id](w, parts[-1])))
        elif kind in SUBSCRIPTS:
            base, *indexes = child.named_children
            bases.append(_named(w, base, INHERIT, w.owner))
            for part in indexes:
                VISITS[part.kind_id](w, part)
        elif kind in SPLATS:
            VISITS[kind](w, child)
        elif kind != COMMENT:
            bases.append(_named(w, child, INHERIT, w.owner))
    return bases, keywords


def _instance_fields(w: Walk, scope: Scope) -> None:
    """Fields that exist only because some method sets them on `self`."""
    for name, (start, end, value, text, type_value, at) in (w.fields or {}).items():
        if name in scope.names:
            continue
        qualified = w.qualified + b"." + name
        occurrence = w.occurrences[qualified] = w.occurrences.get(qualified, 0) + 1
        w.defs.append(
            Def(
                NodeKind.FIELD,
                w.intern(name),
                w.intern(qualified),
                occurrence,
                scope.owner,
                start,
                end,
                at,
                INSTANCE | (STUB if w.stub else 0),
                visibility(name),
                -1,
                digest64(name),
                annotation=text,
                type=type_value,
                value=value,
            )
        )
        scope.names[name] = [(DEFINED, len(w.defs) - 1, at, True)]


# shared by all


Saved = tuple[int, bytes, int, list[bytes], bool, object, Scope, Node]


def _enter(w: Walk, index: int, name: bytes, node: Node) -> Saved:
    """Stands inside a definition from here on."""
    saved = (w.owner, w.qualified, w.depth, w.pieces, w.generator, w.fields, w.scope, node)
    w.owner = index
    w.qualified = w.qualified + b"." + name if w.qualified else name
    w.depth = 0
    w.pieces = []
    return saved


def _leave(w: Walk, index: int, saved: Saved) -> None:
    """Back outside, also when the inside was nested too deep to follow.

    The definition enters the hash of the one around it by its own hash.
    """
    if w.defs[index] is None:
        w.defs[index] = _unread(w, saved)
    w.owner, w.qualified, w.depth, w.pieces, w.generator, w.fields, w.scope, _ = saved  # type: ignore[assignment]  # mypy loses the type of a field in the tuple
    keep_digest(w, w.defs[index].body_hash)  # type: ignore[union-attr]  # set just above


def _unread(w: Walk, saved: Saved) -> Def:
    node, owner = saved[-1], saved[0]
    name = w.intern(w.qualified.rpartition(b".")[2])
    start, end = node.start_byte, node.end_byte
    kind = NodeKind.CLASS if node.type == "class_definition" else NodeKind.FUNCTION
    text = digest64(w.source[start:end])
    return Def(
        kind,
        name,
        w.intern(w.qualified),
        _occurrence(w),
        owner,
        start,
        end,
        start,
        UNRELIABLE,
        PRIVATE,
        -1,
        text,
        Signature([]) if kind is NodeKind.FUNCTION else None,
    )


def _occurrence(w: Walk) -> int:
    count = w.occurrences[w.qualified] = w.occurrences.get(w.qualified, 0) + 1
    return count
