"""Callbacks: what functions of Python itself call what they are handed with: `map(f, xs)`, `sorted(xs, key=f)`.

That they call it at all is known from an edge; here it is only said with how many arguments.
"""

from __future__ import annotations

from keel.languages.python.binding.calls import arguments
from keel.languages.python.binding.shapes import CallShape
from keel.languages.python.facts import Interface
from keel.model.facts import Reference

FIRST = {"filter": 1, "reduce": 2}
"""Those that call their first argument, with so many; `map` with one for each of the others."""
MAP = "map"
BY_KEY = ("groupby", "max", "min", "sorted")
"""Those that call `key`, with one."""


def called_back(interface: Interface, reference: Reference) -> tuple[int, CallShape] | None:
    """The value that a call hands over to be called, and how it is called; None where that is not known."""
    name = interface.text(reference.text).rpartition(".")[2]
    positional, named = arguments(interface, reference.value)
    if interface.tape[reference.value + 3]:  # a star
        return None
    if name in BY_KEY and "key" in named:
        return named["key"], CallShape(1)
    if name == MAP and len(positional) > 1:
        return positional[0], CallShape(len(positional) - 1)
    return (positional[0], CallShape(FIRST[name])) if name in FIRST and positional else None
