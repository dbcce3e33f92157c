"""Classes: bases and keywords outside their scope, body inside, then the fields that their methods set.

Decorated definitions begin here too; what all definitions share is in `definitions`. Inherited attributes are left to
`resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.definitions import (
    PRIVATE,
    TYPE_PARAMETERS,
    decorators_of,
    docstring,
    enter,
    generic_scope,
    hash_of,
    keep_heads,
    leave,
    named,
    occurrence,
    visibility,
)
from keel.languages.python.extract.expressions import SPLATS
from keel.languages.python.extract.flow import assign, enter_body
from keel.languages.python.extract.functions import function_definition
from keel.languages.python.extract.primaries import COMMENT, KEYWORD
from keel.languages.python.extract.scopes import CLASS, Scope, bind
from keel.languages.python.extract.walk import VALUES, VISITS, Walk, statement, walk_statements
from keel.languages.python.facts import Def
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import DEFINED, INSTANCE, STUB
from keel.model.hashing import digest64
from keel.model.kinds import NodeKind, RefKind

BLOCKS = frozenset(kind_ids("block"))
SUBSCRIPTS = frozenset(kind_ids("subscript"))
ARGUMENTS = kind_id("argument_list")

CLASS_KIND, FIELD_KIND = NodeKind.CLASS, NodeKind.FIELD
INHERIT = int(RefKind.INHERIT)


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
    exprs, _ = decorators_of(w, decorators, index)
    saved = enter(w, index, name, node)
    try:
        inner = generic_scope(w, kids[1], index, outer) if kids[1].kind_id == TYPE_PARAMETERS else outer
        w.scope = inner
        bases, keywords = _bases(w, kids)
        scope = w.scope = Scope(CLASS, inner, index)
        w.scopes.append(scope)
        enter_body(w, scope)
        w.fields = {}
        statements = body.named_children if body.kind_id in BLOCKS else [body]
        keep_heads(w, decorators, node.start_byte, body.start_byte)
        doc, skip = docstring(w.source, statements)
        walk_statements(w, statements[skip:])
        _instance_fields(w, scope)
        w.defs[index] = Def(
            CLASS_KIND,
            w.intern(name),
            w.intern(w.qualified),
            occurrence(w),
            outer.owner,
            start,
            node.end_byte,
            name_node.start_byte,
            STUB if w.stub else 0,
            visibility(name) if outer.kind <= CLASS else PRIVATE,
            -1 if doc is None else w.intern(doc),
            hash_of(w.pieces),
            None,
            tuple(exprs),
            tuple(bases),
            keywords=tuple(keywords),
            body=body.start_byte - start,
        )
    finally:
        leave(w, index, saved)
    bind(outer, name, (DEFINED, index, node.end_byte, outer.conditional > 0))
    assign(w, name, w.put(forms.DEFINED, index))


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
            bases.append(named(w, base, INHERIT, w.owner))
            for part in indexes:
                VISITS[part.kind_id](w, part)
        elif kind in SPLATS:
            VISITS[kind](w, child)
        elif kind != COMMENT:
            bases.append(named(w, child, INHERIT, w.owner))
    return bases, keywords


def _instance_fields(w: Walk, scope: Scope) -> None:
    """Fields that exist only because some method sets them on `self`."""
    for name, (start, end, value, text, type_value, at) in (w.fields or {}).items():
        if name in scope.names:
            continue
        qualified = w.qualified + b"." + name
        number = w.occurrences[qualified] = w.occurrences.get(qualified, 0) + 1
        w.defs.append(
            Def(
                FIELD_KIND,
                w.intern(name),
                w.intern(qualified),
                number,
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
        scope.fields[name] = (DEFINED, len(w.defs) - 1, at, True)


DECORATOR = kind_id("decorator")


@statement("decorated_definition")
def decorated_definition(w: Walk, node: Node) -> None:
    """Decorators and what they decorate."""
    *before, definition = node.named_children
    decorators = [child for child in before if child.kind_id == DECORATOR]
    if definition.type == "class_definition":
        class_definition(w, definition, node.start_byte, decorators)
    else:
        function_definition(w, definition, node.start_byte, decorators)
