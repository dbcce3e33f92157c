"""Functions and methods as callees: the effect of decorators, the receiver, the overloads.

A decorator of the workspace is analysed: it may return its argument, or a wrapper, which is then the callee; a wrapper
that passes all arguments on requires what the wrapped function requires too. Any other decorator that is not known is a
doubt. Constructors are left to `callees`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from keel.languages.python import forms
from keel.languages.python.binding.bind import Callee, CallShape, Doubt, Parameter, Shape, Why, doubtful, preceded
from keel.languages.python.binding.calls import arguments, held, text_of
from keel.languages.python.binding.names import Names
from keel.languages.python.facts import CELLS, Def, Interface
from keel.languages.python.standard_library import CASTS, CLASS_METHODS, KEEP_CALL, STATIC_METHODS
from keel.model.facts import ASYNC, CLASSMETHOD, GENERATOR, NOTHING, OVERLOAD, PROPERTY, RETURNED, STATIC, UNRELIABLE
from keel.model.kinds import NodeKind, ParamKind
from keel.model.refs import DefRef

MAX_LAYERS = 8


def own_shape(interface: Interface, definition: Def) -> Shape:
    """The parameter list of a function as it is written."""
    params = definition.signature.params if definition.signature else []
    return Shape(
        tuple(
            Parameter(
                interface.text(param.name),
                param.kind,
                param.default < 0 and param.kind not in (ParamKind.VAR_POSITIONAL, ParamKind.VAR_KEYWORD),
            )
            for param in params
        )
    )


def decorated(names: Names, ref: DefRef, depth: int = 0) -> Callee:
    """A function as its decorators leave it, without receiver and overloads."""
    interface = names.interface(ref.file)
    definition = interface.defs[ref.ordinal]
    callee = Callee((own_shape(interface, definition),))
    if definition.flags & UNRELIABLE:
        callee = doubtful(callee, Doubt(Why.UNREADABLE, interface.text(definition.name)))
    for decorator in reversed(definition.decorators):
        callee = _applied(names, ref.file, decorator, callee, depth)
    return callee


def _applied(names: Names, file: int, decorator: int, inner: Callee, depth: int) -> Callee:
    interface = names.interface(file)
    about = Doubt(Why.DECORATOR, text_of(interface, decorator))
    head, is_call = _head(interface, decorator)
    meaning = names.meaning(file, head)
    if isinstance(meaning, str):
        return inner if meaning in KEEP_CALL else doubtful(inner, about)
    function = None if meaning is None or depth > MAX_LAYERS else _plain_function(names, meaning)
    if function is not None and is_call:
        function = _handed_back_function(names, function)
    return doubtful(inner, about) if function is None else _replaced(names, function, inner, about, depth)


def leaves_alone(names: Names, file: int, decorator: int) -> bool:
    """Whether a decorator returns its argument."""
    head, is_call = _head(names.interface(file), decorator)
    meaning = names.meaning(file, head)
    if isinstance(meaning, str):
        return meaning in KEEP_CALL
    function = None if meaning is None else _plain_function(names, meaning)
    if function is not None and is_call:
        function = _handed_back_function(names, function)
    return function is not None and _returned(names, function) == FIRST_ARGUMENT


def _head(interface: Interface, decorator: int) -> tuple[int, bool]:
    """The expression of a decorator's name, and whether it is called."""
    if decorator >= 0 and interface.ir[decorator] == forms.CALL:
        return interface.ir[decorator + 1], True
    return decorator, False


def _plain_function(names: Names, ref: DefRef) -> DefRef | None:
    """A function whose body alone decides the result of calling it."""
    definition = names.interface(ref.file).defs[ref.ordinal]
    is_plain = definition.kind == NodeKind.FUNCTION and not definition.flags & (ASYNC | GENERATOR | UNRELIABLE)
    return ref if is_plain and not definition.decorators else None


FIRST_ARGUMENT = -2
"""Instead of a definition: the function returns its first argument."""


def _returned(names: Names, function: DefRef) -> int:
    """What every `return` of a function returns: an inner definition, FIRST_ARGUMENT, or NOTHING that is known."""
    interface = names.interface(function.file)
    found = {
        _inner(names, function, each.value)
        for each in interface.returns
        if each.scope == function.ordinal and each.how == RETURNED
    }
    return found.pop() if len(found) == 1 else NOTHING


def _inner(names: Names, function: DefRef, expr: int) -> int:
    interface = names.interface(function.file)
    ir = interface.ir
    expr = held(interface, expr)
    if expr >= 0 and ir[expr] == forms.CALL and names.meaning(function.file, ir[expr + 1]) in CASTS:
        positional, _ = arguments(interface, expr)
        expr = held(interface, positional[1]) if len(positional) == 2 else NOTHING
    if expr < 0:
        return NOTHING
    if list(ir[expr : expr + 3]) == [forms.PARAM, function.ordinal, 0]:
        return FIRST_ARGUMENT
    if ir[expr] == forms.DEFINED and interface.defs[ir[expr + 1]].parent == function.ordinal:
        return ir[expr + 1]
    return NOTHING


def _handed_back_function(names: Names, factory: DefRef) -> DefRef | None:
    """The decorator that a call of a function makes."""
    ordinal = _returned(names, factory)
    return _plain_function(names, DefRef(factory.file, ordinal)) if ordinal >= 0 else None


def _replaced(names: Names, decorator: DefRef, inner: Callee, doubt: Doubt, depth: int) -> Callee:
    """What a decorator of the workspace leaves of a function."""
    ordinal = _returned(names, decorator)
    if ordinal == FIRST_ARGUMENT:
        return inner
    interface = names.interface(decorator.file)
    if ordinal < 0 or interface.defs[ordinal].kind != NodeKind.FUNCTION:
        return doubtful(inner, doubt)
    outer = decorated(names, DefRef(decorator.file, ordinal), depth + 1)
    if _passes_everything_on(interface, decorator.ordinal, ordinal):
        return Callee(outer.shapes + inner.shapes, doubt=outer.doubt or inner.doubt)
    kinds = {param.kind for shape in outer.shapes for param in shape.params}
    if kinds & {ParamKind.VAR_POSITIONAL, ParamKind.VAR_KEYWORD}:  # how those are passed on is not known
        return doubtful(Callee(outer.shapes + inner.shapes), outer.doubt or doubt)
    return outer


def _passes_everything_on(interface: Interface, decorator: int, wrapper: int) -> bool:
    """Whether a wrapper calls the decorated function with exactly the arguments it is called with."""
    calls = [expr for expr in _calls_within(interface, wrapper) if _is_of_given(interface, expr, decorator)]
    return bool(calls) and all(_is_the_same_call(interface, expr, wrapper) for expr in calls)


def _calls_within(interface: Interface, function: int) -> Iterator[int]:
    """The calls that the returned and assigned values of a function are made of."""
    ir = interface.ir
    stack = [each.value for each in interface.returns if each.scope == function]
    stack += [each.value for each in interface.assigns if each.scope == function]
    seen: set[int] = set()
    while stack:
        expr = stack.pop()
        if expr < 0 or expr in seen:
            continue
        seen.add(expr)
        if ir[expr] == forms.CALL:
            yield expr
        stack += forms.operands(ir, expr)


def _is_of_given(interface: Interface, call: int, decorator: int) -> bool:
    ir = interface.ir
    expr = held(interface, ir[call + 1])
    if expr >= 0 and ir[expr] == forms.CHAIN and ir[expr + 2] <= CELLS:
        cell = interface.cells[CELLS - ir[expr + 2]]
        whole = "." not in interface.strings[ir[expr + 1]]
        expr = cell[0] if len(cell) == 1 and whole else NOTHING
    return expr >= 0 and list(ir[expr : expr + 3]) == [forms.PARAM, decorator, 0]


def _is_the_same_call(interface: Interface, call: int, wrapper: int) -> bool:
    ir = interface.ir
    signature = interface.defs[wrapper].signature
    positional: list[object] = []
    keywords: list[object] = []
    for index, param in enumerate(signature.params if signature else ()):
        if param.kind == ParamKind.VAR_POSITIONAL:
            positional.append(("*", index))
        elif param.kind == ParamKind.VAR_KEYWORD:
            keywords.append(("**", index))
        elif param.kind == ParamKind.KEYWORD_ONLY:
            keywords.append((interface.text(param.name), index))
        else:
            positional.append(("", index))
    npos, nkw = ir[call + 4], ir[call + 5]
    at = call + 6 + 3 * npos
    given = [_passed(interface, ir[index], wrapper, "") for index in range(call + 6, at, 3)]
    named = [
        _passed(interface, ir[index + 1], wrapper, interface.text(ir[index])) for index in range(at, at + 4 * nkw, 4)
    ]
    return given == positional and sorted(map(str, named)) == sorted(map(str, keywords))


def _passed(interface: Interface, expr: int, wrapper: int, name: str) -> tuple[str, int] | None:
    """How an argument is passed and which parameter of the wrapper it is."""
    ir = interface.ir
    if expr >= 0 and ir[expr] == forms.WRAP and ir[expr + 1] in (forms.STARRED, forms.DOUBLE_STARRED):
        name = "*" if ir[expr + 1] == forms.STARRED else "**"
        expr = ir[expr + 2]
    expr = held(interface, expr)
    if expr < 0 or ir[expr] != forms.PARAM or ir[expr + 1] != wrapper:
        return None
    return name, ir[expr + 2]


RECEIVER = CallShape(1)


class Reached(Enum):
    """How a callee is accessed when it is called: that says whether a receiver comes before the arguments."""

    NAME = "name"
    """A plain name or a module: nothing comes before the arguments."""
    INSTANCE = "instance"
    """An object: `x.m()`, `self.m()`, `super().m()`."""
    CLASS = "class"
    """The class itself: `A.m(x)`, `cls.m()`."""


def function_callee(names: Names, ref: DefRef, reached: Reached) -> Callee:
    """What a call of a function or method must fit."""
    interface = names.interface(ref.file)
    overloads, ref = _overloads(interface, ref)
    definition = interface.defs[ref.ordinal]
    callee = decorated(names, ref)
    shapes = () if definition.flags & OVERLOAD else callee.shapes
    callee = Callee(shapes, tuple(own_shape(interface, each) for each in overloads), doubt=callee.doubt)
    if definition.flags & PROPERTY:
        return Callee(doubt=Doubt(Why.PROPERTY, interface.text(definition.name)))
    return preceded(callee, RECEIVER) if _has_receiver(interface, definition, reached) else callee


def _overloads(interface: Interface, ref: DefRef) -> tuple[list[Def], DefRef]:
    """The overloads of a function, and its implementation: itself where there are none, the last where no other."""
    definition = interface.defs[ref.ordinal]
    same = [
        (ordinal, each)
        for ordinal, each in enumerate(interface.defs)
        if each.qualified_name == definition.qualified_name and each.parent == definition.parent and each.signature
    ]
    overloads = [each for _, each in same if each.flags & OVERLOAD]
    if not definition.flags & OVERLOAD:
        return overloads, ref
    others = [ordinal for ordinal, each in same if not each.flags & OVERLOAD]
    return overloads, DefRef(ref.file, others[-1] if others else ref.ordinal)


def _has_receiver(interface: Interface, definition: Def, reached: Reached) -> bool:
    name = interface.text(definition.name)
    if reached is Reached.NAME or definition.kind != NodeKind.METHOD:
        return False
    if definition.flags & STATIC or name in STATIC_METHODS:
        return False
    return reached is Reached.INSTANCE or bool(definition.flags & CLASSMETHOD) or name in CLASS_METHODS
