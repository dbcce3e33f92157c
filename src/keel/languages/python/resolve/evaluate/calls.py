"""Calls: what is called, by a call or implicitly, and the result of a call.

Also what decorators leave of a function and what `with` binds. Methods run implicitly by `for`, `with`, subscripts,
operators and built-ins: only known instances of classes of the workspace count there, and the extractor records where
that may happen. Functions from outside that return or call their arguments are left to `builtin_functions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate import builtin_functions, containers, members, types
from keel.languages.python.resolve.evaluate.abstract_values import (
    BOUND_OUTSIDE,
    CLASS,
    FUNCTION,
    INSTANCE,
    MANY,
    METHOD,
    NONE,
    OUTSIDE,
    PARTIAL,
    SUPER,
    SUPER_OF,
    TOO_MANY,
    WRAPPER,
    WRAPS,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.arguments import Arguments, PassedArgument, of_abstract_values, of_call
from keel.languages.python.resolve.evaluate.returns import handed_back
from keel.model.kinds import NodeKind

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate.evaluation import Evaluation


__all__ = ["PassedArgument", "decorated", "invoke", "result", "stages", "targets"]


def result(e: Evaluation, file: int, expr: int) -> AbstractValues:
    """The result of a CALL expression."""
    callees = e.evaluate(file, e.source(file).ir[expr + 1])
    if not callees:
        return NONE
    arguments = of_call(e, file, expr)
    if len(callees) == 1:
        return invoke(e, callees[0], arguments)
    return join(invoke(e, callee, arguments) for callee in callees)


def invoke(e: Evaluation, callee: AbstractValue, arguments: Arguments) -> AbstractValues:
    """The result of calling an abstract value."""
    sort = callee[0]
    if sort == FUNCTION:
        return handed_back(e, callee[1], callee[2], None, arguments)
    if sort == METHOD:
        return handed_back(e, callee[1], callee[2], callee[3], arguments)
    if sort == CLASS:
        return (
            builtin_functions.made_dict(e, arguments) if types.is_typed_dict(e, callee) else ((INSTANCE, *callee[1:]),)
        )
    if sort == INSTANCE:
        return join(invoke(e, method, arguments) for method in _called(e, callee))
    if sort == SUPER_OF:
        if arguments.positional:
            return builtin_functions.result(e, "builtins.super", arguments, invoke)
        return ((SUPER, *callee[1:]),)
    if sort == PARTIAL:
        return join(invoke(e, inner, Arguments(is_open=True)) for inner in callee[1])
    if sort == WRAPS:
        wrappers = e.given(arguments.positional[0]) if arguments.positional else NONE
        outer = tuple((WRAPPER, *value[1:]) for value in wrappers if value[0] == FUNCTION)
        return join([callee[1], outer]) if callee[1] else wrappers
    if sort == BOUND_OUTSIDE:
        return containers.method(e, callee[1], callee[2], arguments.positional)
    if sort == MANY:
        return TOO_MANY
    return builtin_functions.result(e, callee[1], arguments, invoke) if sort == OUTSIDE else NONE


def _called(e: Evaluation, instance: AbstractValue) -> AbstractValues:
    """What calling an instance calls. One that is called by way of another is not followed: it may not end."""
    return tuple(value for value in members.special(e, instance, "__call__") if value[0] != INSTANCE)


def decorated(e: Evaluation, file: int, ordinal: int) -> AbstractValues:
    """What decorators leave of a function: the result of the outermost, or the function where that is not known."""
    held: AbstractValues = ((FUNCTION, file, ordinal),)
    for expr in reversed(e.source(file).defs[ordinal].decorators):
        held = _applied(e, e.evaluate(file, expr), held)
    return held


def stages(e: Evaluation, file: int, ordinal: int) -> list[tuple[int, AbstractValues, AbstractValues]]:
    """The decorators of a definition from the innermost out: expression, value, and argument."""
    definition = e.source(file).defs[ordinal]
    is_class = definition.kind == NodeKind.CLASS
    held: AbstractValues = ((CLASS if is_class else FUNCTION, file, ordinal),)
    found: list[tuple[int, AbstractValues, AbstractValues]] = []
    for expr in reversed(definition.decorators):
        if found and not is_class:
            held = _applied(e, found[-1][1], held)
        found.append((expr, e.evaluate(file, expr), held))
    return found


def _applied(e: Evaluation, decorators: AbstractValues, held: AbstractValues) -> AbstractValues:
    made: list[AbstractValues] = []
    for decorator in decorators:
        if decorator[0] == OUTSIDE:  # as far as is known, it leaves the function
            made.append(held)
        elif decorator[0] == CLASS:
            instance = _made(decorator)
            made.append((instance,) if _called(e, instance) else held)
        else:
            made.append(invoke(e, decorator, of_abstract_values(held)) or held)
    return join(made) or held


def _made(decorator: AbstractValue) -> AbstractValue:
    return (INSTANCE, *decorator[1:])


def targets(e: Evaluation, callees: AbstractValues) -> list[tuple[int, int, AbstractValue | None]]:
    """The functions and classes that calling these values calls: file, definition, receiver."""
    found: dict[tuple[int, int, AbstractValue | None], None] = {}
    for callee in callees:
        sort = callee[0]
        if sort in (FUNCTION, CLASS):
            found[callee[1], callee[2], None] = None
        elif sort == METHOD:
            found[callee[1], callee[2], callee[3]] = None
        elif sort == INSTANCE:
            for method in targets(e, _called(e, callee)):
                found[method] = None
        elif sort == PARTIAL:
            for inner in targets(e, callee[1]):
                found[inner] = None
    return list(found)


Implied = tuple[AbstractValue, Arguments]
"""A method that runs, and its arguments."""

REFLECTED = {
    sign: (f"__{name}__", f"__r{name}__")
    for sign, name in {
        "+": "add",
        "-": "sub",
        "*": "mul",
        "/": "truediv",
        "//": "floordiv",
        "%": "mod",
        "**": "pow",
        "@": "matmul",
        "<<": "lshift",
        ">>": "rshift",
        "&": "and",
        "|": "or",
        "^": "xor",
    }.items()
}
"""Methods of the left operand, and of the right one where the left has none."""
COMPARED = {
    "==": ("__eq__", "__eq__"),
    "!=": ("__ne__", "__ne__"),
    "<": ("__lt__", "__gt__"),
    ">": ("__gt__", "__lt__"),
    "<=": ("__le__", "__ge__"),
    ">=": ("__ge__", "__le__"),
}
OPERATORS = {**REFLECTED, **COMPARED}
IN_PLACE = frozenset(f"{sign}=" for sign in REFLECTED)
OF_ONE = {
    "-x": "__neg__",
    "+x": "__pos__",
    "~x": "__invert__",
    "[]=": "__setitem__",
    "del []": "__delitem__",
}
BUILT_IN = {
    "builtins.str": ("__str__", "__repr__"),
    "builtins.repr": ("__repr__",),
    "builtins.format": ("__format__", "__str__"),
    "builtins.print": ("__str__", "__repr__"),
    "builtins.len": ("__len__",),
    "builtins.bool": ("__bool__", "__len__"),
    "builtins.int": ("__int__", "__index__"),
    "builtins.float": ("__float__",),
    "builtins.abs": ("__abs__",),
    "builtins.round": ("__round__",),
    "builtins.hash": ("__hash__",),
    "builtins.next": ("__next__",),
    "builtins.anext": ("__anext__",),
    "builtins.reversed": ("__reversed__",),
}
"""Built-in functions with the methods of their first argument, of which the first that exists runs."""
ITERATING = frozenset(
    f"builtins.{name}"
    for name in (
        *("list", "tuple", "set", "frozenset", "dict", "sorted", "enumerate", "zip", "map", "filter"),
        *("iter", "aiter", "sum", "min", "max", "any", "all"),
    )
)
"""Those that iterate over their argument."""
ENTERING = frozenset(
    f"contextlib.{stack}" for stack in ("ExitStack.enter_context", "AsyncExitStack.enter_async_context")
)
CALLERS = frozenset(name.rpartition(".")[2] for name in (*BUILT_IN, *ITERATING))


def implicit_calls(e: Evaluation, file: int, expr: int) -> Iterator[Implied]:
    """The methods that evaluating an expression of a file runs."""
    ir = e.source(file).ir
    op = ir[expr]
    if op == forms.OPERATED:
        yield from _operated(e, file, expr)
    elif op == forms.CONCAT:
        first, second = forms.operands(ir, expr)[:2]
        yield from _between(e, "+", e.evaluate(file, first), e.evaluate(file, second))
    elif op == forms.ITEM:
        inner, is_async = forms.behind_async(ir, ir[expr + 1])
        yield from iterated(e, e.evaluate(file, inner), is_async)
    elif op == forms.ENTERED:
        inner, is_async = forms.behind_async(ir, ir[expr + 1])
        yield from entered(e, e.evaluate(file, inner), is_async)
    elif op == forms.SUBSCRIPT:
        for owner in _instances(e.evaluate(file, ir[expr + 1])):
            yield from _one(e, owner, "__getitem__", of_abstract_values(e.evaluate(file, ir[expr + 2])))


def by_built_in(e: Evaluation, name: str, arguments: Arguments) -> Iterator[Implied]:
    """The methods of its arguments that a built-in function runs."""
    if name in ITERATING:
        for argument in arguments.positional:
            yield from iterated(e, e.given(argument), name == "builtins.aiter")
        return
    if name in ENTERING:
        managers = e.given(arguments.positional[0]) if arguments.positional else NONE
        yield from entered(e, managers, "async" in name)
        return
    names = BUILT_IN.get(name, ())
    for argument in arguments.positional if name == "builtins.print" else arguments.positional[:1]:
        for owner in _instances(e.given(argument)):
            yield from _first(e, owner, names)


def entered(e: Evaluation, managers: AbstractValues, is_async: bool) -> Iterator[Implied]:
    """The methods that entering and leaving managers runs."""
    for owner in _instances(managers):
        for name in ("__aenter__", "__aexit__") if is_async else ("__enter__", "__exit__"):
            one = special(e, owner, name)
            if one is not None:
                yield one, Arguments(is_open=True)


def iterated(e: Evaluation, values: AbstractValues, is_async: bool) -> Iterator[Implied]:
    """The methods that iterating over values runs."""
    begin, step = ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__")
    for owner in _instances(values):
        begun = special(e, owner, begin)
        if begun is not None:
            yield begun, Arguments()
            for iterator in _instances(handed_back(e, begun[1], begun[2], owner, Arguments())):
                yield from _one(e, iterator, step, Arguments())


def operated(e: Evaluation, sign: str, left: AbstractValues, right: AbstractValues) -> AbstractValues:
    """The result of the method behind an operator."""
    return join(
        handed_back(e, method[1], method[2], method[3], given) for method, given in _between(e, sign, left, right)
    )


def special(e: Evaluation, owner: AbstractValue, name: str) -> AbstractValue | None:
    """A method that Python itself looks up on the class of an instance."""
    found = members.special(e, owner, name)
    return found[0] if len(found) == 1 and found[0][0] == METHOD else None


def _operated(e: Evaluation, file: int, expr: int) -> Iterator[Implied]:
    source = e.source(file)
    sign = source.strings[source.ir[expr + 1]]
    left, right = (e.evaluate(file, source.ir[expr + offset]) for offset in (2, 3))
    if sign in OF_ONE:
        for owner in _instances(left):
            yield from _one(e, owner, OF_ONE[sign], Arguments(is_open=True))
    elif sign == "in":
        for owner in _instances(right):
            if special(e, owner, "__contains__") is not None:
                yield from _one(e, owner, "__contains__", of_abstract_values(left))
            else:
                yield from iterated(e, (owner,), False)
    else:
        yield from _between(e, sign, left, right)


def _between(e: Evaluation, sign: str, left: AbstractValues, right: AbstractValues) -> Iterator[Implied]:
    """The methods that an operator with two operands runs: in place where there is one, else by the left, the right."""
    in_place = f"__i{REFLECTED[sign[:-1]][0][2:]}" if sign in IN_PLACE else ""
    name, reflected = OPERATORS[sign[:-1] if in_place else sign]
    is_open = not left
    for owner in _instances(left):
        found = list(_first(e, owner, (in_place, name) if in_place else (name,), of_abstract_values(right)))
        if sign == "!=" and not found:
            found = list(_one(e, owner, "__eq__", of_abstract_values(right)))
        yield from found
        is_open = is_open or not found
    if is_open or len(_instances(left)) < len(left):
        for owner in _instances(right):
            yield from _one(e, owner, reflected, of_abstract_values(left))


def _first(
    e: Evaluation, owner: AbstractValue, names: tuple[str, ...], given: Arguments | None = None
) -> Iterator[Implied]:
    """The first of some methods that a class has."""
    for name in names:
        method = special(e, owner, name)
        if method is not None:
            yield method, given or Arguments(is_open=True)
            return


def _one(e: Evaluation, owner: AbstractValue, name: str, given: Arguments) -> Iterator[Implied]:
    return _first(e, owner, (name,), given)


def _instances(values: AbstractValues) -> AbstractValues:
    return tuple(value for value in values if value[0] == INSTANCE) if values else NONE
