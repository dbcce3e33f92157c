"""Statements other than definitions and imports: what they bind and return, and which blocks they open.

Each adds its normalised text to the hash of the definition around it. Flow of control is left to `flow`, targets and
patterns to `targets`.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.definitions import hash_of, keep_piece
from keel.languages.python.extract.expressions import assign_names
from keel.languages.python.extract.flow import (
    assign,
    branch,
    jump,
    jumps_of,
    loop,
    merge,
    narrow,
    since,
    tried,
    undo,
)
from keel.languages.python.extract.primaries import COMMENT, IDENTIFIER
from keel.languages.python.extract.scopes import MODULE
from keel.languages.python.extract.targets import Known, bind_case, narrowings, note_element, subjects_of
from keel.languages.python.extract.walk import (
    STATEMENTS,
    VALUES,
    VISITS,
    Changes,
    Walk,
    define_variables,
    statement,
    value_of,
    visit_children,
    visit_of,
    walk_block,
)
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import CAUGHT, DELETED, ENTERED, ITERATED, RETURNED, Assign, Return

BLOCKS = frozenset(kind_ids("block"))
AS_PATTERNS = frozenset(kind_ids("as_pattern"))
TARGET = kind_id("as_pattern_target")
PATTERNS = frozenset(kind_ids("case_pattern"))
CLAUSES = frozenset(
    number for kind in ("elif_clause", "else_clause", "except_clause", "finally_clause") for number in kind_ids(kind)
)

TYPE_CHECKING = frozenset((b"TYPE_CHECKING", b"typing.TYPE_CHECKING", b"t.TYPE_CHECKING", b"MYPY"))


@statement("comment")
def comment(w: Walk, node: Node) -> None:
    """Comments are no facts; suppressions are read in `finish`."""


@statement("pass_statement", "print_statement", "exec_statement")
def simple(w: Walk, node: Node) -> None:
    """A statement that only uses names."""
    visit_children(w, node)
    keep_piece(w, node.start_byte, node.end_byte)


@statement("raise_statement")
def raise_statement(w: Walk, node: Node) -> None:
    """`raise error`: what follows is unreachable from here."""
    simple(w, node)
    w.flow.dead = True


@statement("break_statement", "continue_statement")
def jump_statement(w: Walk, node: Node) -> None:
    """`break` and `continue`."""
    jump(w, out=node.type == "break_statement")
    keep_piece(w, node.start_byte, node.end_byte)


@statement("assert_statement")
def assert_statement(w: Walk, node: Node) -> None:
    """`assert condition`: what it says of types holds from here on."""
    simple(w, node)
    condition = node.named_child(0)
    if condition is not None:
        _narrow(w, narrowings(w, condition)[0])


@statement("ERROR")
def broken(w: Walk, node: Node) -> None:
    """A syntax error: what can be read inside it is read."""
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
    w.flow.dead = True


@statement("delete_statement")
def delete_statement(w: Walk, node: Node) -> None:
    """`del a, b.c`."""
    for child in node.named_children:
        value = VALUES[child.kind_id](w, child)
        note_element(w, b"del []", value)
        w.assigns.append(Assign(w.owner, value, -1, child.start_byte, DELETED))
        if child.kind_id == IDENTIFIER:
            assign(w, w.source[child.start_byte : child.end_byte], -1)
    keep_piece(w, node.start_byte, node.end_byte)


@statement("global_statement", "nonlocal_statement")
def global_statement(w: Walk, node: Node) -> None:
    """`global a`, `nonlocal a`: the names belong to another scope."""
    names = [w.source[child.start_byte : child.end_byte] for child in node.named_children]
    scope = w.scope
    if node.type == "nonlocal_statement":
        scope.nonlocals = scope.nonlocals | set(names)
    elif scope.kind != MODULE:
        scope.globals = scope.globals | set(names)
    keep_piece(w, node.start_byte, node.end_byte)


# compound statements: a head, then blocks


@statement("if_statement")
def if_statement(w: Walk, node: Node) -> None:
    """`if`, `elif`, `else`: alternatives, of which one runs; each knows that those before it did not hold."""
    alternatives: list[Changes | None] = []
    w.scope.conditional += 1
    mark = len(w.flow.trail)

    def block(child: Node, condition: Node | None) -> None:
        known, known_else = narrowings(w, condition) if condition is not None else ([], [])
        before = since(w, mark)

        def walk() -> None:
            _narrow(w, known)
            walk_block(w, child)

        changes = branch(w, walk)
        alternatives.append(None if changes is None else {**before, **changes})
        _narrow(w, known_else)

    parts(w, node, block)
    w.scope.conditional -= 1
    rest = undo(w, mark)
    if not any(child.type == "else_clause" for child in node.named_children):
        alternatives.append(rest)
    merge(w, alternatives)


def _narrow(w: Walk, known: Known) -> None:
    for text, expr, is_instance in known:
        narrow(w, text, expr, is_instance)


@statement("while_statement")
def while_statement(w: Walk, node: Node) -> None:
    """`while`: the condition belongs to every iteration, `else` follows the last one."""
    w.scope.conditional += 1
    condition = node.child_by_field_name("condition")
    always = condition is not None and condition.type == "true"

    def block(child: Node, condition: Node | None) -> None:
        if child.parent == node:
            _narrow(w, narrowings(w, condition)[0] if condition is not None else [])
            walk_block(w, child)

    loop(w, lambda: parts(w, node, block), lambda: _else(w, node), always)
    w.scope.conditional -= 1


def _else(w: Walk, node: Node) -> None:
    """The `else` of a loop."""
    clause = node.child_by_field_name("alternative")
    for child in clause.named_children if clause is not None else ():
        if child.kind_id in BLOCKS:
            walk_block(w, child)


@statement("for_statement")
def for_statement(w: Walk, node: Node) -> None:
    """`for`: in every iteration the target holds an element of the iterable; `else` follows the last one."""
    w.scope.conditional += 1
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        parts(w, node, lambda child, _: walk_block(w, child))
        w.scope.conditional -= 1
        return
    value = VALUES[right.kind_id](w, right)
    is_async = w.source.startswith(b"async", node.start_byte)
    item = w.use(left.start_byte, w.put(forms.ITEM, w.marked(value, is_async))) if value >= 0 else -1

    def round_(child: Node) -> None:
        target = assign_names(w, left, item, right.end_byte)
        w.assigns.append(Assign(w.owner, target, value, left.start_byte, ITERATED))
        walk_block(w, child)

    def block(child: Node, _: Node | None) -> None:
        if child.parent == node:
            loop(w, lambda: round_(child), lambda: _else(w, node))

    parts(w, node, block)
    w.scope.conditional -= 1


@statement("try_statement")
def try_statement(w: Walk, node: Node) -> None:
    """`try`: a handler may begin with what was before the body or with what it left, `else` goes on from its end."""
    w.scope.conditional += 1
    returns = len(w.returns)
    jumps = [len(row) for row in jumps_of(w)]
    body: Changes | None = None
    left: Changes = {}
    ends: list[Changes | None] = []
    last: list[Node] = []

    def block(child: Node, _: Node | None) -> None:
        nonlocal body, left
        kind = child.parent.type if child.parent is not None else ""
        if kind == "finally_clause":
            last.append(child)
        elif kind == "else_clause":
            if body is not None:
                mark = len(w.flow.trail)
                merge(w, [body])
                after = branch(w, lambda: walk_block(w, child))
                body = None if after is None else {**undo(w, mark), **after}
            else:
                branch(w, lambda: walk_block(w, child))  # unreachable
        elif child.parent == node:
            mark = len(w.flow.trail)
            dead, w.flow.dead = w.flow.dead, False
            left = tried(w, lambda: walk_block(w, child))
            ended, w.flow.dead = w.flow.dead, dead
            changes = undo(w, mark)
            body = None if ended else changes
        else:
            ends.append(branch(w, lambda: walk_block(w, child)))

    def handler(child: Node) -> None:
        mark = len(w.flow.trail)
        merge(w, [{}, left])
        parts(w, child, block)
        if ends and ends[-1] is not None:
            ends[-1] = {**undo(w, mark), **ends[-1]}
        else:
            undo(w, mark)

    ever = tried(w, lambda: parts(w, node, block, handler))
    w.scope.conditional -= 1
    if last:
        _finally(w, last[0], [body, *ends], ever, returns, jumps)
    else:
        merge(w, [body, *ends])


def _finally(w: Walk, child: Node, ends: list[Changes | None], ever: Changes, returns: int, jumps: list[int]) -> None:
    """The last block of a `try` runs however the others ended, also behind a `return`; one of its own replaces it.

    It begins with any value that was held meanwhile; what follows it, with what they left at their end. It runs behind
    a `break` or `continue` too: what it leaves is one more environment that may hold where the loop goes on.
    """
    alive = [changes for changes in ends if changes is not None]
    before = len(w.returns)
    behind = [row[start:] for row, start in zip(jumps_of(w), jumps, strict=True)]
    start = len(w.flow.trail)
    merge(w, [{}, ever])
    mark = len(w.flow.trail)
    dead, w.flow.dead = w.flow.dead, False
    walk_block(w, child)
    after = since(w, mark)
    ended = w.flow.dead
    undo(w, start)
    merge(w, list(alive) or [{}, ever])
    merge(w, [after])
    for row, some in zip(jumps_of(w), behind, strict=True):
        row += [{**changes, **after} for changes in some if after]
    if ended and any(_is_return(w, item) for item in w.returns[before:]):
        w.returns[returns:before] = [item for item in w.returns[returns:before] if not _is_return(w, item)]
    w.flow.dead = ended or dead or not alive


def _is_return(w: Walk, item: Return) -> bool:
    return item.scope == w.owner and item.how == RETURNED


@statement("match_statement")
def match_statement(w: Walk, node: Node) -> None:
    """`match`: each case is an alternative, and so is none of them."""
    w.scope.conditional += 1
    outer, subjects, w.flow.cases = w.flow.cases, w.flow.subjects, [{}]
    parts(w, node, lambda child, _: walk_block(w, child))
    cases, w.flow.cases, w.flow.subjects = w.flow.cases, outer, subjects
    w.scope.conditional -= 1
    merge(w, cases)


@statement("case_clause")
def case_clause(w: Walk, node: Node) -> None:
    """One case of a `match`."""
    w.flow.cases.append(branch(w, lambda: parts(w, node, lambda child, _: walk_block(w, child))))


@statement("with_statement")
def with_statement(w: Walk, node: Node) -> None:
    """`with a as b:` runs its block in any case, so nothing in it is conditional."""
    w.async_with = w.source.startswith(b"async", node.start_byte)
    parts(w, node, lambda child, _: walk_block(w, child))


Block = Callable[[Node, Node | None], None]
"""Walks a block, given its condition."""


def parts(w: Walk, node: Node, block: Block, handler: Callable[[Node], None] | None = None) -> None:
    """Head and blocks of a compound statement or of one of its clauses, each part hashed once."""
    start = node.start_byte
    kids = node.named_children
    kind = node.type
    if kind in HEADS:
        kids = HEADS[kind](w, node, kids)
    type_only = w.type_only
    condition: Node | None = None
    for child in kids:
        number = child.kind_id
        if number in BLOCKS:
            keep_piece(w, start, child.start_byte)
            block(child, condition)
            start = child.end_byte
            w.type_only = type_only
        elif number in CLAUSES:
            if handler is not None and child.type in HANDLERS:
                handler(child)
            else:
                parts(w, child, block)
            start = child.end_byte
            w.type_only = type_only
        elif number != COMMENT:
            condition = child
            VISITS[number](w, child)
            if kind == "if_statement" and w.source[child.start_byte : child.end_byte] in TYPE_CHECKING:
                w.type_only = True


def _for_head(w: Walk, node: Node, kids: list[Node]) -> list[Node]:
    right = node.child_by_field_name("right")
    return kids if right is None else [child for child in kids if child.start_byte >= right.end_byte]


def _except_head(w: Walk, node: Node, kids: list[Node]) -> list[Node]:
    head = kids[0] if kids else None
    if head is not None and head.kind_id in AS_PATTERNS:
        _as(w, head, CAUGHT)
        return kids[1:]
    return kids


def _match_head(w: Walk, node: Node, kids: list[Node]) -> list[Node]:
    w.flow.subjects = subjects_of(
        w, [child for child in kids if child.kind_id not in BLOCKS and child.kind_id != COMMENT]
    )
    return [child for child in kids if child.kind_id in BLOCKS]


def _case_head(w: Walk, node: Node, kids: list[Node]) -> list[Node]:
    bind_case(w, [child for child in kids if child.kind_id in PATTERNS], w.flow.subjects)
    return [child for child in kids if child.kind_id not in PATTERNS]


HEADS = {
    "for_statement": _for_head,
    "except_clause": _except_head,
    "match_statement": _match_head,
    "case_clause": _case_head,
}
HANDLERS = ("except_clause",)


@visit_of("with_item")
def with_item(w: Walk, node: Node) -> None:
    """One manager of a `with`."""
    for child in node.named_children:
        if child.kind_id in AS_PATTERNS:
            _as(w, child, ENTERED)
        elif child.kind_id != COMMENT:
            value = VALUES[child.kind_id](w, child)
            if value >= 0:
                w.use(child.start_byte, w.put(forms.ENTERED, w.marked(value, w.async_with)))


@value_of("as_pattern")
def value_as(w: Walk, node: Node) -> int:
    """The `c as d` of `with a if b else c as d`, where the grammar has it in the value: its value is not known."""
    value = -1
    for child in node.named_children:
        if child.kind_id == TARGET:
            assign_names(w, child, -1)
        elif child.kind_id != COMMENT:
            value = VALUES[child.kind_id](w, child)
    return value


HELD = {CAUGHT: forms.CAUGHT, ENTERED: forms.ENTERED}


def _as(w: Walk, node: Node, how: int) -> None:
    value = -1
    for child in node.named_children:
        if child.kind_id == TARGET:
            held = -1 if value < 0 else w.put(HELD[how], w.marked(value, how == ENTERED and w.async_with))
            if held >= 0 and how == ENTERED:
                w.use(node.start_byte, held)
            target = assign_names(w, child, held)
            w.assigns.append(Assign(w.owner, target, value, child.start_byte, how))
        elif child.kind_id != COMMENT:
            value = VALUES[child.kind_id](w, child)
