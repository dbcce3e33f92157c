"""Assignments: what they bind, and the constants, fields and type aliases they define.

Following values from name to name is left to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.definitions import annotation, hash_of, keep_piece, visibility
from keel.languages.python.extract.expressions import LITERALS
from keel.languages.python.extract.flow import assign, owner, store
from keel.languages.python.extract.imports import note_exports
from keel.languages.python.extract.primaries import ATTRIBUTES, COMMENT, IDENTIFIER, solid
from keel.languages.python.extract.scopes import CLASS, FUNCTION, MODULE, bind
from keel.languages.python.extract.targets import SUBSCRIPTS, held, load_owner, store_element, unpacked
from keel.languages.python.extract.walk import (
    VALUES,
    VISITS,
    Walk,
    define_variables,
    is_chain,
    statement,
    visit_children,
    visit_of,
)
from keel.languages.python.facts import Def
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import ASSIGNED, AUGMENTED, PLAIN, STUB, UNPACKED, Assign
from keel.model.kinds import NodeKind

ASSIGNMENT = kind_id("assignment")
TYPE_NODE = kind_id("type")
PATTERNS = frozenset(
    number for kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list") for number in kind_ids(kind)
)
STARRED = frozenset(kind_ids("list_splat_pattern"))


@statement("expression_statement")
def expression_statement(w: Walk, node: Node) -> None:
    """A statement that is an expression or an assignment."""
    only = node.named_child(0) if node.named_child_count == 1 else None
    if only is not None:
        VISITS[only.kind_id](w, only)
    else:
        visit_children(w, node)
    keep_piece(w, node.start_byte, node.end_byte)
    if w.scope.kind == MODULE and only is not None and b"__all__" in w.pieces[-1]:
        note_exports(w, only)
    if w.variables:
        finish_variables(w)


def finish_variables(w: Walk) -> None:
    """Sets the hash of the fields and constants of a statement, which also represents it in the hash of their owner."""
    digest = hash_of(w.pieces[-1:])
    w.pieces[-1] = b"\x1d%d" % digest
    define_variables(w, digest)


@visit_of("assignment")
def assignment(w: Walk, node: Node) -> None:
    """`a = b = c`, `a: T = v`, `a: T`, `a, b = c`."""
    whole = node
    targets: list[Node] = []
    while True:  # a chain of targets nests to the right
        kids = node.named_children
        targets.append(kids[0])
        if kids[-1].kind_id != ASSIGNMENT or len(kids) == 1:
            break
        node = kids[-1]
    text = type_value = value = -1
    for child in kids[1:]:
        if child.kind_id == TYPE_NODE:
            text, type_value = annotation(w, child)
        else:
            value = VALUES[child.kind_id](w, child)
    bare = len(kids) == 2 and text >= 0
    for target in targets:
        _target(w, target, whole, value, PLAIN, (text, type_value), bare)


def _target(
    w: Walk,
    node: Node,
    whole: Node,
    value: int,
    how: int,
    hint: tuple[int, int] = (-1, -1),
    bare: bool = False,
) -> int:
    kind = node.kind_id
    start = node.start_byte
    scope = w.scope
    if kind == IDENTIFIER:
        name = w.source[start : node.end_byte]
        expr = w.target(name)
        if scope.kind <= CLASS and name and name not in scope.variables:
            _define(w, name, start, whole, value, hint)
        bind(scope, name, (ASSIGNED, value, whole.end_byte, scope.conditional > 0))
        if not bare:
            assign(w, name, held(w, value, hint[1]))
    elif kind in ATTRIBUTES:
        text = w.source[start : node.end_byte]
        if is_chain(text):
            expr = load_owner(w, text)
            _receiver_field(w, text, start, node.end_byte, value, hint)
            if not bare:
                store(w, text, held(w, value, hint[1]))
        else:
            expr = VALUES[kind](w, node)
    elif kind in PATTERNS:
        targets = [child for child in node.named_children if child.kind_id != COMMENT]
        parts = [
            _target(w, child, whole, part, UNPACKED)
            for child, part in zip(targets, unpacked(w, targets, value), strict=True)
        ]
        expr = w.put(forms.DISPLAY, forms.TUPLE, len(parts), *parts)
        if how == UNPACKED:
            return expr
        how = UNPACKED
    elif kind in STARRED and node.named_child_count:
        inner = _target(w, node.named_children[0], whole, value, UNPACKED)
        return w.put(forms.WRAP, forms.STARRED, inner)
    else:
        expr = VALUES[kind](w, node)
        if kind in SUBSCRIPTS:
            store_element(w, node, expr, value)
    if not bare and not (how == UNPACKED and kind == IDENTIFIER):
        w.assigns.append(Assign(w.owner, expr, value, start, how))
    return expr


@visit_of("augmented_assignment")
def augmented_assignment(w: Walk, node: Node) -> None:
    """`a += b`: uses and rebinds."""
    kids = solid(node)
    if len(kids) != 2:
        visit_children(w, node)
        return
    target = VALUES[kids[0].kind_id](w, kids[0])
    value = VALUES[kids[1].kind_id](w, kids[1])
    text = w.source[kids[0].start_byte : kids[0].end_byte]
    into = owner(w, text) if is_chain(text) else target
    w.assigns.append(Assign(w.owner, into, value, kids[0].start_byte, AUGMENTED))
    operator = node.child_by_field_name("operator")
    both = w.put(forms.OPERATED, w.intern(operator.type.encode() if operator is not None else b""), target, value)
    if operator is not None and kids[1].kind_id not in LITERALS:
        w.use(kids[0].end_byte, both)
    if kids[0].kind_id == IDENTIFIER:
        name = w.source[kids[0].start_byte : kids[0].end_byte]
        if w.scope.kind >= FUNCTION:
            bind(w.scope, name, (ASSIGNED, both, node.end_byte, True))
        assign(w, name, both)


@statement("type_alias_statement")
def type_alias_statement(w: Walk, node: Node) -> None:
    """`type X = …`."""
    kids = [child for child in node.named_children if child.kind_id == TYPE_NODE]
    keep_piece(w, node.start_byte, node.end_byte)
    if len(kids) != 2:
        visit_children(w, node)
        return
    start = kids[0].start_byte
    name = w.source[start : kids[0].end_byte].partition(b"[")[0]
    if not name:  # `type[x] = y`: an assignment that the grammar takes for an alias
        visit_children(w, node)
        return
    text, value = annotation(w, kids[1])
    if w.scope.kind <= CLASS:
        _define(w, name, start, node, value, (text, value), NodeKind.TYPE_ALIAS)
        finish_variables(w)
    bind(w.scope, name, (ASSIGNED, value, node.end_byte, w.scope.conditional > 0))


def _define(
    w: Walk,
    name: bytes,
    at: int,
    whole: Node,
    value: int,
    hint: tuple[int, int],
    kind: NodeKind | None = None,
) -> None:
    """A constant of the module or a field of the class; its hash is set with the statement's."""
    scope = w.scope
    scope.variables |= {name}
    if kind is None:
        kind = NodeKind.CONSTANT if scope.kind == MODULE else NodeKind.FIELD
        if hint[0] >= 0 and kind is NodeKind.CONSTANT and _is_alias(w, whole):
            kind = NodeKind.TYPE_ALIAS
    qualified = w.qualified + b"." + name if w.qualified else name
    occurrence = w.occurrences[qualified] = w.occurrences.get(qualified, 0) + 1
    start, end = whole.start_byte, whole.end_byte
    owner = scope.owner
    flags = STUB if w.stub else 0
    index = len(w.defs)
    w.defs.append(None)

    def build(digest: int) -> Def:
        return Def(
            kind,
            w.intern(name),
            w.intern(qualified),
            occurrence,
            owner,
            start,
            end,
            at,
            flags,
            visibility(name),
            -1,
            digest,
            annotation=hint[0],
            type=hint[1],
            value=value,
        )

    w.variables.append((index, build))


def _is_alias(w: Walk, whole: Node) -> bool:
    head = w.source[whole.start_byte : whole.start_byte + 200].partition(b"=")[0]
    return head.rstrip().endswith(b"TypeAlias")


def _receiver_field(w: Walk, text: bytes, start: int, end: int, value: int, hint: tuple[int, int]) -> None:
    """`self.x = v` in a method sets a field of the class around it."""
    receiver, _, name = text.partition(b".")
    if w.fields is not None and receiver == w.scope.receiver and receiver and b"." not in name:
        if name not in w.fields:
            w.fields[name] = (start, end, value, *hint, start + len(receiver) + 1)
    elif b"." in name:
        at = end - len(name.rpartition(b".")[2]) - 1
        base = text.rpartition(b".")[0]
        w.refs.append((w.name_kind, w.owner, at - len(base.rpartition(b".")[2]), base, receiver, w.scope, -1))
