"""Types: the abstract values that an annotation declares.

Only annotations that name classes of the workspace, alone or in containers, say anything here. Type variables,
protocols and types from outside are left to type checkers.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    INSTANCE,
    ITEMS,
    MADE_OUTSIDE,
    NONE,
    OUTSIDE,
    ROW,
    TEXT,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.standard_library import PROTOCOLS, TYPED_DICTS, last_names

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate.evaluation import Evaluation

WHAT_IT_HOLDS = frozenset(
    [
        "Optional",
        "Union",
        "Annotated",
        "ClassVar",
        "Final",
        "Required",
        "NotRequired",
        "ReadOnly",
        "InitVar",
        "Awaitable",
        "Coroutine",
        "TypeGuard",
    ]
)
"""Forms that mean their content, or one part of it."""
ITERABLES = frozenset(
    [
        "list",
        "set",
        "frozenset",
        "deque",
        "List",
        "Set",
        "FrozenSet",
        "Deque",
        "Iterable",
        "Iterator",
        "Sequence",
        "MutableSequence",
        "Collection",
        "AbstractSet",
        "MutableSet",
        "Generator",
        "AsyncIterator",
        "AsyncIterable",
        "AsyncGenerator",
        "Reversible",
        "KeysView",
        "ValuesView",
        "QuerySet",
    ]
)
MAPPINGS = frozenset(
    ["dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict", "ItemsView", "Counter"]
)
TUPLES = frozenset(("tuple", "Tuple"))
TYPES = frozenset(("type", "Type"))
TYPED_DICT_NAMES, PROTOCOL_NAMES = last_names(TYPED_DICTS), last_names(PROTOCOLS)


def instances(e: Evaluation, file: int, expr: int) -> AbstractValues:
    """The abstract values of an annotation, as far as classes of the workspace go; none otherwise."""
    if expr < 0:
        return NONE
    found = _expression(e, file, expr)
    return tuple(value for value in found if value[0] != MADE_OUTSIDE and not is_typed_dict(e, value))


def is_typed_dict(e: Evaluation, value: AbstractValue) -> bool:
    """Whether a class, or the class of an instance, only declares which keys a plain dict has."""
    return value[0] in (INSTANCE, CLASS) and not TYPED_DICT_NAMES.isdisjoint(e.lookup.base_names(value[1], value[2]))


def is_protocol(e: Evaluation, declared: AbstractValues) -> bool:
    """Whether nothing but protocols is declared: the argument is something else that fits."""
    return all(value[0] == INSTANCE and _is_protocol(e, value) for value in declared)


def _is_protocol(e: Evaluation, value: AbstractValue) -> bool:
    return not PROTOCOL_NAMES.isdisjoint(e.lookup.base_names(value[1], value[2]))


def instance_of(value: AbstractValue) -> AbstractValues:
    """An instance of a class."""
    if value[0] == CLASS:
        return ((INSTANCE, *value[1:]),)
    return ((MADE_OUTSIDE, value[1]),) if value[0] == OUTSIDE else NONE


def _expression(e: Evaluation, file: int, expr: int) -> AbstractValues:
    if expr < 0:
        return NONE
    source = e.source(file)
    ir = source.ir
    op = ir[expr]
    if op == forms.CHOICE or (op == forms.OPERATED and source.strings[ir[expr + 1]] == "|"):
        return join(_expression(e, file, part) for part in forms.operands(ir, expr))
    if op == forms.STRING:
        return _written(e, file, source.strings[ir[expr + 1]])
    if op == forms.SUBSCRIPT:
        return _subscript(e, file, ir[expr + 1], ir[expr + 2])
    if op in (forms.CHAIN, forms.BOUND, forms.ATTR):
        return join(instance_of(value) if value[0] != TEXT else NONE for value in e.evaluate(file, expr))
    return NONE


def _subscript(e: Evaluation, file: int, base: int, index: int) -> AbstractValues:
    source = e.source(file)
    ir = source.ir
    if ir[base] not in (forms.CHAIN, forms.BOUND) or index < 0:
        return NONE
    name = source.strings[ir[base + 1]].rpartition(".")[2]
    is_row = ir[index] == forms.DISPLAY and ir[index + 1] == forms.TUPLE
    parts = list(forms.operands(ir, index)) if is_row else [index]
    return _parametrised(name, [_expression(e, file, part) for part in parts], lambda: _expression(e, file, base))


def _parametrised(name: str, parts: list[AbstractValues], plain: object) -> AbstractValues:
    if name in TYPES:
        return tuple((CLASS, *value[1:]) for value in join(parts) if value[0] == INSTANCE)
    if name in ("Coroutine", "Annotated"):
        return parts[-1 if name == "Coroutine" else 0] if parts else NONE
    if name in WHAT_IT_HOLDS:
        return join(parts)
    if name in TUPLES:
        return ((ROW, *parts),)
    if name in ITERABLES and parts:
        return ((ITEMS, parts[0], parts[0]),) if parts[0] else NONE
    if name in MAPPINGS and len(parts) == 2:
        return ((ITEMS, *parts),) if any(parts) else NONE
    return plain() if callable(plain) else NONE


def _written(e: Evaluation, file: int, text: str) -> AbstractValues:
    """An annotation in quotes."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NONE
    return _tree(e, file, tree.body)


def _tree(e: Evaluation, file: int, node: ast.expr) -> AbstractValues:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _written(e, file, node.value)
    if isinstance(node, ast.BinOp):
        return join([_tree(e, file, node.left), _tree(e, file, node.right)])
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _parametrised(name, [_tree(e, file, part) for part in parts], lambda: _tree(e, file, node.value))
    if isinstance(node, ast.Name):
        return join(instance_of(value) for value in e.name(file, node.id))
    if isinstance(node, ast.Attribute):
        text = ast.unparse(node)
        if not text.replace(".", "").isidentifier():
            return NONE
        first, *rest = text.split(".")
        found = e.name(file, first)
        for name in rest:
            found = e.attributes(found, name)
        return join(instance_of(value) for value in found)
    return NONE
