"""Statements other than definitions and imports: what they bind, hand back, and which blocks they open.

Each adds its normalised text to the hash of the definition around it.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.comprehensions import assign_names
from keel.languages.python.extract.names import COMMENT, IDENTIFIER
from keel.languages.python.extract.normalise import hash_of, keep_piece
from keel.languages.python.extract.scopes import MODULE, bind
from keel.languages.python.extract.walk import (
    STATEMENTS,
    VALUES,
    VISITS,
    Walk,
    define_variables,
    statement,
    visit_children,
    visit_of,
    walk_block,
)
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import ASSIGNED, CAUGHT, DELETED, ENTERED, ITERATED, RETURNED, Assign, Return

BLOCKS = frozenset(kind_ids("block"))
AS_PATTERNS = frozenset(kind_ids("as_pattern"))
TARGET = kind_id("as_pattern_target")
DOTTED = kind_id("dotted_name")
CLASS_PATTERN = kind_id("class_pattern")
PATTERNS = frozenset(
    number
    for kind in ("case_pattern", "union_pattern", "list_pattern", "tuple_pattern", "dict_pattern")
    for number in kind_ids(kind)
)
CLAUSES = frozenset(
    number
    for kind in ("elif_clause", "else_clause", "except_clause", "finally_clause", "case_clause")
    for number in kind_ids(kind)
)

TYPE_CHECKING = frozenset((b"TYPE_CHECKING", b"typing.TYPE_CHECKING", b"t.TYPE_CHECKING", b"MYPY"))


@statement("comment")
def comment(w: Walk, node: Node) -> None:
    """Comments say nothing to the graph; suppressions are found in `comments`."""


@statement("pass_statement", "break_statement", "continue_statement", "raise_statement", "assert_statement")
@statement("print_statement", "exec_statement")
def simple(w: Walk, node: Node) -> None:
    """A statement that only uses names."""
    visit_children(w, node)
    keep_piece(w, node.start_byte, node.end_byte)


@statement("ERROR")
def broken(w: Walk, node: Node) -> None:
    """A stretch that is no Python: what can be read inside it is read."""
    for child in node.named_children:
        kind = child.kind_id
        if kind in BLOCKS:
            walk_block(w, child)
        elif STATEMENTS[kind] is not visit_children:
            STATEMENTS[kind](w, child)
        else:
            VISITS[kind](w, child)
    keep_piece(w, node.start_byte, node.end_byte)
    define_variables(w, hash_of(w.pieces[-1:]))


@statement("return_statement")
def return_statement(w: Walk, node: Node) -> None:
    """`return value`."""
    for child in node.named_children:
        value = VALUES[child.kind_id](w, child)
        w.returns.append(Return(w.owner, value, node.start_byte, RETURNED))
    keep_piece(w, node.start_byte, node.end_byte)


@statement("delete_statement")
def delete_statement(w: Walk, node: Node) -> None:
    """`del a, b.c`."""
    for child in node.named_children:
        value = VALUES[child.kind_id](w, child)
        w.assigns.append(Assign(w.owner, value, -1, child.start_byte, DELETED))
    keep_piece(w, node.start_byte, node.end_byte)


@statement("global_statement", "nonlocal_statement")
def global_statement(w: Walk, node: Node) -> None:
    """`global a`, `nonlocal a`: the names are somebody else's."""
    names = [w.source[child.start_byte : child.end_byte] for child in node.named_children]
    scope = w.scope
    if node.type == "nonlocal_statement":
        scope.nonlocals = scope.nonlocals | set(names)
    elif scope.kind != MODULE:
        scope.globals = scope.globals | set(names)
    keep_piece(w, node.start_byte, node.end_byte)


# compound statements: a head, then blocks


@statement("if_statement", "while_statement", "try_statement", "match_statement", "for_statement")
def compound(w: Walk, node: Node) -> None:
    """Branches and loops: what they bind is bound under a condition."""
    w.scope.conditional += 1
    parts(w, node)
    w.scope.conditional -= 1


@statement("with_statement")
def with_statement(w: Walk, node: Node) -> None:
    """`with a as b:` runs its block in any case, so nothing in it is conditional."""
    parts(w, node)


@statement("case_clause")
def parts(w: Walk, node: Node) -> None:
    """Head and blocks of a compound statement or of one of its clauses, each stretch hashed once."""
    start = node.start_byte
    kids = node.named_children
    kind = node.type
    if kind in ("for_statement", "except_clause", "case_clause"):
        kids = HEADS[kind](w, node, kids)
    type_only = w.type_only
    for child in kids:
        number = child.kind_id
        if number in BLOCKS:
            keep_piece(w, start, child.start_byte)
            walk_block(w, child)
            start = child.end_byte
            w.type_only = type_only
        elif number in CLAUSES:
            parts(w, child)
            start = child.end_byte
            w.type_only = type_only
        elif number != COMMENT:
            VISITS[number](w, child)
            if kind == "if_statement" and w.source[child.start_byte : child.end_byte] in TYPE_CHECKING:
                w.type_only = True


def _for_head(w: Walk, node: Node, kids: list[Node]) -> list[Node]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return kids
    value = VALUES[right.kind_id](w, right)
    target = assign_names(w, left, right.end_byte)
    w.assigns.append(Assign(w.owner, target, value, left.start_byte, ITERATED))
    return [child for child in kids if child.start_byte >= right.end_byte]


def _except_head(w: Walk, node: Node, kids: list[Node]) -> list[Node]:
    head = kids[0] if kids else None
    if head is not None and head.kind_id in AS_PATTERNS:
        _as(w, head, CAUGHT)
        return kids[1:]
    return kids


def _case_head(w: Walk, node: Node, kids: list[Node]) -> list[Node]:
    for child in kids:
        if child.kind_id in PATTERNS:
            _pattern(w, child)
    return [child for child in kids if child.kind_id not in PATTERNS]


HEADS = {"for_statement": _for_head, "except_clause": _except_head, "case_clause": _case_head}


@visit_of("with_item")
def with_item(w: Walk, node: Node) -> None:
    """One manager of a `with`."""
    for child in node.named_children:
        if child.kind_id in AS_PATTERNS:
            _as(w, child, ENTERED)
        else:
            VISITS[child.kind_id](w, child)


def _as(w: Walk, node: Node, how: int) -> None:
    value = -1
    for child in node.named_children:
        if child.kind_id == TARGET:
            target = assign_names(w, child)
            w.assigns.append(Assign(w.owner, target, value, child.start_byte, how))
        elif child.kind_id != COMMENT:
            value = VALUES[child.kind_id](w, child)


def _pattern(w: Walk, node: Node) -> None:
    """A pattern of a `case`: class names and dotted constants are used, other names are bound."""
    for child in node.named_children:
        kind = child.kind_id
        if kind == DOTTED:
            text = w.source[child.start_byte : child.end_byte]
            if b"." in text:
                w.refs.append((w.name_kind, w.owner, child.end_byte - len(text.rpartition(b".")[2]), text, w.scope, -1))
            else:
                _capture(w, child)
        elif kind == CLASS_PATTERN:
            name, *inner = child.named_children
            text = w.source[name.start_byte : name.end_byte]
            at = name.end_byte - len(text.rpartition(b".")[2])
            w.refs.append((w.name_kind, w.owner, at, text, w.scope, -1))
            for part in inner:
                _pattern(w, part)
        elif kind == IDENTIFIER:
            if node.type != "keyword_pattern":
                _capture(w, child)
        elif kind in PATTERNS or child.type in ("keyword_pattern", "as_pattern", "splat_pattern"):
            _pattern(w, child)
        else:
            VISITS[kind](w, child)


def _capture(w: Walk, node: Node) -> None:
    name = w.source[node.start_byte : node.end_byte]
    if name != b"_":
        bind(w.scope, name, (ASSIGNED, -1, node.start_byte, True))
