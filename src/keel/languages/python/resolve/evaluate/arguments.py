"""Arguments: what a CALL expression passes, and which parameter of a function gets which argument.

Stars are expanded as far as values are known. The rules by which an argument reaches a parameter are in `parameters`;
whether a call fits at all is left to binding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate.abstract_values import (
    DISPLAY,
    ENTRIES,
    ITEMS,
    NONE,
    ROW,
    TEXT,
    AbstractValues,
    Frame,
    join,
)
from keel.languages.python.resolve.parameters import Taking, by_name, by_position
from keel.model.facts import Param
from keel.model.kinds import ParamKind

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate.evaluation import Evaluation


class PassedArgument(Struct, frozen=True):
    """One argument: an expression of a file, as seen in a frame, or abstract values that are known already."""

    name: str = ""
    """Its keyword."""
    file: int = -1
    expr: int = -1
    frame: Frame | None = None
    abstract_values: AbstractValues | None = None
    is_many: bool = False
    """Whether it represents any number of arguments."""


class Arguments(Struct, frozen=True):
    """The arguments of a call."""

    positional: tuple[PassedArgument, ...] = ()
    keywords: tuple[tuple[str, PassedArgument], ...] = ()
    rest: tuple[PassedArgument, ...] = ()
    """Arguments at any further position, or under any keyword."""
    is_open: bool = False
    """Whether there may be more than is known."""


def of_abstract_values(*values: AbstractValues) -> Arguments:
    """Arguments that are abstract values already."""
    return Arguments(tuple(PassedArgument(abstract_values=given) for given in values))


def of_call(e: Evaluation, file: int, expr: int) -> Arguments:
    """The arguments of a CALL expression."""
    source = e.source(file)
    ir = source.ir
    npos, nkw = ir[expr + 4], ir[expr + 5]
    at = expr + 6
    positional: list[PassedArgument] = []
    rest: list[PassedArgument] = []
    is_open = False
    for _ in range(npos):
        value = ir[at]
        if value >= 0 and ir[value] == forms.WRAP and ir[value + 1] == forms.STARRED:
            parts = _row(e, file, ir[value + 2])
            if parts is not None and not is_open:
                positional += parts
            else:
                is_open = True
                elements = join(e.elements(abstract_value) for abstract_value in e.evaluate(file, ir[value + 2]))
                rest.append(PassedArgument(abstract_values=elements, is_many=True))
        elif is_open:
            rest.append(PassedArgument("", file, value, e.frame))
        else:
            positional.append(PassedArgument("", file, value, e.frame))
        at += 3
    keywords: list[tuple[str, PassedArgument]] = []
    for _ in range(nkw):
        if ir[at] >= 0:
            name = source.strings[ir[at]]
            keywords.append((name, PassedArgument(name, file, ir[at + 1], e.frame)))
        else:
            entries = _entries(e, file, ir[at + 1])
            keywords += entries or []
            is_open = is_open or entries is None
        at += 4
    return Arguments(tuple(positional), tuple(keywords), tuple(rest), is_open)


def _row(e: Evaluation, file: int, expr: int) -> list[PassedArgument] | None:
    """The parts of a list or tuple whose parts are known."""
    found = e.evaluate(file, expr)
    if len(found) == 1 and found[0][0] == ROW:
        return [PassedArgument(abstract_values=part) for part in found[0][1:]]
    if len(found) != 1 or found[0][0] != DISPLAY:
        return None
    _, owner, at = found[0]
    ir = e.source(owner).ir
    if ir[at + 1] not in (forms.LIST, forms.TUPLE):
        return None
    parts = forms.operands(ir, at)
    if any(part >= 0 and ir[part] == forms.WRAP for part in parts):
        return None
    return [PassedArgument("", owner, part, e.frame) for part in parts]


def _entries(e: Evaluation, file: int, expr: int) -> list[tuple[str, PassedArgument]] | None:
    """The entries of a dict whose keys are known."""
    ir = e.source(file).ir
    inner = ir[expr + 2] if expr >= 0 and ir[expr] == forms.WRAP else -1
    found = e.evaluate(file, inner)
    if found and all(abstract_value[0] == ENTRIES for abstract_value in found):
        return [
            (name, PassedArgument(name, abstract_values=values))
            for abstract_value in found
            for name, values in abstract_value[1]
        ]
    if len(found) != 1 or found[0][0] != DISPLAY:
        return None
    _, owner, at = found[0]
    ir = e.source(owner).ir
    if ir[at + 1] != forms.DICT:
        return None
    parts = forms.operands(ir, at)
    entries: list[tuple[str, PassedArgument]] = []
    for key, value in zip(parts[::2], parts[1::2], strict=False):
        name = e.evaluate(owner, key)
        if len(name) != 1 or name[0][0] != TEXT:
            return None
        entries.append((name[0][1], PassedArgument(name[0][1], owner, value, e.frame)))
    return entries


def assigned(takes: Taking, arguments: Arguments, skip: int) -> dict[int, list[PassedArgument]]:
    """The arguments of each parameter (by index); the first `skip` ones are the receiver's."""
    given: dict[int, list[PassedArgument]] = {}
    for index, argument in zip(by_position(takes, len(arguments.positional), skip), arguments.positional, strict=False):
        given.setdefault(index, []).append(argument)
    for name, argument in arguments.keywords:
        index = by_name(takes, name)
        if index >= skip:
            given.setdefault(index, []).append(argument)
    if arguments.rest:
        for index in (*takes.positional, takes.star):
            if index >= skip and index not in given:
                given[index] = list(arguments.rest)
    return given


def packed(e: Evaluation, kind: ParamKind, given: list[PassedArgument]) -> AbstractValues:
    """What a parameter holds that gets these arguments: `*args` a ROW, `**kwargs` ENTRIES."""
    if kind == ParamKind.VAR_POSITIONAL:
        parts = [e.given(argument) for argument in given]
        if any(argument.is_many for argument in given):
            elements = join(parts)
            return ((ITEMS, elements, elements),) if elements else NONE
        return ((ROW, *parts),) if any(parts) else NONE
    if kind == ParamKind.VAR_KEYWORD:
        entries = tuple((argument.name, values) for argument in given if (values := e.given(argument)))
        return ((ENTRIES, entries),) if entries else NONE
    return e.given(given[0]) if len(given) == 1 else join(e.given(argument) for argument in given)


def omitted(params: list[Param], given: dict[int, list[PassedArgument]], arguments: Arguments, skip: int) -> list[int]:
    """The parameters that keep their default in a call."""
    if arguments.is_open:
        return []
    return [index for index, param in enumerate(params) if index >= skip and param.value >= 0 and index not in given]
