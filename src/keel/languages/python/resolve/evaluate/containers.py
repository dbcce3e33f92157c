"""Containers: elements of lists, tuples, sets and dicts, of generators, and of objects that behave like them.

Literal keys and indexes are followed one by one; where they are not known, every element may be meant. What the
elements evaluate to is left to `evaluator`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    DISPLAY,
    ENTRIES,
    FUNCTION,
    GENERATOR,
    INSTANCE,
    ITEMS,
    MADE_OUTSIDE,
    MANY,
    METHOD,
    NONE,
    OUTSIDE,
    ROW,
    TEXT,
    TOO_MANY,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.arguments import Arguments, of_abstract_values
from keel.languages.python.resolve.evaluate.members import attribute, is_enum, owners_of, special, tuple_fields
from keel.languages.python.resolve.evaluate.returns import NO_ARGUMENTS, handed_back, yielded

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate.arguments import PassedArgument
    from keel.languages.python.resolve.evaluate.evaluation import Evaluation


def elements(e: Evaluation, whole: AbstractValue, is_async: bool = False) -> AbstractValues:
    """The elements that iterating over a value yields."""
    sort = whole[0]
    if sort == DISPLAY:
        return e.lookup.remember(("E", *whole, e.frame), NONE, _of_display, e, *whole[1:])
    if sort == ITEMS:
        return tuple(whole[1])
    if sort == MANY:
        return TOO_MANY
    if sort == CLASS:
        return ((INSTANCE, *whole[1:]),) if is_enum(e, whole) else NONE
    if sort == ROW:
        return join(whole[1:])
    if sort == GENERATOR:
        return yielded(e, whole)
    if sort == INSTANCE:
        return _iterated(e, whole, is_async)
    return NONE


def _of_display(e: Evaluation, file: int, expr: int) -> AbstractValues:
    ir = e.source(file).ir
    parts = forms.operands(ir, expr)
    if ir[expr + 1] == forms.DICT:
        return e.all(file, parts[::2])
    return join(_parts(e, file, part) for part in parts)


def _parts(e: Evaluation, file: int, expr: int) -> AbstractValues:
    """A part of a display; a starred one yields all its elements."""
    ir = e.source(file).ir
    if expr >= 0 and ir[expr] == forms.WRAP and ir[expr + 1] == forms.STARRED:
        return join(elements(e, value) for value in e.evaluate(file, ir[expr + 2]))
    return e.evaluate(file, expr)


def _iterated(e: Evaluation, whole: AbstractValue, is_async: bool) -> AbstractValues:
    found: list[AbstractValues] = []
    begin, step = ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__")
    for iterator in called(e, whole, begin):
        if iterator[0] == INSTANCE:
            found.append(called(e, iterator, step))
        else:
            found.append(elements(e, iterator))
    return join(found)


def called(e: Evaluation, owner: AbstractValue, name: str, arguments: Arguments = NO_ARGUMENTS) -> AbstractValues:
    """The result of a method of a value, when it is called with no known arguments."""
    methods = [method for method in special(e, owner, name) if method[0] == METHOD]
    return join(handed_back(e, method[1], method[2], method[3], arguments) for method in methods)


def entered(e: Evaluation, manager: AbstractValue, is_async: bool = False) -> AbstractValues:
    """What `with` binds for a manager."""
    if manager[0] == GENERATOR:
        return yielded(e, manager)
    if manager[0] == INSTANCE:
        return called(e, manager, "__aenter__" if is_async else "__enter__")
    return (manager,) if manager[0] == MADE_OUTSIDE else NONE


def held(e: Evaluation, whole: AbstractValue) -> AbstractValues:
    """The elements under all keys or indexes of a value."""
    sort = whole[0]
    if sort == DISPLAY:
        return e.lookup.remember(("H", *whole, e.frame), NONE, _held, e, whole)
    if sort == ITEMS:
        return tuple(whole[2])
    if sort == ENTRIES:
        return join(values for _, values in whole[1])
    return join(whole[1:]) if sort == ROW else NONE


def _held(e: Evaluation, whole: AbstractValue) -> AbstractValues:
    _, file, expr = whole
    ir = e.source(file).ir
    if ir[expr + 1] != forms.DICT:
        return elements(e, whole)
    parts = forms.operands(ir, expr)
    return join(_entry(e, file, part) for part in parts[1::2])


def _entry(e: Evaluation, file: int, expr: int) -> AbstractValues:
    ir = e.source(file).ir
    if expr >= 0 and ir[expr] == forms.WRAP and ir[expr + 1] == forms.DOUBLE_STARRED:
        return join(held(e, value) for value in e.evaluate(file, ir[expr + 2]))
    return e.evaluate(file, expr)


def rest(e: Evaluation, whole: AbstractValue, index: int, after: int) -> AbstractValues:
    """The starred rest of an unpacked value: all but so many before and after it."""
    if whole[0] == ROW:
        kept = join(whole[1:][index : len(whole) - 1 - after])
        return ((ITEMS, kept, kept),)
    if whole[0] == DISPLAY:
        _, file, expr = whole
        ir = e.source(file).ir
        parts = forms.operands(ir, expr)
        if ir[expr + 1] in (forms.LIST, forms.TUPLE) and not any(_is_starred(ir, item) for item in parts):
            kept = e.all(file, parts[index : len(parts) - after])
            return ((ITEMS, kept, kept),)
    found = elements(e, whole)
    return ((ITEMS, found, found),)


def part(e: Evaluation, whole: AbstractValue, index: int) -> AbstractValues:
    """One part of an unpacked value."""
    sort = whole[0]
    if sort == ROW:
        row = whole[1:]
        return row[index] if -len(row) <= index < len(row) else NONE
    if sort == INSTANCE and (fields := tuple_fields(e, whole)):
        return attribute(e, whole, fields[index]) if -len(fields) <= index < len(fields) else NONE
    if sort == DISPLAY:
        _, file, expr = whole
        ir = e.source(file).ir
        parts = forms.operands(ir, expr)
        known = ir[expr + 1] in (forms.LIST, forms.TUPLE) and not any(_is_starred(ir, item) for item in parts)
        if known:
            return e.evaluate(file, parts[index]) if -len(parts) <= index < len(parts) else NONE
    return elements(e, whole)


def _is_starred(ir: list[int], expr: int) -> bool:
    return expr >= 0 and ir[expr] == forms.WRAP


def grown(e: Evaluation, file: int, exprs: Iterable[int]) -> AbstractValues:
    """The elements added to a container, as containers: under keys that are known, or as some element."""
    ir = e.source(file).ir
    keyed = [expr for expr in exprs if ir[expr] == forms.GROWN]
    found = e.all(file, [expr for expr in exprs if ir[expr] != forms.GROWN])
    return join([e.all(file, keyed), ((ITEMS, found, found),) if found else NONE])


MAKING = frozenset("|^&-*")
"""Operators that make containers out of containers, `+` apart."""


def combined(e: Evaluation, sign: str, left: AbstractValues, right: AbstractValues) -> AbstractValues:
    """The result of an operator on built-in containers, or on the classes of an annotation."""
    if sign == "|" and len(left) == 1 and len(right) == 1:
        old, new = _entries(e, left[0]), _entries(e, right[0])
        if old is not None and new is not None:  # the right side wins
            return ((ENTRIES, tuple({**old, **new}.items())),)
    if sign not in MAKING:
        return NONE
    kept = join([left, right]) if sign in ("|", "^") else left
    return tuple(value for value in kept if value[0] in (DISPLAY, ITEMS, ROW, ENTRIES, CLASS, OUTSIDE))


def _entries(e: Evaluation, whole: AbstractValue) -> dict[str, AbstractValues] | None:
    """The entries of a dict, if all its keys are known."""
    if whole[0] == ENTRIES:
        return dict(whole[1])
    if whole[0] != DISPLAY or not _is_dict(e, whole):
        return None
    _, file, expr = whole
    parts = forms.operands(e.source(file).ir, expr)
    keys = [key_at(e, file, key) for key in parts[::2]]
    if None in keys:
        return None
    return {str(key): e.evaluate(file, value) for key, value in zip(keys, parts[1::2], strict=True)}


# keys


def key_at(e: Evaluation, file: int, expr: int) -> str | None:
    """The key that an expression of a file denotes, as a text that is unique to it; None when it is not known."""
    if expr < 0:
        return None
    source = e.source(file)
    ir = source.ir
    op = ir[expr]
    if op == forms.NUMBER:
        return NOT_TEXT + source.strings[ir[expr + 1]]
    if op == forms.ATOM:
        return NOT_TEXT + forms.ATOMS[ir[expr + 1]]
    if op in DOTTED:
        owners, name = owners_of(e, file, expr)
        if len(owners) == 1 and owners[0][0] == CLASS and is_enum(e, owners[0]):
            return f"{NOT_TEXT}{e.source(owners[0][1]).label(owners[0][2])}.{name}"
    return key_of(e, e.evaluate(file, expr))


def key_of(e: Evaluation, values: AbstractValues) -> str | None:
    """The key that values denote, when there is one."""
    if len(values) != 1:
        return None
    sort = values[0][0]
    if sort == TEXT:
        return str(values[0][1])
    if sort in (CLASS, FUNCTION):
        return NOT_TEXT + e.source(values[0][1]).label(values[0][2])
    return None


NOT_TEXT = "\0"
"""Prefix of keys that are no texts, so that none is taken for one."""
DOTTED = (forms.CHAIN, forms.BOUND, forms.ATTR)


def element(e: Evaluation, whole: AbstractValue, file: int, key: int) -> AbstractValues:
    """`whole[key]`, the key being an expression of a file."""
    if _is_ruled_out(e, file, key):
        return NONE
    sort = whole[0]
    if sort == CLASS:
        return ((INSTANCE, *whole[1:]),) if is_enum(e, whole) else (whole,)
    if sort == INSTANCE:
        return _of_instance(e, whole, file, key)
    ir = e.source(file).ir
    if key >= 0 and ir[key] == forms.WRAP and ir[key + 1] == forms.SLICE:
        return _slice(e, whole, file, ir[key + 2])
    if key >= 0 and ir[key] == forms.NUMBER and not _is_dict(e, whole):
        text = e.source(file).strings[ir[key + 1]]
        return part(e, whole, int(text)) if text.lstrip("-").isdecimal() and len(text) < 9 else held(e, whole)
    return entry(e, whole, key_at(e, file, key))


def _is_ruled_out(e: Evaluation, file: int, key: int) -> bool:
    """Whether a key is a text where `isinstance` has said that it is none: `x["a"]` in a branch for numbers."""
    ir = e.source(file).ir
    asked: list[tuple[int, int]] = []
    while key >= 0:
        if ir[key] == forms.BOUND and ir[key + 3] == 0:
            key = ir[key + 2]
        elif ir[key] in (forms.NARROWED, forms.EXCLUDED):
            asked.append((ir[key], ir[key + 2]))
            key = ir[key + 1]
        else:
            break
    if not asked:
        return False
    given = e.evaluate(file, key)
    if not given or any(value[0] != TEXT for value in given):
        return False
    return any(_excludes_text(e, op == forms.NARROWED, e.evaluate(file, classes)) for op, classes in asked)


def _excludes_text(e: Evaluation, is_instance: bool, classes: AbstractValues) -> bool:
    every = join(elements(e, one) if one[0] == DISPLAY else (one,) for one in classes)
    names = [one[1] if one[0] == OUTSIDE else "" for one in every]
    return (bool(names) and all(name in NO_TEXTS for name in names)) if is_instance else TEXTS in names


TEXTS = "builtins.str"
NO_TEXTS = frozenset(
    f"builtins.{name}"
    for name in ("int", "slice", "tuple", "list", "dict", "set", "frozenset", "bool", "float", "bytes")
)


def _of_instance(e: Evaluation, whole: AbstractValue, file: int, key: int) -> AbstractValues:
    """An element of an object: the result of its class's method; of a named tuple, a field."""
    ir = e.source(file).ir
    if key >= 0 and ir[key] == forms.NUMBER:
        text = e.source(file).strings[ir[key + 1]]
        fields = tuple_fields(e, whole)
        if fields and text.lstrip("-").isdecimal() and -len(fields) <= int(text) < len(fields):
            return attribute(e, whole, fields[int(text)])
    given = e.evaluate(file, key)
    arguments = of_abstract_values(given) if given and all(value[0] == TEXT for value in given) else NO_ARGUMENTS
    return called(e, whole, "__getitem__", arguments)


def _is_dict(e: Evaluation, whole: AbstractValue) -> bool:
    if whole[0] == DISPLAY:
        return bool(e.source(whole[1]).ir[whole[2] + 1] == forms.DICT)
    return bool(whole[0] == ENTRIES)


def _slice(e: Evaluation, whole: AbstractValue, file: int, bounds: int) -> AbstractValues:
    """A slice of a container; exactly that when both the bounds and the parts are known."""
    parts = _row(e, whole)
    if parts is None or bounds < 0:
        found = elements(e, whole)
        return ((ITEMS, found, found),) if found else NONE
    source = e.source(file)
    limits = [
        int(source.strings[source.ir[expr + 1]]) if _is_number(source.ir, expr) else None
        for expr in forms.operands(source.ir, bounds)
    ]
    return ((ROW, *parts[slice(*limits)]),) if limits[2] != 0 else NONE


def _row(e: Evaluation, whole: AbstractValue) -> tuple[AbstractValues, ...] | None:
    """The parts of a list or tuple, if they are known one by one."""
    if whole[0] == ROW:
        return whole[1:]
    if whole[0] != DISPLAY:
        return None
    _, file, expr = whole
    ir = e.source(file).ir
    exprs = forms.operands(ir, expr)
    if ir[expr + 1] not in (forms.LIST, forms.TUPLE) or any(_is_starred(ir, item) for item in exprs):
        return None
    return tuple(e.evaluate(file, item) for item in exprs)


def entry(e: Evaluation, whole: AbstractValue, key: str | None) -> AbstractValues:
    """The element under a key: that entry of a dict when the key is known, else any."""
    if whole[0] == ENTRIES and key is not None:
        return next((values for name, values in whole[1] if name == key), NONE)
    if key is None or whole[0] != DISPLAY or not _is_dict(e, whole):
        return held(e, whole)
    _, file, expr = whole
    return e.lookup.remember(("K", *whole, e.frame, key), NONE, _named, e, file, expr, key)


def _named(e: Evaluation, file: int, expr: int, key: str) -> AbstractValues:
    """The entry of a dict under a key; of several the last counts."""
    ir = e.source(file).ir
    parts = forms.operands(ir, expr)
    found: list[AbstractValues] = []
    for at, value in reversed(list(zip(parts[::2], parts[1::2], strict=False))):
        if value >= 0 and ir[value] == forms.WRAP and ir[value + 1] == forms.DOUBLE_STARRED:
            inner = join(entry(e, abstract_value, key) for abstract_value in e.evaluate(file, ir[value + 2]))
            if inner:
                return join([*found, inner])
            continue
        known = key_at(e, file, at)
        if known == key:
            return join([*found, e.evaluate(file, value)])
        if known is None:
            found.append(_entry(e, file, value))
    return join(found)


def _is_number(ir: Sequence[int], expr: int) -> bool:
    return expr >= 0 and ir[expr] == forms.NUMBER


# methods of built-in containers


def method(e: Evaluation, name: str, whole: AbstractValue, arguments: Sequence[PassedArgument]) -> AbstractValues:
    """The result of a method of a built-in container."""
    if name in ("get", "pop", "setdefault", "__getitem__"):
        return _got(e, whole, arguments)
    if name in ("popleft", "popitem"):
        return held(e, whole)
    if name == "values":
        found = held(e, whole)
        return ((ITEMS, found, found),)
    if name == "items":
        return ((ITEMS, ((ROW, elements(e, whole), held(e, whole)),), NONE),)
    if name in ("keys", "__iter__"):
        found = elements(e, whole)
        return ((ITEMS, found, found),)
    return (whole,) if name == "copy" else NONE


def _got(e: Evaluation, whole: AbstractValue, arguments: Sequence[PassedArgument]) -> AbstractValues:
    """`d.get(key, default)` and the like."""
    if not arguments:
        return held(e, whole)
    first = arguments[0]
    key = key_of(e, e.given(first)) if first.expr < 0 else key_at(e, first.file, first.expr)
    is_index = first.expr >= 0 and _is_number(e.source(first.file).ir, first.expr)
    found = held(e, whole) if is_index and not _is_dict(e, whole) else entry(e, whole, key)
    is_known = whole[0] == DISPLAY and bool(found) and key is not None
    return found if is_known or len(arguments) < 2 else join([found, e.given(arguments[1])])
