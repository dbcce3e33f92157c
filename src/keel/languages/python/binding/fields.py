"""The fields of a class, in the order of its body: what dataclasses and named tuples make parameters of.

Which of them become parameters, and how, is left to `records`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from keel.languages.python import forms
from keel.languages.python.binding.names import Names, Place
from keel.languages.python.facts import Interface
from keel.model.facts import ASSIGNED, NOTHING
from keel.model.kinds import NodeKind

_head_of_type = re.compile(r"\s*([A-Za-z_][\w.]*)").match
QUOTES = "\"'"


class Field(Struct, frozen=True):
    """An annotated name in a class body."""

    name: str
    marker: str
    """What its annotation begins with, as a dotted name from outside; empty when it is something else."""
    has_value: bool
    value: int = NOTHING
    """Where its value stands on the tape."""
    is_certain: bool = True
    """Whether it is always there, and nothing else of that name."""


def fields_of(names: Names, place: Place) -> Iterator[Field]:
    """The fields of a class body, in order."""
    interface = names.interface(place.file)
    valued = _assigned(interface, place.ordinal)
    for definition in interface.defs:
        if definition.parent != place.ordinal or definition.kind != NodeKind.FIELD:
            continue
        name = interface.text(definition.name)
        sites = names.sites(place.file, place.ordinal, name)
        if not sites or (definition.annotation < 0 and len(_sites(interface, place.ordinal, name)) == 1):
            continue
        is_defined = any(site.what != ASSIGNED for site in sites)
        is_certain = definition.annotation >= 0 and not any(site.conditional for site in sites)
        marker = _marker(names, place.file, interface.text(definition.annotation))
        value = sites[-1].target if not is_defined else NOTHING
        yield Field(name, marker, is_defined or name in valued, value, is_certain)


def binds(names: Names, place: Place, name: str) -> bool:
    """Whether a class body gives a name a value."""
    interface = names.interface(place.file)
    sites = names.sites(place.file, place.ordinal, name)
    return any(site.what != ASSIGNED for site in sites) or name in _assigned(interface, place.ordinal)


def _sites(interface: Interface, scope: int, name: str) -> list[int]:
    return [
        site.target
        for binding in interface.bindings
        if binding.scope == scope and interface.strings[binding.name] == name
        for site in binding.sites
    ]


def _assigned(interface: Interface, scope: int) -> set[str]:
    """The names that a class body assigns to; a mere annotation is none."""
    tape = interface.tape
    return {
        interface.strings[tape[each.target + 1]]
        for each in interface.assigns
        if each.scope == scope and each.target >= 0 and tape[each.target] in (forms.CHAIN, forms.BOUND)
    }


def _marker(names: Names, file: int, annotation: str) -> str:
    """The dotted name that an annotation begins with, as Python's dataclasses look for it."""
    head = _head_of_type(annotation.strip(QUOTES))
    meaning = names.written(file, head[1]) if head else None
    return meaning if isinstance(meaning, str) else ""
