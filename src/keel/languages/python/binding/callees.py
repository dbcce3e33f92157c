"""Callees: the parameters that a call of a definition, or of a value, must fit; a class by `__new__` and `__init__`.

Constructors are found by Python's method resolution order, generated for records, or inherited from outside. A base,
metaclass, class decorator or hook whose effect is not known is a doubt. Functions and records are left to modules of
their own.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence

from keel.languages.python import forms
from keel.languages.python.binding.bind import (
    ANYTHING,
    Callee,
    CallShape,
    Doubt,
    Parameter,
    Shape,
    Why,
    doubtful,
    preceded,
)
from keel.languages.python.binding.calls import arguments, held, read_call, text_of
from keel.languages.python.binding.functions import RECEIVER, Reached, function_callee, leaves_alone
from keel.languages.python.binding.names import MAX_STEPS, Ancestor, Names, Stranger, ancestors, only_definition
from keel.languages.python.binding.records import (
    called_named_tuple,
    called_typed_tuple,
    dataclass_init,
    dataclass_settings,
    named_tuple_new,
)
from keel.languages.python.facts import Interface
from keel.languages.python.standard_library import (
    DATACLASS,
    ENUMS,
    NAMED_TUPLES,
    PLAIN_METACLASSES,
    SILENT_BASES,
    TYPED_DICTS,
)
from keel.model.facts import ASSIGNED
from keel.model.kinds import NodeKind, ParamKind
from keel.model.refs import DefRef

__all__ = ["Reached", "callee_of", "callee_of_value", "instance_callee", "method_callee"]

PARTIAL = "functools.partial"
OTHER_RECEIVERS = ("builtins.classmethod", "builtins.staticmethod")
"""The result of these decorators takes another receiver, so the parameters of the function say nothing."""
FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)


def callee_of(names: Names, ref: DefRef, reached: Reached = Reached.NAME, steps: int = 0) -> Callee:
    """What a call of a definition must fit: a function, a method, a class, or a variable that holds one."""
    definition = names.interface(ref.file).defs[ref.ordinal]
    if definition.kind in FUNCTIONS:
        return _unless_replaced(names, ref, function_callee(names, ref, reached))
    if definition.kind == NodeKind.CLASS:
        return class_callee(names, ref)
    sites = names.sites(ref.file, definition.parent, names.label(ref).rpartition(".")[2])
    if len(sites) == 1 and sites[0].what == ASSIGNED and definition.kind == NodeKind.CONSTANT and steps < MAX_STEPS:
        return callee_of_value(names, ref.file, sites[0].target, steps + 1)
    return Callee(doubt=Doubt(Why.VALUE, names.label(ref)))


def _unless_replaced(names: Names, ref: DefRef, callee: Callee) -> Callee:
    """The callee, with a doubt where its name is bound to a value afterwards: `load = traced(load)`."""
    interface = names.interface(ref.file)
    definition = interface.defs[ref.ordinal]
    for site in names.sites(ref.file, definition.parent, interface.text(definition.name)):
        if site.what == ASSIGNED:
            doubt = Doubt(Why.VALUE, names.label(ref))
            is_call = site.target >= 0 and interface.ir[site.target] == forms.CALL
            maker = names.meaning(ref.file, interface.ir[site.target + 1]) if is_call else None
            return Callee(doubt=doubt) if maker in OTHER_RECEIVERS else doubtful(callee, doubt)
    return callee


def callee_of_value(names: Names, file: int, expr: int, steps: int = 0) -> Callee:
    """What a call of the value of an expression of a file must fit."""
    interface = names.interface(file)
    text = text_of(interface, expr)
    expr = held(interface, expr)
    if expr >= 0 and interface.ir[expr] == forms.CALL:
        made = _made(names, file, expr, steps)
        if made is not None:
            return made
    meaning = names.meaning(file, expr)
    if isinstance(meaning, DefRef):
        parent = names.interface(meaning.file).defs[meaning.ordinal].parent
        in_class = parent >= 0 and names.interface(meaning.file).defs[parent].kind == NodeKind.CLASS
        return callee_of(names, meaning, Reached.CLASS if in_class else Reached.NAME, steps + 1)
    if meaning is None and expr >= 0 and interface.ir[expr] == forms.CHAIN and steps < MAX_STEPS:
        return _variable(names, file, expr, steps)
    return Callee(doubt=Doubt(Why.VALUE, text))


def instance_callee(names: Names, ref: DefRef) -> Callee:
    """What a call of an instance of a class must fit."""
    return method_callee(names, ref, "__call__", Reached.INSTANCE)


def _variable(names: Names, file: int, expr: int, steps: int) -> Callee:
    """A module-level name that holds a value."""
    interface = names.interface(file)
    root = interface.ir[expr + 2]
    text = text_of(interface, expr)
    sites = interface.bindings[root].sites if root >= 0 and "." not in text else []
    if len(sites) == 1 and sites[0].what == ASSIGNED and sites[0].target != expr:
        return callee_of_value(names, file, sites[0].target, steps + 1)
    return Callee(doubt=Doubt(Why.VALUE, text))


def _made(names: Names, file: int, call: int, steps: int) -> Callee | None:
    """A class or partial application that a call makes; None for any other."""
    maker = names.meaning(file, names.interface(file).ir[call + 1])
    if maker in ENUMS:
        return enumeration(str(maker))
    if maker in TYPED_DICTS:
        return Callee((LIKE_A_DICT,))
    if maker == PARTIAL:
        return _partial(names, file, call, steps)
    made = made_class(names, file, call)
    return None if made is None else preceded(made, RECEIVER)


def _partial(names: Names, file: int, call: int, steps: int) -> Callee:
    """`partial(f, 1, k=2)`: what `f` takes behind the arguments that it is given already."""
    interface = names.interface(file)
    given = read_call(interface, call)
    positional, _ = arguments(interface, call)
    if not positional or interface.ir[positional[0]] == forms.WRAP or steps > MAX_STEPS:
        return Callee(doubt=Doubt(Why.VALUE, PARTIAL))
    inner = callee_of_value(names, file, positional[0], steps + 1)
    before = CallShape(given.positional - 1, given.keywords, given.more_positional, given.more_keywords)
    return preceded(inner, before)


CONTAINERS = frozenset(("builtins.dict", "builtins.list", "builtins.set", "builtins.bytearray"))
"""Classes whose `__new__` takes any arguments."""
_SPECIAL = (ImportError, AttributeError, NameError, OSError, SyntaxError, UnicodeError, StopIteration)
EXCEPTIONS = frozenset(
    f"builtins.{name}"
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and not issubclass(value, _SPECIAL)
    if "Group" not in name
)
"""They take any positional arguments and no keywords."""
FIRST = Parameter("cls", ParamKind.POSITIONAL_ONLY)
POSITIONAL_ONLY_ARGUMENTS = Callee((Shape((FIRST, Parameter("args", ParamKind.VAR_POSITIONAL))),))
NO_ARGUMENTS = Callee((Shape((FIRST,)),))
LIKE_A_DICT = Shape((Parameter("mapping", ParamKind.POSITIONAL_ONLY, False), Parameter("keys", ParamKind.VAR_KEYWORD)))


def class_callee(names: Names, ref: DefRef) -> Callee:
    """What a call of a class must fit."""
    order = ancestors(names, ref)
    doubt = _class_doubt(names, order)
    named = {each.text for each in order if isinstance(each, Stranger) and each.known}
    if named & ENUMS:
        return doubtful(enumeration(names.label(ref)), doubt)
    if named & TYPED_DICTS:
        return doubtful(Callee((LIKE_A_DICT,)), doubt)
    new = _method_of(names, order, "__new__", _new_of)
    init = _method_of(names, order, "__init__", _init_of)
    if doubt is not None and new is None and init is None:
        return Callee(doubt=doubt)  # what changes the class makes its constructor: nothing hints at what it takes
    return doubtful(preceded(_constructor(names, new, init), RECEIVER), doubt)


def method_callee(names: Names, ref: DefRef, name: str, reached: Reached) -> Callee:
    """What a call of a method of a class, its own or inherited, must fit."""
    for each in ancestors(names, ref):
        if isinstance(each, Stranger):
            if each.known and each.text in SILENT_BASES:
                continue
            return Callee(doubt=Doubt(Why.BASE, each.text))
        sites = names.sites(each.file, each.ordinal, name)
        if sites:
            return _written(names, each, name, reached)[0]
    return Callee(doubt=Doubt(Why.VALUE, f"{names.label(ref)}.{name}"))


BoundMethod = tuple[Callee, DefRef | None]
"""A method whose receiver is not bound yet, and where it is written out."""


def _constructor(names: Names, new: BoundMethod | None, init: BoundMethod | None) -> Callee:
    if new is None and init is None:
        return NO_ARGUMENTS
    if new is None or init is None:
        found = new or init
        assert found is not None
        return found[0]
    doubt = new[0].doubt or init[0].doubt
    if new[1] is not None and not _makes_an_instance(names, new[1]):
        doubt = doubt or Doubt(Why.NEW, names.label(new[1]))
    return Callee(new[0].shapes + init[0].shapes, new[0].overloads or init[0].overloads, doubt=doubt)


def _method_of(
    names: Names, order: Sequence[Ancestor], name: str, made: Callable[[Names, Sequence[Ancestor]], Callee | None]
) -> BoundMethod | None:
    """The first method of a name along the order: written out, or generated for the class; None: that of `object`."""
    for index, ref in enumerate(order):
        if isinstance(ref, DefRef) and names.sites(ref.file, ref.ordinal, name):
            return _written(names, ref, name, Reached.NAME)
        callee = made(names, order[index:])
        if callee is not None:
            return callee, None
    return None


def _written(names: Names, ref: DefRef, name: str, reached: Reached) -> BoundMethod:
    """A method that the body of a class binds."""
    interface = names.interface(ref.file)
    ordinal = only_definition(names.sites(ref.file, ref.ordinal, name))
    if ordinal is None or interface.defs[ordinal].kind != NodeKind.METHOD:
        return Callee(doubt=Doubt(Why.VALUE, f"{names.label(ref)}.{name}")), None
    written = DefRef(ref.file, ordinal)
    return function_callee(names, written, reached), written


def _init_of(names: Names, order: Sequence[Ancestor]) -> Callee | None:
    ref = order[0]
    if isinstance(ref, DefRef):
        settings = dataclass_settings(names, ref)
        if settings is None or settings.init is False:
            return None
        return dataclass_init(names, order) if settings.init else Callee(doubt=Doubt(Why.CLASS_DECORATOR, DATACLASS))
    if ref.known and ref.text in EXCEPTIONS:
        return POSITIONAL_ONLY_ARGUMENTS
    return _of_stranger(names, ref, for_new=False)


def _new_of(names: Names, order: Sequence[Ancestor]) -> Callee | None:
    ref = order[0]
    if isinstance(ref, DefRef):
        bases = names.interface(ref.file).defs[ref.ordinal].bases
        is_tuple = any(names.meaning(ref.file, base) in NAMED_TUPLES for base in bases)
        return named_tuple_new(names, ref) if is_tuple else None
    if ref.known and ref.text in EXCEPTIONS | CONTAINERS:
        return Callee((ANYTHING,))
    return _of_stranger(names, ref, for_new=True)


def _of_stranger(names: Names, stranger: Stranger, for_new: bool) -> Callee | None:
    if stranger.known and (stranger.text in SILENT_BASES or stranger.text in NAMED_TUPLES):
        return None
    made = None if stranger.base < 0 else made_class(names, stranger.file, stranger.base)
    if made is not None:
        return made if for_new else None
    return Callee(doubt=Doubt(Why.BASE, stranger.text))


def made_class(names: Names, file: int, call: int) -> Callee | None:
    """The `__new__` of a class that a call makes: `namedtuple("P", "x y")`; None for any other value."""
    interface = names.interface(file)
    if call < 0 or interface.ir[call] != forms.CALL:
        return None
    maker = names.meaning(file, interface.ir[call + 1])
    if maker == "collections.namedtuple":
        return called_named_tuple(interface, call)
    return called_typed_tuple(interface, call) if maker in NAMED_TUPLES else None


def _class_doubt(names: Names, order: Sequence[Ancestor]) -> Doubt | None:
    """What may make a class differ from its body and bases."""
    for index, ref in enumerate(order):
        if not isinstance(ref, DefRef):
            continue
        interface = names.interface(ref.file)
        definition = interface.defs[ref.ordinal]
        for decorator in definition.decorators:
            if not _is_dataclass(names, ref.file, decorator) and not leaves_alone(names, ref.file, decorator):
                return Doubt(Why.CLASS_DECORATOR, text_of(interface, decorator))
        for name, value in definition.keywords:
            if interface.text(name) == "metaclass" and names.meaning(ref.file, value) not in PLAIN_METACLASSES:
                return Doubt(Why.METACLASS, text_of(interface, value))
        if index and names.sites(ref.file, ref.ordinal, "__init_subclass__"):
            return Doubt(Why.SUBCLASS_HOOK, f"{names.label(ref)}.__init_subclass__")
    return None


def _is_dataclass(names: Names, file: int, decorator: int) -> bool:
    ir = names.interface(file).ir
    is_call = decorator >= 0 and ir[decorator] == forms.CALL
    return names.meaning(file, ir[decorator + 1] if is_call else decorator) == DATACLASS


def enumeration(about: str) -> Callee:
    """A look-up by value takes one argument; what else an enumeration may be called with differs between versions."""
    value = Shape((Parameter("value", ParamKind.POSITIONAL_OR_KEYWORD),))
    return Callee((ANYTHING,), (value,), otherwise=Doubt(Why.ENUM, about))


def _makes_an_instance(names: Names, new: DefRef) -> bool:
    """Whether everything that a `__new__` returns is made by another `__new__`, so that `__init__` is called on it."""
    interface = names.interface(new.file)
    back = [each.value for each in interface.returns if each.scope == new.ordinal]
    return bool(back) and all(_is_call_of_new(interface, expr) for expr in back)


def _is_call_of_new(interface: Interface, expr: int) -> bool:
    ir = interface.ir
    while expr >= 0 and ir[expr] == forms.BOUND:
        expr = ir[expr + 2]
    return expr >= 0 and ir[expr] == forms.CALL and text_of(interface, expr).endswith(".__new__")
