"""Tables: what other files can look up in a file, boiled down from its interface.

They are small enough to hold for a whole project, and their values are comparable, so that two versions of a file can
be told apart name by name. Following imports is left to `lookup`.
"""

from __future__ import annotations

from typing import NamedTuple

from keel.model.facts import (
    ASSIGNED,
    DEFINED,
    FROM_IMPORT,
    STAR,
    TYPE_ONLY,
    Interface,
    Site,
)
from keel.model.kinds import NodeKind
from keel.model.values import CHAIN

MODULE_DEF = 1


class Defined(NamedTuple):
    """A name bound to a definition. Its ordinal is left out of comparisons by `meaning`."""

    ordinal: int
    kind: int
    name: str
    occurrence: int


class Imported(NamedTuple):
    """A name bound to an import; without a name, to the module itself."""

    module: str
    level: int
    name: str
    aliased: bool
    type_only: bool


class Held(NamedTuple):
    """A name bound to a value; the node of the constant or field, or -1."""

    ordinal: int


What = Defined | Imported | Held


class Bound(NamedTuple):
    """One site of a binding."""

    what: What
    at: int
    conditional: bool


class Base(NamedTuple):
    """A base class as written: its text, and what its first name is bound to at that place (empty: unbound)."""

    text: str
    root: tuple[Bound, ...]


class ClassTable(NamedTuple):
    """A class: its bases in order (empty text: not a plain name), and its own attributes."""

    name: str
    occurrence: int
    bases: tuple[Base, ...]
    attributes: dict[str, tuple[Bound, ...]]


class Table(NamedTuple):
    """A file as others see it."""

    names: dict[str, tuple[Bound, ...]]
    classes: dict[int, ClassTable]
    stars: tuple[Imported, ...]
    exports: tuple[str, ...] | None
    kinds: bytes
    """Kind of each definition, by ordinal."""


def visible(sites: tuple[Bound, ...], at: int | None = None) -> tuple[Bound, ...]:
    """The sites that may hold at a place (None: at the end of the scope): the last certain one, and later maybes."""
    if len(sites) == 1:
        return sites
    kept: list[Bound] = []
    for site in sites:
        if at is not None and site.at > at and kept:
            break
        if not site.conditional:
            kept.clear()
        kept.append(site)
    return tuple(kept)


def build_table(interface: Interface) -> Table:
    """The table of a file."""
    scopes = bound_names(interface)
    defs = interface.defs
    classes = {
        ordinal: ClassTable(
            interface.text(definition.qualified_name),
            definition.occurrence,
            tuple(_base(interface, scopes, ordinal, place) for place in definition.bases),
            {name: visible(sites) for name, sites in scopes.get(ordinal, {}).items()},
        )
        for ordinal, definition in enumerate(defs)
        if definition.kind == NodeKind.CLASS
    }
    stars = tuple(
        Imported(interface.text(item.module), item.level, "*", False, bool(item.flags & TYPE_ONLY))
        for item in interface.imports
        if item.flags & STAR and item.scope == MODULE_DEF
    )
    return Table(
        {name: visible(sites) for name, sites in scopes.get(MODULE_DEF, {}).items()},
        classes,
        stars,
        None if interface.exports is None else tuple(interface.exports),
        bytes(definition.kind for definition in defs),
    )


def bound_names(interface: Interface) -> dict[int, dict[str, tuple[Bound, ...]]]:
    """All bindings of a file, by scope and name."""
    scopes: dict[int, dict[str, tuple[Bound, ...]]] = {}
    variables = variable_nodes(interface)
    strings = interface.strings
    for binding in interface.bindings:
        name = strings[binding.name]
        held = Held(variables.get((binding.scope, name), -1))
        scopes.setdefault(binding.scope, {})[name] = tuple(
            [Bound(_what(interface, site, held), site.at, site.conditional) for site in binding.sites]
        )
    return scopes


def variable_nodes(interface: Interface) -> dict[tuple[int, str], int]:
    """Ordinals of the constants, fields and type aliases of a file, by scope and name."""
    strings = interface.strings
    return {
        (definition.parent, strings[definition.name]): ordinal
        for ordinal, definition in enumerate(interface.defs)
        if definition.kind in _VARIABLES
    }


_VARIABLES = frozenset((NodeKind.CONSTANT, NodeKind.FIELD, NodeKind.TYPE_ALIAS))


def _what(interface: Interface, site: Site, held: Held) -> What:
    if site.what == DEFINED:
        definition = interface.defs[site.target]
        return Defined(
            site.target,
            definition.kind,
            interface.text(definition.qualified_name),
            definition.occurrence,
        )
    if site.what == FROM_IMPORT:
        item = interface.imports[site.target]
        return Imported(
            interface.text(item.module),
            item.level,
            interface.text(item.name),
            item.alias >= 0,
            bool(item.flags & TYPE_ONLY),
        )
    assert site.what == ASSIGNED
    return held


def _base(
    interface: Interface,
    scopes: dict[int, dict[str, tuple[Bound, ...]]],
    ordinal: int,
    place: int,
) -> Base:
    if place < 0 or interface.tape[place] != CHAIN:
        return Base("", ())
    text = interface.strings[interface.tape[place + 1]]
    root = text.partition(".")[0]
    definition = interface.defs[ordinal]
    scope, nearest = definition.parent, True
    while scope >= MODULE_DEF:
        sites = scopes.get(scope, {}).get(root)
        if sites is not None and (nearest or interface.defs[scope].kind != NodeKind.CLASS):
            return Base(text, visible(sites, definition.start if nearest else None))
        scope, nearest = interface.defs[scope].parent, False
    return Base(text, ())


def meaning(sites: tuple[Bound, ...]) -> tuple[object, ...]:
    """What sites say, in a form that moves and renumbering leave alone."""
    return tuple(
        site.what[1:] if isinstance(site.what, Defined) else (site.what.ordinal >= 0,)
        if isinstance(site.what, Held)
        else site.what
        for site in sites
    )
