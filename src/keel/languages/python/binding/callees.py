"""Callees: what a call of a definition, or of a value, must fit.

The entrance to this folder's knowledge of callables; each sort of them has a module of its own.
"""

from __future__ import annotations

from keel.languages.python import forms
from keel.languages.python.binding.calls import arguments, held, read_call, text_of
from keel.languages.python.binding.classes import (
    ENUMS,
    LIKE_A_DICT,
    TYPED_DICTS,
    class_callee,
    enumeration,
    made_class,
    method_callee,
)
from keel.languages.python.binding.functions import RECEIVER, Reached, function_callee
from keel.languages.python.binding.names import MOST_STEPS, Names, Place
from keel.languages.python.binding.outcomes import Doubt, Why
from keel.languages.python.binding.shapes import Callee, CallShape, doubtful, preceded
from keel.model.facts import ASSIGNED
from keel.model.kinds import NodeKind

__all__ = ["Reached", "callee_of", "callee_of_value", "instance_callee", "method_callee"]

PARTIAL = "functools.partial"
OTHER_RECEIVERS = ("builtins.classmethod", "builtins.staticmethod")
"""What they make of a function takes another receiver, so its parameters hint at nothing."""
FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)


def callee_of(names: Names, place: Place, reached: Reached = Reached.NAME, steps: int = 0) -> Callee:
    """What a call of a definition must fit: a function, a method, a class, or a variable that holds one."""
    definition = names.interface(place.file).defs[place.ordinal]
    if definition.kind in FUNCTIONS:
        return _unless_replaced(names, place, function_callee(names, place, reached))
    if definition.kind == NodeKind.CLASS:
        return class_callee(names, place)
    sites = names.sites(place.file, definition.parent, names.label(place).rpartition(".")[2])
    if len(sites) == 1 and sites[0].what == ASSIGNED and definition.kind == NodeKind.CONSTANT and steps < MOST_STEPS:
        return callee_of_value(names, place.file, sites[0].target, steps + 1)
    return Callee(doubt=Doubt(Why.VALUE, names.label(place)))


def _unless_replaced(names: Names, place: Place, callee: Callee) -> Callee:
    """The callee, with a doubt where its name is bound to a value afterwards: `load = traced(load)`."""
    interface = names.interface(place.file)
    definition = interface.defs[place.ordinal]
    for site in names.sites(place.file, definition.parent, interface.text(definition.name)):
        if site.what == ASSIGNED:
            doubt = Doubt(Why.VALUE, names.label(place))
            is_call = site.target >= 0 and interface.tape[site.target] == forms.CALL
            maker = names.meaning(place.file, interface.tape[site.target + 1]) if is_call else None
            return Callee(doubt=doubt) if maker in OTHER_RECEIVERS else doubtful(callee, doubt)
    return callee


def callee_of_value(names: Names, file: int, place: int, steps: int = 0) -> Callee:
    """What a call of the value at a place of a file's tape must fit."""
    interface = names.interface(file)
    text = text_of(interface, place)
    place = held(interface, place)
    if place >= 0 and interface.tape[place] == forms.CALL:
        made = _made(names, file, place, steps)
        if made is not None:
            return made
    meaning = names.meaning(file, place)
    if isinstance(meaning, Place):
        parent = names.interface(meaning.file).defs[meaning.ordinal].parent
        in_class = parent >= 0 and names.interface(meaning.file).defs[parent].kind == NodeKind.CLASS
        return callee_of(names, meaning, Reached.CLASS if in_class else Reached.NAME, steps + 1)
    if meaning is None and place >= 0 and interface.tape[place] == forms.CHAIN and steps < MOST_STEPS:
        return _variable(names, file, place, steps)
    return Callee(doubt=Doubt(Why.VALUE, text))


def instance_callee(names: Names, place: Place) -> Callee:
    """What a call of an instance of a class must fit."""
    return method_callee(names, place, "__call__", Reached.INSTANCE)


def _variable(names: Names, file: int, place: int, steps: int) -> Callee:
    """A name of the module that holds a value."""
    interface = names.interface(file)
    root = interface.tape[place + 2]
    text = text_of(interface, place)
    sites = interface.bindings[root].sites if root >= 0 and "." not in text else []
    if len(sites) == 1 and sites[0].what == ASSIGNED and sites[0].target != place:
        return callee_of_value(names, file, sites[0].target, steps + 1)
    return Callee(doubt=Doubt(Why.VALUE, text))


def _made(names: Names, file: int, call: int, steps: int) -> Callee | None:
    """A class or partial application that a call makes; None for any other."""
    maker = names.meaning(file, names.interface(file).tape[call + 1])
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
    if not positional or interface.tape[positional[0]] == forms.WRAP or steps > MOST_STEPS:
        return Callee(doubt=Doubt(Why.VALUE, PARTIAL))
    inner = callee_of_value(names, file, positional[0], steps + 1)
    before = CallShape(given.positional - 1, given.keywords, given.more_positional, given.more_keywords)
    return preceded(inner, before)
