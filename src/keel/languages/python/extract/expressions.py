"""Expressions: the names they use become references, and what they are made of becomes values on the tape.

Calls are in `calls`, functions without a name in `definitions`; evaluating anything is left to `resolve`.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python.extract.scopes import INNER, Scope, bind, holder
from keel.languages.python.extract.walk import (
    VALUES,
    VISITS,
    Walk,
    is_chain,
    value_of,
    visit_children,
    visit_of,
)
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model import values
from keel.model.facts import (
    ASSIGNED,
    ITERATED,
    PLAIN,
    YIELDED,
    YIELDED_FROM,
    Assign,
    Return,
)
from keel.model.kinds import RefKind

IDENTIFIER = kind_id("identifier")
COMMENT = kind_id("comment")
ATTRIBUTES = frozenset(kind_ids("attribute"))
PAIR = kind_id("pair")
SPLATS = frozenset(kind_ids("dictionary_splat"))
STRING = kind_id("string")
INTERPOLATION = kind_id("interpolation")
FOR_CLAUSE = kind_id("for_in_clause")

MAX_ITEMS = 64
"""A display with more items keeps none of them: what it holds is data, not code."""
MAX_TEXT = 100
"""A string literal longer than this is prose; its text is not kept in values."""
MAX_PHRASE = 32
"""The same for one with blanks in it."""
PROSE = b"\xe2\x80\xa6"

READ = int(RefKind.READ)
TYPE = int(RefKind.TYPE)

_forward_names = re.compile(rb"[A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*").finditer


def solid(node: Node) -> list[Node]:
    """The named children without comments, which may stand anywhere."""
    kids = node.named_children
    for child in kids:
        if child.kind_id == COMMENT:
            return [child for child in kids if child.kind_id != COMMENT]
    return kids


# names


@visit_of("identifier")
def visit_identifier(w: Walk, node: Node) -> None:
    """A plain name: a reference, unless it is known to be a local variable already."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if w.scope.names.get(text, 0) is not None:
        w.refs.append((w.name_kind, w.owner, start, text, w.scope, -1))


@value_of("identifier")
def value_identifier(w: Walk, node: Node) -> int:
    """A plain name as a value."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if w.scope.names.get(text, 0) is not None:
        w.refs.append((w.name_kind, w.owner, start, text, w.scope, -1))
    place = w.chains.get(text)
    return w.chain(text) if place is None else place


@visit_of("attribute")
def visit_attribute(w: Walk, node: Node) -> None:
    """A dotted name: one reference for the whole chain."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if is_chain(text):
        w.refs.append((w.name_kind, w.owner, start + text.rfind(b".") + 1, text, w.scope, -1))
    else:
        value_attribute(w, node)


@value_of("attribute")
def value_attribute(w: Walk, node: Node) -> int:
    """A dotted name as a value; what hangs on something else than a name keeps that value as its base."""
    place, at, text = attribute_parts(w, node)
    w.refs.append((w.name_kind, w.owner, at, text, w.scope, -1 if is_chain(text) else place))
    return place


def attribute_parts(w: Walk, node: Node) -> tuple[int, int, bytes]:
    """Value, position of the last name, and text of an attribute; text with a leading dot hangs on a value."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if is_chain(text):
        place = w.chains.get(text)
        return (w.chain(text) if place is None else place), start + text.rfind(b".") + 1, text
    kids = solid(node)
    if len(kids) != 2:
        visit_children(w, node)
        return -1, start, b"."
    name = w.source[kids[1].start_byte : kids[1].end_byte]
    joined = w.source[kids[0].start_byte : kids[0].end_byte]
    if b"(" not in joined and is_chain(joined := b"".join(joined.split())):
        text = joined + b"." + name  # a chain with blanks or line breaks around its dots
        return w.chain(text), kids[1].start_byte, text
    base = VALUES[kids[0].kind_id](w, kids[0])
    return w.put(values.ATTR, base, w.intern(name)), kids[1].start_byte, b"." + name


# literals


@value_of("string")
def value_string(w: Walk, node: Node) -> int:
    """A string; one with interpolations is seen to inside."""
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    if raw[0] in QUOTES:
        quote = 0
    else:
        quote = len(raw) - len(raw.lstrip(LETTERS))
        prefix = raw[:quote].lower()
        if b"f" in prefix or b"t" in prefix:
            return _interpolated(w, node, start, start + len(raw))
        if b"b" in prefix:
            return w.put_once(values.ATOM, values.BYTES)
    if w.name_kind == TYPE:
        _forward_references(w, raw, start, quote)
    if len(raw) > MAX_TEXT or (len(raw) > MAX_PHRASE and b" " in raw):
        return w.put_once(values.STRING, w.intern(PROSE))
    place = w.literals.get(raw)
    if place is None:
        width = quote + 3 if raw[quote : quote + 3] in TRIPLE else quote + 1
        place = w.literals[raw] = w.put(values.STRING, w.intern(raw[width : quote - width]))
    return place


@visit_of("string")
def visit_string(w: Walk, node: Node) -> None:
    """A string nobody needs: only interpolations and forward references matter."""
    if w.name_kind == TYPE or w.source[node.start_byte] not in QUOTES:
        value_string(w, node)


QUOTES = b"\"'"
LETTERS = b"bBfFrRtTuU"
TRIPLE = (b'"""', b"'''")


def _interpolated(w: Walk, node: Node, start: int, end: int) -> int:
    w.cuts.append((start, end))
    for child in node.named_children:
        if child.kind_id == INTERPOLATION:
            visit_children(w, child)
    text = w.source[start:end]
    return w.put_once(values.FORMAT, w.intern(text if len(text) <= MAX_TEXT else PROSE))


def _forward_references(w: Walk, raw: bytes, start: int, quote: int) -> None:
    for match in _forward_names(raw, quote):
        text = match[0]
        w.refs.append((TYPE, w.owner, start + match.end() - len(text.rpartition(b".")[2]), text, w.scope, -1))


@value_of("integer", "float")
def value_number(w: Walk, node: Node) -> int:
    """A number as written."""
    text = w.source[node.start_byte : node.end_byte]
    place = w.literals.get(text)
    if place is None:
        place = w.literals[text] = w.put(values.NUMBER, w.intern(text))
    return place


def _atom(kind: str, which: int) -> None:
    @value_of(kind)
    def value_atom(w: Walk, node: Node) -> int:
        return w.put_once(values.ATOM, which)


_atom("none", values.NONE)
_atom("true", values.TRUE)
_atom("false", values.FALSE)
_atom("ellipsis", values.ELLIPSIS)


# compounds


@value_of("concatenated_string")
def value_concatenated(w: Walk, node: Node) -> int:
    """Strings side by side."""
    parts = [VALUES[child.kind_id](w, child) for child in solid(node)]
    return w.put(values.CONCAT, len(parts), *parts)


@value_of("binary_operator")
def value_binary(w: Walk, node: Node) -> int:
    """`a + b` is a concatenation; other operators are seen to, not followed. Long sums lean left: no recursion."""
    rights: list[Node] = []
    plus = True
    while node.type == "binary_operator":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            visit_children(w, node)
            return -1
        plus = plus and operator is not None and operator.type == "+"
        rights.append(right)
        node = left
    if not plus:
        VISITS[node.kind_id](w, node)
        for right in reversed(rights):
            VISITS[right.kind_id](w, right)
        return -1
    parts = [VALUES[part.kind_id](w, part) for part in (node, *reversed(rights))]
    return w.put(values.CONCAT, len(parts), *parts) if len(parts) <= MAX_ITEMS else -1


@value_of("boolean_operator")
def value_boolean(w: Walk, node: Node) -> int:
    """`a or b`, `a and b`: one of the two."""
    return _choice(w, solid(node))


@value_of("conditional_expression")
def value_conditional(w: Walk, node: Node) -> int:
    """`a if c else b`: one of the outer two."""
    kids = solid(node)
    if len(kids) != 3:
        visit_children(w, node)
        return -1
    VISITS[kids[1].kind_id](w, kids[1])
    return _choice(w, [kids[0], kids[2]])


def _choice(w: Walk, nodes: list[Node]) -> int:
    parts = [VALUES[node.kind_id](w, node) for node in nodes]
    return w.put(values.CHOICE, len(parts), *parts)


@value_of("parenthesized_expression")
def value_parenthesised(w: Walk, node: Node) -> int:
    """Brackets change nothing."""
    place = -1
    for child in node.named_children:
        if child.kind_id != COMMENT:
            place = VALUES[child.kind_id](w, child)
    return place


def _display(kind: str, which: int) -> None:
    @value_of(kind)
    def value_display(w: Walk, node: Node) -> int:
        kids = node.named_children
        if len(kids) > MAX_ITEMS:
            visit_children(w, node)
            return w.put_once(values.DISPLAY, which, 0)
        items = [VALUES[child.kind_id](w, child) for child in kids if child.kind_id != COMMENT]
        return w.put(values.DISPLAY, which, len(items), *items)


_display("list", values.LIST)
_display("tuple", values.TUPLE)
_display("set", values.SET)
_display("expression_list", values.TUPLE)


@value_of("dictionary")
def value_dictionary(w: Walk, node: Node) -> int:
    """A dict display: key, value, key, value …; `**d` is a wrapped value under no key."""
    kids = node.named_children
    if len(kids) > MAX_ITEMS:
        visit_children(w, node)
        return w.put_once(values.DISPLAY, values.DICT, 0)
    items: list[int] = []
    for child in kids:
        if child.kind_id == PAIR:
            pair = solid(child)
            items += [VALUES[part.kind_id](w, part) for part in pair]
        elif child.kind_id in SPLATS:
            items += (-1, value_double_starred(w, child))
        elif child.kind_id != COMMENT:
            VISITS[child.kind_id](w, child)
    return w.put(values.DISPLAY, values.DICT, len(items), *items)


@value_of("list_splat", "list_splat_pattern")
def value_starred(w: Walk, node: Node) -> int:
    """`*a`."""
    return w.put(values.WRAP, values.STARRED, value_parenthesised(w, node))


@value_of("dictionary_splat")
def value_double_starred(w: Walk, node: Node) -> int:
    """`**a`."""
    return w.put(values.WRAP, values.DOUBLE_STARRED, value_parenthesised(w, node))


@value_of("await")
def value_await(w: Walk, node: Node) -> int:
    """`await a`."""
    return w.put(values.WRAP, values.AWAIT, value_parenthesised(w, node))


@value_of("yield")
def value_yield(w: Walk, node: Node) -> int:
    """`yield a`, `yield from a`: the function around is a generator."""
    w.generator = True
    start = node.start_byte
    place = value_parenthesised(w, node)
    is_from = b"from" in w.source[start + 5 : start + 12].split(None, 1)[:1]
    w.returns.append(Return(w.owner, place, start, YIELDED_FROM if is_from else YIELDED))
    return w.put(values.WRAP, values.YIELD_FROM if is_from else values.YIELD, place)


@value_of("subscript")
def value_subscript(w: Walk, node: Node) -> int:
    """`a[i]`; with several indexes the index is not followed. `Literal["x"]` holds no names."""
    kids = solid(node)
    base = VALUES[kids[0].kind_id](w, kids[0])
    if w.name_kind == TYPE and w.source[kids[0].start_byte : kids[0].end_byte].endswith(b"Literal"):
        return base
    if len(kids) == 2:
        return w.put(values.SUBSCRIPT, base, VALUES[kids[1].kind_id](w, kids[1]))
    for index in kids[1:]:
        VISITS[index.kind_id](w, index)
    return w.put(values.SUBSCRIPT, base, -1)


@value_of("generic_type")
def value_generic(w: Walk, node: Node) -> int:
    """`list[int]` in an annotation, as far as its syntax is not that of a subscript."""
    base, *rest = solid(node)
    place = VALUES[base.kind_id](w, base)
    if w.source[base.start_byte : base.end_byte].endswith(b"Literal"):
        return place
    for part in rest:
        visit_children(w, part)
    return w.put(values.SUBSCRIPT, place, -1)


@value_of("named_expression")
def value_walrus(w: Walk, node: Node) -> int:
    """`name := value` binds in the function around, also from inside a comprehension."""
    kids = solid(node)
    if len(kids) != 2:
        visit_children(w, node)
        return -1
    place = VALUES[kids[1].kind_id](w, kids[1])
    start = kids[0].start_byte
    name = w.source[start : kids[0].end_byte]
    scope = holder(w.scope)
    bind(scope, name, (ASSIGNED, place, start, scope.conditional > 0))
    w.assigns.append(Assign(w.owner, w.chain(name), place, start, PLAIN))
    return place


@value_of("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def value_comprehension(w: Walk, node: Node) -> int:
    """A comprehension: a scope of its own, inlined in the definition around it."""
    outer = around = w.scope
    inner = w.scope = Scope(INNER, outer, w.owner)
    element: Node | None = None
    for child in node.named_children:
        if child.kind_id == FOR_CLAUSE:
            _for_clause(w, child, around)
            around = inner
        elif element is None and child.kind_id != COMMENT:
            element = child
        else:
            visit_children(w, child)
    place = VALUES[element.kind_id](w, element) if element is not None else -1
    w.scope = outer
    return w.put(values.WRAP, values.ELEMENT, place)


def _for_clause(w: Walk, node: Node, around: Scope) -> None:
    """One `for` of a comprehension; the first one's iterable is evaluated around it."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        visit_children(w, node)
        return
    inner, w.scope = w.scope, around
    place = VALUES[right.kind_id](w, right)
    w.scope = inner
    target = assign_names(w, left)
    w.assigns.append(Assign(w.owner, target, place, left.start_byte, ITERATED))


def assign_names(w: Walk, node: Node) -> int:
    """Binds every plain name of a target pattern as a variable without a known value; the pattern as a value."""
    kind = node.kind_id
    if kind == IDENTIFIER:
        start = node.start_byte
        text = w.source[start : node.end_byte]
        bind(w.scope, text, (ASSIGNED, -1, start, w.scope.conditional > 0))
        return w.chain(text)
    if kind in ATTRIBUTES or kind in _SUBSCRIPTS:
        return VALUES[kind](w, node)
    parts = [assign_names(w, child) for child in node.named_children if child.kind_id != COMMENT]
    if kind in _SPLAT_PATTERNS:
        return w.put(values.WRAP, values.STARRED, parts[0] if parts else -1)
    if kind in _WRAPPERS and len(parts) == 1:
        return parts[0]
    return w.put(values.DISPLAY, values.TUPLE, len(parts), *parts)


_SUBSCRIPTS = frozenset(kind_ids("subscript"))
_SPLAT_PATTERNS = frozenset(kind_ids("list_splat_pattern") + kind_ids("list_splat"))
_WRAPPERS = frozenset(kind_ids("parenthesized_expression") + kind_ids("as_pattern_target"))
