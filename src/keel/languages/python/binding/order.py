"""The order in which Python looks through a class and its bases, strangers included.

What is found there is left to `classes`.
"""

from __future__ import annotations

from typing import NamedTuple

from keel.languages.python.binding.calls import text_of
from keel.languages.python.binding.names import Names, Place
from keel.languages.python.resolve.lookup import merge
from keel.model.facts import NOTHING
from keel.model.kinds import NodeKind


class Stranger(NamedTuple):
    """A base that is no class of the workspace."""

    text: str
    """What it is called: outside, or in the file where that is not certain."""
    known: bool
    file: int = NOTHING
    base: int = NOTHING
    """Where it is written, when it is a value and no name."""


Ancestor = Place | Stranger
MOST_DEEP = 50


def ancestors(names: Names, place: Place, depth: int = 0) -> list[Ancestor]:
    """The class and its bases, in Python's order."""
    interface = names.interface(place.file)
    parents: list[Ancestor] = []
    lines: list[list[Ancestor]] = []
    for base in interface.defs[place.ordinal].bases:
        parent = base_of(names, place.file, base)
        if isinstance(parent, Place) and depth >= MOST_DEEP:  # a class that is its own base, in the end
            parent = Stranger(text_of(interface, base), False)
        lines.append(ancestors(names, parent, depth + 1) if isinstance(parent, Place) else [parent])
        parents.append(parent)
    return [place, *_merged([*lines, parents])]


def base_of(names: Names, file: int, base: int) -> Ancestor:
    """What a base is."""
    interface = names.interface(file)
    text = text_of(interface, base)
    meaning = names.meaning(file, base)
    if isinstance(meaning, str):
        return Stranger(meaning, True)
    if meaning is None:
        return Stranger(text, False, file, base)
    kind = names.interface(meaning.file).defs[meaning.ordinal].kind
    return meaning if kind == NodeKind.CLASS else Stranger(text, False, file, base)


def _merged(lines: list[list[Ancestor]]) -> list[Ancestor]:
    numbers: dict[Ancestor, tuple[int, int]] = {}
    for line in lines:
        for item in line:
            numbers.setdefault(item, (len(numbers), 0))
    back = {number: item for item, number in numbers.items()}
    return [back[number] for number in merge([[numbers[item] for item in line] for line in lines])]
