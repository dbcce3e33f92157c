"""Compound expressions: their parts become operands in the expression IR.

Comprehensions have a scope of their own; `name := value` binds in the one around it. Names, literals, calls and lambdas
have modules of their own; evaluating anything is left to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.flow import assign, undo
from keel.languages.python.extract.primaries import ATTRIBUTES, COMMENT, IDENTIFIER, TYPE, solid
from keel.languages.python.extract.scopes import INNER, Scope, bind, holder
from keel.languages.python.extract.targets import path_of, unpacked
from keel.languages.python.extract.walk import VALUES, VISITS, Walk, value_of, visit_children
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import ASSIGNED, ITERATED, PLAIN, YIELDED, YIELDED_FROM, Assign, Return

PAIR = kind_id("pair")
SPLATS = frozenset(kind_ids("dictionary_splat"))

SIGNS = {sign: sign for sign in ("==", "!=", "<", ">", "<=", ">=", "in")} | {"not in": "in"}
"""Comparisons that run a method."""
LITERALS = frozenset(
    number
    for kind in ("string", "concatenated_string", "integer", "float", "true", "false", "none", "tuple", "list", "set")
    for number in kind_ids(kind)
)
UNPACKING = frozenset(("argument_list", "list", "set", "tuple", "expression_list"))
TEXTS = frozenset(number for kind in ("string", "concatenated_string") for number in kind_ids(kind))
LITERAL_VALUES = (forms.STRING, forms.FORMAT, forms.NUMBER, forms.ATOM, forms.CONCAT, forms.DISPLAY)
MAX_ITEMS = 64
"""A display with more items keeps none of them: what it holds is data, not code."""


@value_of("concatenated_string")
def value_concatenated(w: Walk, node: Node) -> int:
    """Strings side by side."""
    parts = [VALUES[child.kind_id](w, child) for child in solid(node)]
    return w.put(forms.CONCAT, len(parts), *parts)


@value_of("binary_operator")
def value_binary(w: Walk, node: Node) -> int:
    """`a + b` is a concatenation, `a | b` in an annotation one of the two; other operators may run a method.

    Long sums nest to the left: no recursion.
    """
    rights: list[tuple[str, Node]] = []
    while node.type == "binary_operator":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or operator is None:
            visit_children(w, node)
            return -1
        rights.append((operator.type, right))
        node = left
    rights.reverse()
    signs = {sign for sign, _ in rights}
    if signs == {"+"} or (signs == {"|"} and w.name_kind == TYPE):
        parts = [VALUES[part.kind_id](w, part) for part in (node, *(right for _, right in rights))]
        if len(parts) > MAX_ITEMS:
            return -1
        if signs == {"|"}:
            return w.put(forms.CHOICE, len(parts), *parts)
        expr = w.put(forms.CONCAT, len(parts), *parts)
        return expr if any(_is_literal(w, part) for part in parts) else w.use(node.end_byte, expr)
    if node.kind_id in TEXTS or len(rights) > MAX_ITEMS:
        VISITS[node.kind_id](w, node)
        for _, right in rights:
            VISITS[right.kind_id](w, right)
        return -1
    expr, end = VALUES[node.kind_id](w, node), node.end_byte
    for sign, right in rights:
        expr, end = _operated(w, sign, end, expr, VALUES[right.kind_id](w, right)), right.end_byte
    return expr


def _operated(w: Walk, sign: str, at: int, left: int, right: int) -> int:
    """An operator between values that may be objects."""
    if left < 0 and right < 0:
        return -1
    return w.use(at, w.put(forms.OPERATED, w.intern(sign.encode()), left, right))


def _is_literal(w: Walk, expr: int) -> bool:
    return expr >= 0 and w.ir[expr] in LITERAL_VALUES


@value_of("comparison_operator")
def value_comparison(w: Walk, node: Node) -> int:
    """`a < b`, `a in b`: runs a method, unless one side is a literal or identity is asked for."""
    kids = [child for child in node.children if child.kind_id != COMMENT]
    sign = SIGNS.get(kids[1].type) if len(kids) == 3 else None
    if sign is None or kids[2].kind_id in LITERALS or (sign != "in" and kids[0].kind_id in LITERALS):
        visit_children(w, node)
        return -1
    left, right = (VALUES[child.kind_id](w, child) for child in (kids[0], kids[2]))
    return _operated(w, sign, kids[0].end_byte, left, right)


@value_of("unary_operator")
def value_unary(w: Walk, node: Node) -> int:
    """`-1` is a number; other operands may be objects."""
    text = w.source[node.start_byte : node.end_byte]
    if text[:1] == b"-" and text[1:].isdigit():
        return w.put_once(forms.NUMBER, w.intern(text))
    kids = solid(node)
    if len(kids) != 1 or kids[0].kind_id in LITERALS:
        visit_children(w, node)
        return -1
    return _operated(w, text[:1].decode() + "x", node.start_byte, VALUES[kids[0].kind_id](w, kids[0]), -1)


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
    return w.put(forms.CHOICE, len(parts), *parts)


@value_of("parenthesized_expression")
def value_parenthesised(w: Walk, node: Node) -> int:
    """Brackets change nothing."""
    expr = -1
    for child in node.named_children:
        if child.kind_id != COMMENT:
            expr = VALUES[child.kind_id](w, child)
    return expr


def _display(kind: str, which: int) -> None:
    @value_of(kind)
    def value_display(w: Walk, node: Node) -> int:
        kids = node.named_children
        if len(kids) > MAX_ITEMS:
            visit_children(w, node)
            return w.put_once(forms.DISPLAY, which, 0)
        items = [VALUES[child.kind_id](w, child) for child in kids if child.kind_id != COMMENT]
        return w.put(forms.DISPLAY, which, len(items), *items)


_display("list", forms.LIST)
_display("tuple", forms.TUPLE)
_display("set", forms.SET)
_display("expression_list", forms.TUPLE)


@value_of("dictionary")
def value_dictionary(w: Walk, node: Node) -> int:
    """A dict display: key, value, key, value …; `**d` is a wrapped value under no key."""
    kids = node.named_children
    if len(kids) > MAX_ITEMS:
        visit_children(w, node)
        return w.put_once(forms.DISPLAY, forms.DICT, 0)
    items: list[int] = []
    for child in kids:
        if child.kind_id == PAIR:
            pair = solid(child)
            items += [VALUES[part.kind_id](w, part) for part in pair]
        elif child.kind_id in SPLATS:
            items += (-1, value_double_starred(w, child))
        elif child.kind_id != COMMENT:
            VISITS[child.kind_id](w, child)
    return w.put(forms.DISPLAY, forms.DICT, len(items), *items)


@value_of("list_splat", "list_splat_pattern")
def value_starred(w: Walk, node: Node) -> int:
    """`*a`."""
    value = value_parenthesised(w, node)
    around = node.parent
    if value >= 0 and around is not None and around.type in UNPACKING:  # the grammar reads `[*f()]` as a call of `*f`
        w.use(node.start_byte, w.put(forms.ITEM, value))
    return w.put(forms.WRAP, forms.STARRED, value)


@value_of("dictionary_splat")
def value_double_starred(w: Walk, node: Node) -> int:
    """`**a`."""
    return w.put(forms.WRAP, forms.DOUBLE_STARRED, value_parenthesised(w, node))


@value_of("await")
def value_await(w: Walk, node: Node) -> int:
    """`await a`."""
    return w.put(forms.WRAP, forms.AWAIT, value_parenthesised(w, node))


@value_of("yield")
def value_yield(w: Walk, node: Node) -> int:
    """`yield a`, `yield from a`: the function around is a generator."""
    w.generator = True
    start = node.start_byte
    expr = value_parenthesised(w, node)
    is_from = b"from" in w.source[start + 5 : start + 12].split(None, 1)[:1]
    w.returns.append(Return(w.owner, expr, start, YIELDED_FROM if is_from else YIELDED))
    return w.put(forms.WRAP, forms.YIELD_FROM if is_from else forms.YIELD, expr)


@value_of("subscript")
def value_subscript(w: Walk, node: Node) -> int:
    """`a[i]`; several indexes are a tuple. `Literal["x"]` holds no names."""
    kids = solid(node)
    base = VALUES[kids[0].kind_id](w, kids[0])
    if w.name_kind == TYPE and w.source[kids[0].start_byte : kids[0].end_byte].endswith(b"Literal"):
        return base
    if len(kids) == 2:
        held = -1
        if w.flow.paths:
            path = path_of(w, node)
            held = w.env.get(path, -1) if path is not None else -1
        expr = w.put(forms.SUBSCRIPT, base, VALUES[kids[1].kind_id](w, kids[1]), held)
        return expr if w.name_kind == TYPE or base < 0 or held >= 0 else w.use(kids[0].end_byte, expr)
    indexes = [VALUES[index.kind_id](w, index) for index in kids[1:]]
    return w.put(forms.SUBSCRIPT, base, w.put(forms.DISPLAY, forms.TUPLE, len(indexes), *indexes), -1)


@value_of("slice")
def value_slice(w: Walk, node: Node) -> int:
    """`1:2` as an index: its bounds, where they are numbers."""
    bounds = [w.put_once(forms.ATOM, forms.NONE)] * 3
    index = 0
    for child in node.children:
        if child.type == ":":
            index += 1
        elif child.kind_id != COMMENT and index < len(bounds):
            bounds[index] = VALUES[child.kind_id](w, child)
    is_known = all(expr >= 0 and w.ir[expr] in (forms.NUMBER, forms.ATOM) for expr in bounds)
    row = w.put_once(forms.DISPLAY, forms.TUPLE, 3, *bounds) if is_known else -1
    return w.put_once(forms.WRAP, forms.SLICE, row)


@value_of("generic_type")
def value_generic(w: Walk, node: Node) -> int:
    """`list[int]` in an annotation, as far as its syntax is not that of a subscript."""
    base, *rest = solid(node)
    expr = VALUES[base.kind_id](w, base)
    if w.source[base.start_byte : base.end_byte].endswith(b"Literal"):
        return expr
    indexes = [value_parenthesised(w, index) for part in rest for index in solid(part)]
    index = indexes[0] if len(indexes) == 1 else w.put(forms.DISPLAY, forms.TUPLE, len(indexes), *indexes)
    return w.put(forms.SUBSCRIPT, expr, index, -1)


FOR_CLAUSE = kind_id("for_in_clause")


@value_of("named_expression")
def value_walrus(w: Walk, node: Node) -> int:
    """`name := value` binds in the function around, also from inside a comprehension."""
    kids = solid(node)
    if len(kids) != 2:
        visit_children(w, node)
        return -1
    expr = VALUES[kids[1].kind_id](w, kids[1])
    start = kids[0].start_byte
    name = w.source[start : kids[0].end_byte]
    scope = holder(w.scope)
    bind(scope, name, (ASSIGNED, expr, node.end_byte, scope.conditional > 0))
    inner, w.scope = w.scope, scope
    assign(w, name, expr)
    w.scope = inner
    w.assigns.append(Assign(w.owner, w.target(name), expr, start, PLAIN))
    return expr


@value_of("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def value_comprehension(w: Walk, node: Node) -> int:
    """A comprehension: a scope of its own, inlined in the definition around it."""
    outer = around = w.scope
    inner = w.scope = Scope(INNER, outer, w.owner)
    element: Node | None = None
    mark = len(w.flow.trail)
    for child in node.named_children:
        if child.kind_id == FOR_CLAUSE:
            _for_clause(w, child, around)
            around = inner
        elif element is None and child.kind_id != COMMENT:
            element = child
        else:
            visit_children(w, child)
    expr = VALUES[element.kind_id](w, element) if element is not None else -1
    w.scope = outer
    for name, held in undo(w, mark).items():
        if name not in inner.names and held is not None:  # a walrus binds outside
            assign(w, name, held)
    return w.put(forms.WRAP, forms.ELEMENT, expr)


@value_of("pair")
def value_pair(w: Walk, node: Node) -> int:
    """The element of a dict comprehension: its values under its keys."""
    expr = -1
    for child in solid(node):
        expr = VALUES[child.kind_id](w, child)
    return expr


def _for_clause(w: Walk, node: Node, around: Scope) -> None:
    """One `for` of a comprehension; the first one's iterable is evaluated around it."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        visit_children(w, node)
        return
    inner, w.scope = w.scope, around
    expr = VALUES[right.kind_id](w, right)
    w.scope = inner
    is_async = w.source.startswith(b"async", node.start_byte)
    item = w.use(left.start_byte, w.put(forms.ITEM, w.marked(expr, is_async))) if expr >= 0 else -1
    target = assign_names(w, left, item)
    w.assigns.append(Assign(w.owner, target, expr, left.start_byte, ITERATED))


def assign_names(w: Walk, node: Node, value: int, at: int = -1) -> int:
    """Binds every plain name of a target pattern to its part of a value; returns the pattern as a value.

    The names are bound from `at` on: behind an iterable that comes after its target.
    """
    kind = node.kind_id
    if kind == IDENTIFIER:
        start = node.start_byte
        text = w.source[start : node.end_byte]
        bind(w.scope, text, (ASSIGNED, value, max(at, start), w.scope.conditional > 0))
        assign(w, text, value)
        return w.target(text)
    if kind in ATTRIBUTES or kind in _SUBSCRIPTS:
        return VALUES[kind](w, node)
    targets = [child for child in node.named_children if child.kind_id != COMMENT]
    single = kind in _SPLAT_PATTERNS or (kind in _WRAPPERS and len(targets) == 1)
    given = [value] * len(targets) if single else unpacked(w, targets, value)
    parts = [assign_names(w, child, part, at) for child, part in zip(targets, given, strict=True)]
    if kind in _SPLAT_PATTERNS:
        return w.put(forms.WRAP, forms.STARRED, parts[0] if parts else -1)
    if kind in _WRAPPERS and len(parts) == 1:
        return parts[0]
    return w.put(forms.DISPLAY, forms.TUPLE, len(parts), *parts)


_SUBSCRIPTS = frozenset(kind_ids("subscript"))
_SPLAT_PATTERNS = frozenset(kind_ids("list_splat_pattern") + kind_ids("list_splat"))
_WRAPPERS = frozenset(kind_ids("parenthesized_expression") + kind_ids("as_pattern_target"))
