"""Built-in functions: which of their arguments the functions of Python itself return or call.

Only those that code uses to pass functions, classes and objects around; all others from outside are not known. Also why
a value does not resolve to a definition, with no more certainty than a star import leaves. What other values may be is
left to `evaluator`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from keel.languages.python import forms
from keel.languages.python.facts import UNBOUND
from keel.languages.python.resolve.evaluate import containers, types
from keel.languages.python.resolve.evaluate.abstract_values import (
    BOUND_OUTSIDE,
    CLASS,
    ENTRIES,
    INSTANCE,
    ITEMS,
    MADE_OUTSIDE,
    MANY,
    MODULE,
    NONE,
    OUTSIDE,
    PARTIAL,
    PROPERTY,
    ROW,
    SUPER,
    TEXT,
    WRAPS,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.arguments import Arguments, PassedArgument, of_abstract_values
from keel.languages.python.resolve.evaluate.members import owners_of
from keel.languages.python.resolve.lookup.lookup import DYNAMIC, EXTERNAL, LINKED, NO_CANDIDATE, NOT_LOOKED, Answer
from keel.languages.python.standard_library import CASTS, RETURN_FUNCTION

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate.evaluation import Evaluation


Invoke = Callable[["Evaluation", AbstractValue, Arguments], AbstractValues]

SAME_ELEMENTS = frozenset(
    [
        "builtins.list",
        "builtins.tuple",
        "builtins.set",
        "builtins.frozenset",
        "builtins.sorted",
        "builtins.reversed",
        "builtins.iter",
        "collections.deque",
        "itertools.chain",
        "itertools.cycle",
        "itertools.islice",
        "builtins.aiter",
    ]
)
FIRST = RETURN_FUNCTION | {
    *("copy.copy", "copy.deepcopy", "dataclasses.replace", "inspect.unwrap", "weakref.proxy"),
    *("asyncio.run", "asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "asyncio.shield"),
    *("builtins.dict", "collections.OrderedDict", "contextlib.closing", "types.MappingProxyType"),
}
"""Those that return their first argument: decorators, copies, and wrappers of a value."""
STACKS = frozenset(("contextlib.ExitStack", "contextlib.AsyncExitStack"))
PARTIALS = frozenset(("functools.partial", "functools.partialmethod"))


def result(e: Evaluation, name: str, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    """The result of calling a function from outside."""
    given = arguments.positional
    if name == "builtins.dict":
        return made_dict(e, arguments)
    if name in STACKS:
        return ((MADE_OUTSIDE, name),)
    if not given:
        return NONE
    if name == "collections.defaultdict":
        made = join(invoke(e, factory, Arguments()) for factory in e.given(given[0]))
        return ((ITEMS, NONE, made),) if made else NONE
    if name in FIRST:
        return e.given(given[0])
    if name in SAME_ELEMENTS:
        found = join(containers.elements(e, value) for argument in given for value in e.given(argument))
        return ((ITEMS, found, found),) if found else NONE
    if name in PARTIALS:
        return ((PARTIAL, e.given(given[0])),)
    if name == "functools.wraps":
        return ((WRAPS, e.given(given[0])),)
    known = KNOWN.get(name)
    return known(e, arguments, invoke) if known is not None else NONE


def hands_on(name: str) -> bool:
    """Whether a function from outside returns something of its arguments."""
    return name in FIRST or name in SAME_ELEMENTS or name in PARTIALS or name in KNOWN


def partly(arguments: Arguments) -> tuple[PassedArgument | None, Arguments]:
    """The function of a `partial`, and the arguments it binds."""
    if not arguments.positional:
        return None, arguments
    first, *rest = arguments.positional
    return first, Arguments(tuple(rest), arguments.keywords, is_open=True)


TWO_ARGUMENTS = "builtins.iter"
"""Calls its argument only when a second argument says when to stop."""
CALLED_FIRST = frozenset(
    [
        "builtins.map",
        "builtins.filter",
        "functools.reduce",
        "itertools.starmap",
        TWO_ARGUMENTS,
        *(f"{stack}.callback" for stack in STACKS),
    ]
)
CALLED_KEY = frozenset(("builtins.sorted", "builtins.min", "builtins.max", "itertools.groupby"))


SETATTR: AbstractValue = (OUTSIDE, "builtins.setattr")
CALLERS = frozenset(name.rpartition(".")[2] for name in (*CALLED_FIRST, *CALLED_KEY, *PARTIALS, SETATTR[1]))
"""The last names of those that call their arguments, at once or later, or set them somewhere."""


def attributes_set(e: Evaluation, arguments: Arguments) -> list[tuple[AbstractValue, str, AbstractValues]]:
    """What `setattr` sets: owner, name and values, where the name is known."""
    if len(arguments.positional) != 3:
        return []
    owners, names, values = (e.given(argument) for argument in arguments.positional)
    settable = [owner for owner in owners if owner[0] in (INSTANCE, CLASS)]
    return [(owner, name[1], values) for owner in settable for name in names if name[0] == TEXT and values]


def calls_back(name: str) -> bool:
    """Whether a function from outside calls one of its arguments."""
    return name in CALLED_FIRST or name in CALLED_KEY


def called_back(e: Evaluation, name: str, arguments: Arguments) -> AbstractValues:
    """The arguments that such a function calls."""
    if name == TWO_ARGUMENTS and len(arguments.positional) < 2:
        return NONE
    if name in CALLED_FIRST:
        return e.given(arguments.positional[0]) if arguments.positional else NONE
    return join(e.given(argument) for keyword, argument in arguments.keywords if keyword == "key")


def handed_to(e: Evaluation, name: str, arguments: Arguments) -> list[AbstractValues]:
    """What it calls them with."""
    if name == TWO_ARGUMENTS:
        return []
    if name in CALLED_FIRST:
        return [_elements(e, arguments, index) for index in range(1, len(arguments.positional))]
    return [_elements(e, arguments, 0)]


def made_dict(e: Evaluation, arguments: Arguments) -> AbstractValues:
    """The result of `dict(…)`."""
    entries = tuple((name, values) for name, argument in arguments.keywords if (values := e.given(argument)))
    held = e.given(arguments.positional[0]) if arguments.positional else NONE
    return join([held, ((ENTRIES, entries),) if entries else NONE])


def _from_keys(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    """The result of `dict.fromkeys(keys, value)`: the same value under every key."""
    held = e.given(arguments.positional[1]) if len(arguments.positional) > 1 else NONE
    keys = _elements(e, arguments, 0)
    return ((ITEMS, keys, held),) if held or keys else NONE


def _elements(e: Evaluation, arguments: Arguments, index: int) -> AbstractValues:
    if index >= len(arguments.positional):
        return NONE
    return join(containers.elements(e, value) for value in e.given(arguments.positional[index]))


def _map(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    lists = [_elements(e, arguments, index) for index in range(1, len(arguments.positional))]
    functions = e.given(arguments.positional[0])
    found = join(invoke(e, function, of_abstract_values(*lists)) for function in functions)
    return ((ITEMS, found, found),) if found else NONE


def _filter(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    found = _elements(e, arguments, 1)
    return ((ITEMS, found, found),) if found else NONE


def _next(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    return join(
        containers.called(e, value, "__next__") or containers.elements(e, value)
        for value in e.given(arguments.positional[0])
    )


def _enumerate(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    return ((ITEMS, ((ROW, NONE, _elements(e, arguments, 0)),), NONE),)


def _zip(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    rows = [_elements(e, arguments, index) for index in range(len(arguments.positional))]
    return ((ITEMS, ((ROW, *rows),), NONE),)


def _type(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    if len(arguments.positional) != 1:
        return NONE
    return tuple((CLASS, *value[1:]) for value in e.given(arguments.positional[0]) if value[0] == INSTANCE)


def _getattr(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    owner, *rest = (e.given(argument) for argument in arguments.positional[:3])
    names = [value[1] for value in rest[0] if value[0] == TEXT] if rest else []
    found = [e.attributes(owner, name) for name in names]
    return join([*found, *rest[1:]])


def _super(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    if len(arguments.positional) != 2:
        return NONE
    classes, receivers = (e.given(argument) for argument in arguments.positional)
    return tuple((SUPER, cls[1], cls[2], receiver) for cls in classes if cls[0] == CLASS for receiver in receivers)


def _cast(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    wanted = arguments.positional[0]
    declared = types.instances(e, wanted.file, wanted.expr) if wanted.abstract_values is None else NONE
    return declared or (e.given(arguments.positional[1]) if len(arguments.positional) > 1 else NONE)


def _property(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    return ((PROPERTY, e.given(arguments.positional[0])),)


def _best(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    if len(arguments.positional) == 1:
        return _elements(e, arguments, 0)
    return join(e.given(argument) for argument in arguments.positional)


def _entered(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    return e.given(arguments.positional[0])


def _enter(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    managers = e.given(arguments.positional[0])
    return join(containers.entered(e, one) or containers.entered(e, one, is_async=True) for one in managers)


def _module(e: Evaluation, arguments: Arguments, invoke: Invoke) -> AbstractValues:
    """`importlib.import_module("a.b")`, where the name is known and not relative."""
    wanted = arguments.positional[0]
    names = e.given(wanted)
    if wanted.file < 0 or len(names) != 1 or names[0][0] != TEXT or not names[0][1] or names[0][1].startswith("."):
        return NONE
    answer = e.lookup.module(wanted.file, names[0][1], 0)
    return ((MODULE, answer.file),) if answer.reason == LINKED else NONE


KNOWN: dict[str, Callable[[Evaluation, Arguments, Invoke], AbstractValues]] = {
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.next": _next,
    "builtins.anext": _next,
    "builtins.enumerate": _enumerate,
    "builtins.dict.fromkeys": _from_keys,
    "builtins.zip": _zip,
    "builtins.type": _type,
    "builtins.getattr": _getattr,
    "builtins.super": _super,
    "builtins.property": _property,
    "builtins.min": _best,
    "builtins.max": _best,
    **dict.fromkeys(CASTS, _cast),
    "contextlib.nullcontext": _entered,
    "importlib.import_module": _module,
    **dict.fromkeys(
        [f"{stack}.{name}" for stack in STACKS for name in ("enter_context", "enter_async_context")], _enter
    ),
}


BASES = {
    forms.ATTR: 1,
    forms.CALL: 1,
    forms.SUBSCRIPT: 1,
    forms.PART: 1,
    forms.ITEM: 1,
    forms.ENTERED: 1,
    forms.BOUND: 2,
    forms.WRAP: 2,
}
"""Operand of each form that holds the value it depends on."""


def why_not(e: Evaluation, file: int, expr: int) -> int:
    """Why a value does not resolve to a definition: a reason."""
    found = e.evaluate(file, expr)
    if found:
        return why_none(found)
    owners, name = owners_of(e, file, expr)
    for owner in owners:
        reason = _why_not_on(e, owner, name)
        if reason != DYNAMIC.reason:
            return reason
    return EXTERNAL.reason if not owners and _hangs_outside(e, file, expr) else DYNAMIC.reason


def why_none(found: AbstractValues) -> int:
    """Why abstract values do not resolve to a definition."""
    if not found:
        return DYNAMIC.reason
    if any(value[0] == MANY for value in found):
        return NOT_LOOKED.reason
    is_outside = any(value[0] in (OUTSIDE, MADE_OUTSIDE, BOUND_OUTSIDE) for value in found)
    return EXTERNAL.reason if is_outside else NO_CANDIDATE.reason


def _why_not_on(e: Evaluation, owner: AbstractValue, name: str) -> int:
    if owner[0] in (INSTANCE, CLASS):
        reason = e.lookup.attribute(owner[1], owner[2], name).reason
        return reason if reason in (NO_CANDIDATE.reason, EXTERNAL.reason) else DYNAMIC.reason
    return EXTERNAL.reason if owner[0] in (OUTSIDE, MADE_OUTSIDE) else DYNAMIC.reason


def _hangs_outside(e: Evaluation, file: int, expr: int) -> bool:
    """Whether a value depends on the result of something outside that does not return its arguments."""
    ir = e.source(file).ir
    while expr >= 0 and ir[expr] in BASES:
        inner = ir[expr + BASES[ir[expr]]]
        found = e.evaluate(file, inner)
        if found:
            is_call = ir[expr] == forms.CALL
            return is_call and all(value[0] == OUTSIDE and not hands_on(value[1]) for value in found)
        expr = inner
    return False


def through_star(e: Evaluation, file: int, expr: int) -> Answer | None:
    """What the first name of a value is, if a star import binds it."""
    source = e.source(file)
    ir = source.ir
    while expr >= 0 and ir[expr] in BASES:
        expr = ir[expr + BASES[ir[expr]]]
    if expr < 0 or ir[expr] != forms.CHAIN or ir[expr + 2] != UNBOUND:
        return None
    answer = e.lookup.from_stars(file, source.strings[ir[expr + 1]].partition(".")[0])
    return answer if answer.reason == LINKED and answer.star else None
