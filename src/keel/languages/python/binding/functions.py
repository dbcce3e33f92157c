"""Functions and methods as callees: what decorators leave, the receiver, the overloads.

Constructors are left to `classes`.
"""

from __future__ import annotations

from enum import Enum

from keel.languages.python.binding.decorators import decorated, own_shape
from keel.languages.python.binding.names import Names, Place
from keel.languages.python.binding.outcomes import Doubt, Why
from keel.languages.python.binding.shapes import Callee, CallShape, preceded
from keel.languages.python.facts import Def, Interface
from keel.model.facts import CLASSMETHOD, OVERLOAD, PROPERTY, STATIC
from keel.model.kinds import NodeKind

CLASS_METHODS = frozenset(("__init_subclass__", "__class_getitem__"))
STATIC_METHODS = frozenset(("__new__",))
"""What Python takes for class and static methods without being told."""
RECEIVER = CallShape(1)


class Reached(Enum):
    """Through what a function is reached when it is called: that says whether a receiver comes before the arguments."""

    NAME = "name"
    """A plain name or a module: nothing comes before the arguments."""
    INSTANCE = "instance"
    """An object: `x.m()`, `self.m()`, `super().m()`."""
    CLASS = "class"
    """The class itself: `A.m(x)`, `cls.m()`."""


def function_callee(names: Names, place: Place, reached: Reached) -> Callee:
    """What a call of a function or method must fit."""
    interface = names.interface(place.file)
    overloads, place = _overloads(interface, place)
    definition = interface.defs[place.ordinal]
    callee = decorated(names, place)
    shapes = () if definition.flags & OVERLOAD else callee.shapes
    callee = Callee(shapes, tuple(own_shape(interface, each) for each in overloads), doubt=callee.doubt)
    if definition.flags & PROPERTY:
        return Callee(doubt=Doubt(Why.PROPERTY, interface.text(definition.name)))
    return preceded(callee, RECEIVER) if _has_receiver(interface, definition, reached) else callee


def _overloads(interface: Interface, place: Place) -> tuple[list[Def], Place]:
    """The overloads of a function, and its implementation: itself where there are none, the last where no other."""
    definition = interface.defs[place.ordinal]
    same = [
        (ordinal, each)
        for ordinal, each in enumerate(interface.defs)
        if each.qualified_name == definition.qualified_name and each.parent == definition.parent and each.signature
    ]
    overloads = [each for _, each in same if each.flags & OVERLOAD]
    if not definition.flags & OVERLOAD:
        return overloads, place
    others = [ordinal for ordinal, each in same if not each.flags & OVERLOAD]
    return overloads, Place(place.file, others[-1] if others else place.ordinal)


def _has_receiver(interface: Interface, definition: Def, reached: Reached) -> bool:
    name = interface.text(definition.name)
    if reached is Reached.NAME or definition.kind != NodeKind.METHOD:
        return False
    if definition.flags & STATIC or name in STATIC_METHODS:
        return False
    return reached is Reached.INSTANCE or bool(definition.flags & CLASSMETHOD) or name in CLASS_METHODS
