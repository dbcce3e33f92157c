"""Expressions that bind names: comprehensions, which have a scope of their own, and `name := value`.

The targets of other statements are bound here too, where they are no assignments.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.flow import assign, undo
from keel.languages.python.extract.names import ATTRIBUTES, COMMENT, IDENTIFIER, solid
from keel.languages.python.extract.scopes import INNER, Scope, bind, holder
from keel.languages.python.extract.targets import unpacked
from keel.languages.python.extract.walk import VALUES, Walk, value_of, visit_children
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model.facts import ASSIGNED, ITERATED, PLAIN, Assign

FOR_CLAUSE = kind_id("for_in_clause")


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
    bind(scope, name, (ASSIGNED, place, node.end_byte, scope.conditional > 0))
    inner, w.scope = w.scope, scope
    assign(w, name, place)
    w.scope = inner
    w.assigns.append(Assign(w.owner, w.target(name), place, start, PLAIN))
    return place


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
    place = VALUES[element.kind_id](w, element) if element is not None else -1
    w.scope = outer
    for name, held in undo(w, mark).items():
        if name not in inner.names and held is not None:  # a walrus binds outside
            assign(w, name, held)
    return w.put(forms.WRAP, forms.ELEMENT, place)


@value_of("pair")
def value_pair(w: Walk, node: Node) -> int:
    """The element of a dict comprehension: what it holds under its keys."""
    place = -1
    for child in solid(node):
        place = VALUES[child.kind_id](w, child)
    return place


def _for_clause(w: Walk, node: Node, around: Scope) -> None:
    """One `for` of a comprehension; the first one's iterable is evaluated around it."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        visit_children(w, node)
        return
    inner, w.scope = w.scope, around
    place = VALUES[right.kind_id](w, right)
    w.scope = inner
    is_async = w.source.startswith(b"async", node.start_byte)
    item = w.use(left.start_byte, w.put(forms.ITEM, w.marked(place, is_async))) if place >= 0 else -1
    target = assign_names(w, left, item)
    w.assigns.append(Assign(w.owner, target, place, left.start_byte, ITERATED))


def assign_names(w: Walk, node: Node, value: int, at: int = -1) -> int:
    """Binds every plain name of a target pattern to its part of a value; the pattern as a value.

    The names are bound from `at` on: behind an iterable that stands after its target.
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
