"""Returns: the result of a function for certain arguments.

By its annotation where that names a class of the workspace, else by what its body returns. A function whose result
depends on its parameters is evaluated anew for its arguments; others are evaluated once. Which parameters a result
depends on is left to `lookup/sources.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate import types
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    DISPLAY,
    GENERATOR,
    NONE,
    TEXT,
    AbstractValue,
    AbstractValues,
    Frame,
    join,
)
from keel.languages.python.resolve.evaluate.arguments import Arguments, assigned, omitted, packed
from keel.model.facts import GENERATOR as IS_GENERATOR
from keel.model.facts import RETURNED, YIELDED_FROM

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate.evaluation import Evaluation

LITERALS = frozenset((forms.STRING, forms.FORMAT, forms.NUMBER, forms.ATOM, forms.OTHER))
NO_ARGUMENTS = Arguments(is_open=True)
SELF = frozenset(("Self", "typing.Self", "typing_extensions.Self", "t.Self"))


def handed_back(
    e: Evaluation, file: int, function: int, receiver: AbstractValue | None, arguments: Arguments = NO_ARGUMENTS
) -> AbstractValues:
    """The result of a function."""
    source = e.source(file)
    definition = source.defs[function]
    e.note_function(file, function)
    signature = definition.signature
    if signature is not None and signature.type >= 0:
        if receiver is not None and source.strings[signature.returns].strip("\"'") in SELF:
            return types.instance_of(receiver) if receiver[0] == CLASS else (receiver,)
        declared = e.without_frame(types.instances, e, file, signature.type)
        if declared:
            return declared
    frame = _frame(e, file, function, receiver, arguments)
    if definition.flags & IS_GENERATOR:
        return ((GENERATOR, file, function, frame),)
    return e.lookup.deeper(NONE, _inside, e, file, function, frame, RETURNED)


def yielded(e: Evaluation, generator: AbstractValue) -> AbstractValues:
    """The elements that iterating over a generator yields."""
    return e.lookup.deeper(NONE, e.lookup.remember, ("Y", *generator), NONE, _yielded, e, *generator[1:])


def returned(e: Evaluation, generator: AbstractValue) -> AbstractValues:
    """The value that a generator returns at its end, to `yield from`."""
    return e.lookup.deeper(NONE, _inside, e, *generator[1:], RETURNED)


def _yielded(e: Evaluation, file: int, function: int, frame: Frame | None) -> AbstractValues:
    source = e.source(file)
    exprs = [expr for expr, how in source.returns.get(function, ()) if how == YIELDED_FROM]
    direct = _inside(e, file, function, frame, None)
    inner = _evaluated(e, file, exprs, frame)
    return join([direct, *(e.elements(value) for value in inner)])


def _inside(e: Evaluation, file: int, function: int, frame: Frame | None, how: int | None) -> AbstractValues:
    """The values of a function's body that it returns, or (None) yields."""
    source = e.source(file)
    wanted = [
        expr
        for expr, kind in source.returns.get(function, ())
        if kind == how or (how is None and kind not in (RETURNED, YIELDED_FROM))
    ]
    return _evaluated(e, file, wanted, frame)


def _evaluated(e: Evaluation, file: int, exprs: list[int], frame: Frame | None) -> AbstractValues:
    if not exprs:
        return NONE
    outer, e.frame = e.frame, frame
    try:
        return e.all(file, exprs)
    finally:
        e.frame = outer


def _frame(
    e: Evaluation, file: int, function: int, receiver: AbstractValue | None, arguments: Arguments
) -> Frame | None:
    """The arguments of the parameters that the result depends on; None when nothing is known of them."""
    source = e.source(file)
    needs = source.needs(function)
    if not needs.values:
        return None
    definition = source.defs[function]
    params = definition.signature.params if definition.signature else []
    given = assigned(source.takes(function), arguments, 1 if receiver is not None else 0)
    values: list[AbstractValues | None] = [None] * len(params)
    for index in needs.values:
        if index == 0 and receiver is not None:
            values[0] = (receiver,)
        elif index in given:
            values[index] = _telling(e, packed(e, params[index].kind, given[index]), index in needs.keys) or None
    for index in omitted(params, given, arguments, 1 if receiver is not None else 0):
        if index in needs.values:
            default = e.without_frame(e.evaluate, file, params[index].value)
            values[index] = _telling(e, default, index in needs.keys) or None
    return (file, function, tuple(values)) if any(value is not None for value in values) else None


def _telling(e: Evaluation, values: AbstractValues, is_key: bool) -> AbstractValues:
    """Abstract values that may make a difference: no texts but for keys, no containers of literals.

    The frames that some carry are left out, since they would grow with each other.
    """
    kept: list[AbstractValue] = []
    for value in values:
        sort = value[0]
        if sort == GENERATOR:
            kept.append((GENERATOR, *value[1:3], None))
        elif sort == TEXT:
            if is_key:
                kept.append(value)
        elif sort != DISPLAY or _holds_any(e.source(value[1]).ir, value[2]):
            kept.append(value)
    return join([tuple(kept)])


def _holds_any(ir: Sequence[int], expr: int) -> bool:
    """Whether a container as written out holds anything but literals."""
    return any(
        part >= 0 and ir[part] not in LITERALS and (ir[part] != forms.DISPLAY or _holds_any(ir, part))
        for part in forms.operands(ir, expr)
    )
