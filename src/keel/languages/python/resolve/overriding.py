"""Overriding: the methods of base classes that the methods of a file's classes stand in for.

The nearest one in the method resolution order counts. A base from outside is passed over: whatever it says, the method
behind it is overridden as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.languages.python.resolve.inheritance import is_mangled, known
from keel.languages.python.resolve.lookup import (
    CLASS,
    FUNCTIONS,
    LINKED,
    RECEIVER,
    Answer,
    Lookup,
)
from keel.languages.python.resolve.sources import Source
from keel.languages.python.resolve.tables import PROPERTY_KIND, Bound, Defined, Table
from keel.model.kinds import EdgeKind, Tier
from keel.model.metadata import stored
from keel.model.rows import EdgeRow

OVERRIDES, HEURISTIC = int(EdgeKind.OVERRIDES), int(Tier.TIER2_TREESITTER_HEURISTIC)
METHODS = FUNCTIONS | {PROPERTY_KIND}

Place = tuple[int, int]
"""A class: file and definition."""


def override_edges(lookup: Lookup, table: Table, source: Source, file: int) -> Iterator[EdgeRow]:
    """An edge from each method of the file that overrides another."""
    for ordinal, entry in table.classes.items():
        if not entry.bases:
            continue
        behind = known(lookup.order(file, ordinal)[0][1:])
        for name, sites in entry.attributes.items() if behind else ():
            methods = _methods(sites)
            if methods and not is_mangled(name):
                yield from _edges(lookup, source, (file, ordinal), methods, behind, name)


def _edges(
    lookup: Lookup, source: Source, here: Place, methods: list[int], behind: list[Place], name: str
) -> Iterator[EdgeRow]:
    for owner in behind:
        sites = lookup.in_body(*owner, name)
        if not sites:
            continue
        way = way_to(lookup, here, owner)
        confidence = min([RECEIVER, *(answer.confidence for _, answer in way)])
        star = next((answer.star for _, answer in way if answer.star), "")
        metadata = stored(star, []) if star else ""
        for method in methods:
            definition = source.defs[method]
            at = definition.name_at - definition.start
            for target in _methods(sites):
                yield EdgeRow(method, at, OVERRIDES, owner[0], target, HEURISTIC, confidence, 0, metadata)
        return


def way_to(lookup: Lookup, here: Place, owner: Place) -> list[tuple[Place, Answer]]:
    """The classes on the way from one to a base far above it, each with what its base on that way was found to be."""
    way: list[tuple[Place, Answer]] = []
    while here != owner:
        for answer in lookup.bases(*here):
            base = (answer.file, answer.ordinal)
            if answer.reason == LINKED and answer.kind == CLASS and owner in lookup.order(*base)[0]:
                way.append((here, answer))
                here = base
                break
        else:  # a ring of classes
            return way
        if len(way) > MAX_WAY:
            return way
    return way


MAX_WAY = 100
"""More classes above each other are a ring."""


def _methods(sites: tuple[Bound, ...]) -> list[int]:
    """The methods that a name of a class body is bound to; none when it may be anything else."""
    found = [site.what.ordinal for site in sites if isinstance(site.what, Defined) and site.what.kind in METHODS]
    return found if len(found) == len(sites) else []
