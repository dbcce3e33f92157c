"""Argument flow: what the calls and stores of a file pass to the parameters and attributes of others.

Functions and classes flow, alone and in small containers, and within a file instances too: those of a whole project
would accumulate in sets too large to say anything, at twice the cost. Nothing flows out of tests: their arguments are
not what the code calls. Callees are found by `calls`; merging flows in a parameter is left to `fixpoint`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keel.languages.python import forms
from keel.languages.python.facts import Def
from keel.languages.python.resolve.evaluate import containers, members, types
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    DISPLAY,
    ENTRIES,
    FUNCTION,
    GENERATOR,
    INSTANCE,
    ITEMS,
    MANY,
    METHOD,
    NONE,
    PARTIAL,
    ROW,
    TEXT,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.arguments import (
    Arguments,
    PassedArgument,
    assigned,
    of_call,
    omitted,
    packed,
)
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.evaluate.returns import LITERALS
from keel.languages.python.resolve.inheritance import known
from keel.languages.python.resolve.lookup.keys import FIELDS
from keel.model.kinds import NodeKind, ParamKind

ArgumentFlow = dict[int, AbstractValues]
"""What flows out of a file, by slot."""
MADE = LITERALS | {forms.CALL, forms.ITEM, forms.ENTERED, forms.CAUGHT, forms.PART, forms.REST, forms.CONCAT}
STARRED = (ParamKind.VAR_POSITIONAL, ParamKind.VAR_KEYWORD)
MAX_PARTS = 16
MAX_DEPTH = 3


def is_worth(e: Evaluator, file: int, expr: int, target: tuple[int, int], receiver: AbstractValue | None) -> bool:
    """Whether a call can pass anything but literals."""
    ir = e.source(file).ir
    if expr < 0 or ir[expr] != forms.CALL or e.is_test(file):
        return False
    definition = e.source(target[0]).defs[target[1]]
    if definition.signature is not None and not definition.used_parameters:
        return False
    is_near = file == target[0]
    if (
        is_near
        and receiver is not None
        and definition.used_parameters & 1
        and not _is_plain(definition, file, receiver)
    ):
        return True
    for part in forms.operands(ir, expr)[1:]:
        if part >= 0 and ir[part] not in LITERALS and (is_near or may_be_called(ir, part)):
            return True
    source = e.source(target[0])
    if definition.signature is None:
        return definition.kind == NodeKind.CLASS
    return any(param.value >= 0 and source.ir[param.value] not in LITERALS for param in definition.signature.params)


def _is_plain(definition: Def, file: int, receiver: AbstractValue) -> bool:
    """Whether a receiver is what a method takes it for anyway."""
    return definition.kind == NodeKind.METHOD and receiver[1:] == (file, definition.parent)


def may_be_called(ir: Sequence[int], expr: int) -> bool:
    """Whether a value may be a function or class, by its form: results of calls and loops seldom are."""
    while ir[expr] == forms.BOUND and ir[expr + 3] == 0:
        expr = ir[expr + 2]
        if expr < 0:
            return False
    return ir[expr] not in MADE


def of_call_to(
    e: Evaluator, file: int, expr: int, targets: list[tuple[int, int, AbstractValue | None]]
) -> ArgumentFlow:
    """The flow from a CALL expression to the parameters of its callees."""
    outflow: ArgumentFlow = {}
    arguments: Arguments | None = None
    for target in targets if not e.is_test(file) else ():
        for function_file, function, receiver in _called(e, target):
            if arguments is None:
                arguments = of_call(e, file, expr)
            _pass_arguments(e, outflow, function_file, function, receiver, arguments)
    return outflow


def to_function(e: Evaluator, value: AbstractValue, arguments: Arguments) -> ArgumentFlow:
    """The flow into a function that is called without a call of its own: a decorator."""
    outflow: ArgumentFlow = {}
    if value[0] in (FUNCTION, CLASS, METHOD):
        target = (value[1], value[2], value[3] if value[0] == METHOD else None)
        for file, function, receiver in _called(e, target):
            _pass_arguments(e, outflow, file, function, receiver, arguments)
    return outflow


def to_attribute(e: Evaluator, owner: AbstractValue, name: str, values: AbstractValues) -> ArgumentFlow:
    """The flow into an attribute of a class or instance from outside."""
    outflow: ArgumentFlow = {}
    given = portable(e, values)
    if owner[0] == CLASS:  # a function that is set on a class is a method of it
        given = tuple((METHOD, *value[1:], owner) if value[0] == FUNCTION else value for value in given)
    _put(e, outflow, owner[1], e.slots.field_key(owner[1], owner[2], name), given)
    return outflow


def _called(
    e: Evaluator, target: tuple[int, int, AbstractValue | None]
) -> Iterator[tuple[int, int, AbstractValue | None]]:
    """The function behind a target: that which makes instances, for a class."""
    file, ordinal, _ = target
    if e.source(file).defs[ordinal].kind != NodeKind.CLASS:
        yield target
        return
    instance = (INSTANCE, file, ordinal)
    for maker in members.special(e, instance, "__init__"):
        if maker[0] == METHOD:
            yield maker[1], maker[2], maker[3]
            return
    yield file, ordinal, instance


def _pass_arguments(
    e: Evaluator, outflow: ArgumentFlow, file: int, function: int, receiver: AbstractValue | None, arguments: Arguments
) -> None:
    source = e.source(file)
    definition = source.defs[function]
    if definition.kind == NodeKind.CLASS:
        _pass_fields(e, outflow, file, function, arguments)
        return
    if not e.slots.is_open(file, function):
        return
    e.note_function(file, function)
    params = definition.signature.params if definition.signature else []
    skip = 1 if receiver is not None else 0
    given = assigned(source.takes(function), arguments, skip)
    used_parameters = definition.used_parameters
    if file == e.at_hand and receiver is not None and used_parameters & 1 and not _is_plain(definition, file, receiver):
        _put(e, outflow, file, e.slots.key(file, function, 0), portable(e, (receiver,)))
    for index, passed in given.items():
        if not used_parameters >> index & 1:
            continue
        says = params[index].kind in STARRED or not all(_is_literal(e, one) for one in passed)
        if file != e.at_hand:
            says = any(one.abstract_values is not None or _may_call(e, one) for one in passed)
        if says and not _settled(e, file, params[index].type):
            values = portable(e, packed(e, params[index].kind, passed))
            _put(e, outflow, file, e.slots.key(file, function, index), values)
    for index in omitted(params, given, arguments, skip):
        if not used_parameters >> index & 1:
            continue
        if source.ir[params[index].value] not in LITERALS and not _settled(e, file, params[index].type):
            values = e.without_frame(e.evaluate, file, params[index].value)
            _put(e, outflow, file, e.slots.key(file, function, index), portable(e, values))


def _pass_fields(e: Evaluator, outflow: ArgumentFlow, file: int, ordinal: int, arguments: Arguments) -> None:
    """A class without a constructor of its own: a dataclass takes its fields in order."""
    names = _fields(e, file, ordinal)
    for (owner, name), argument in zip(names, arguments.positional, strict=False):
        _put(e, outflow, owner[0], e.slots.field_key(*owner, name), _evaluated(e, argument))
    known = {name: owner for owner, name in names}
    for name, argument in arguments.keywords:
        if name in known:
            _put(e, outflow, known[name][0], e.slots.field_key(*known[name], name), _evaluated(e, argument))


def _fields(e: Evaluator, file: int, ordinal: int) -> list[tuple[tuple[int, int], str]]:
    order, _ = e.lookup.order(file, ordinal)
    found: dict[str, tuple[int, int]] = {}
    for owner in reversed(known(order)):
        e.note_attribute(*owner, FIELDS)
        for name in e.source(owner[0]).field_names(owner[1]):
            found[name] = owner
    return [(owner, name) for name, owner in found.items()]


def _settled(e: Evaluator, file: int, type_expr: int) -> bool:
    """Whether an annotation says already what a parameter is."""
    declared = e.without_frame(types.instances, e, file, type_expr) if type_expr >= 0 else NONE
    return bool(declared) and not types.is_protocol(e, declared)


def _may_call(e: Evaluator, argument: PassedArgument) -> bool:
    return argument.expr >= 0 and may_be_called(e.source(argument.file).ir, argument.expr)


def _is_private(e: Evaluator, value: AbstractValue, file: int) -> bool:
    if value[0] in (INSTANCE, GENERATOR):
        return file != e.at_hand
    if value[0] in (FUNCTION, CLASS, METHOD):
        return value[1] != file and e.is_test(value[1])
    if value[0] == ENTRIES:
        return any(_is_private(e, inner, file) for _, held in value[1] for inner in held)
    return any(_is_private(e, inner, file) for part in value[1:] for inner in part)


def _evaluated(e: Evaluator, argument: PassedArgument) -> AbstractValues:
    if argument.abstract_values is None:
        if argument.expr < 0 or e.source(argument.file).ir[argument.expr] in LITERALS:
            return NONE
        return portable(e, e.given(argument))
    return portable(e, argument.abstract_values)


def _is_literal(e: Evaluator, argument: PassedArgument) -> bool:
    return argument.abstract_values is None and (
        argument.expr < 0 or e.source(argument.file).ir[argument.expr] in LITERALS
    )


def _put(e: Evaluator, outflow: ArgumentFlow, file: int, slot: int, values: AbstractValues) -> None:
    """Adds values to a slot of a file; what tests define, and instances, do not leave their file."""
    values = tuple(value for value in values if not _is_private(e, value, file))
    if values:
        outflow[slot] = join((outflow.get(slot, NONE), values))


def portable(e: Evaluator, values: AbstractValues, depth: int = 0) -> AbstractValues:
    """Abstract values as other files can name them; containers become their content."""
    return join(_portable(e, value, depth) for value in values)


def _portable(e: Evaluator, value: AbstractValue, depth: int) -> AbstractValues:
    sort = value[0]
    if sort in (FUNCTION, CLASS, INSTANCE, MANY):
        return (value,)
    if sort == METHOD:
        return (value,) if value[3][0] in (INSTANCE, CLASS) else ((FUNCTION, value[1], value[2]),)
    if depth >= MAX_DEPTH:
        return NONE
    if sort == DISPLAY:
        return _written_out(e, value, depth + 1)
    if sort == ITEMS:
        first, second = (portable(e, part, depth + 1) for part in value[1:])
        return ((ITEMS, first, second),) if first or second else NONE
    if sort == ROW:
        parts = [portable(e, part, depth + 1) for part in value[1:]]
        return ((ROW, *parts),) if any(parts) else NONE
    if sort == PARTIAL:
        inner = portable(e, value[1], depth + 1)
        return ((PARTIAL, inner),) if inner else NONE
    if sort == ENTRIES:
        entries = tuple((key, kept) for key, held in value[1] if (kept := portable(e, held, depth + 1)))
        return ((ENTRIES, entries),) if entries else NONE
    return ((GENERATOR, value[1], value[2], None),) if sort == GENERATOR else NONE


def _written_out(e: Evaluator, abstract_value: AbstractValue, depth: int) -> AbstractValues:
    _, file, expr = abstract_value
    ir = e.source(file).ir
    parts = forms.operands(ir, expr)
    if len(parts) <= 2 * MAX_PARTS and ir[expr + 1] == forms.DICT:
        named = [e.evaluate(file, key) for key in parts[::2]]
        if all(len(key) == 1 and key[0][0] == TEXT for key in named):
            held = [portable(e, e.evaluate(file, part), depth) for part in parts[1::2]]
            entries = tuple((key[0][1], value) for key, value in zip(named, held, strict=True) if value)
            return ((ENTRIES, entries),) if entries else NONE
    starred = any(part >= 0 and ir[part] == forms.WRAP for part in parts)
    if len(parts) <= MAX_PARTS and ir[expr + 1] in (forms.LIST, forms.TUPLE) and not starred:
        row = [portable(e, e.evaluate(file, part), depth) for part in parts]
        return ((ROW, *row),) if any(row) else NONE
    first = portable(e, containers.elements(e, abstract_value), depth)
    second = portable(e, containers.held(e, abstract_value), depth)
    return ((ITEMS, first, second),) if first or second else NONE
