"""Tables: what other files can look up in a file, reduced from its interface.

They are small enough to hold for a whole project, and their values are comparable, so that two versions of a file can
be compared name by name. Following imports is left to `lookup`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from keel.languages.python.facts import Binding, Def, Interface
from keel.languages.python.forms import ATOM, BOUND, CHAIN, NUMBER, STRING
from keel.languages.python.standard_library import DECORATED
from keel.model.facts import DEFINED, FROM_IMPORT, INSTANCE, MODULE_DEF, PROPERTY, STAR, TYPE_ONLY, Site
from keel.model.kinds import NodeKind

PROPERTY_KIND = 100
"""A method that is read, not called: no kind of node, only of what a name is bound to."""
LITERALS = frozenset((ATOM, NUMBER, STRING))
CHAINS = (CHAIN, BOUND)


class Defined(Struct, frozen=True, gc=False):
    """A name bound to a definition. Its ordinal is left out of comparisons by `meaning`."""

    ordinal: int
    kind: int
    name: str
    occurrence: int


class Imported(Struct, frozen=True, gc=False):
    """A name bound to an import; without a name, to the module itself."""

    module: str
    level: int
    name: str
    aliased: bool
    type_only: bool


class Held(Struct, frozen=True, gc=False):
    """A name bound to a value: the node of the constant or field (or -1), and whether the value is a mere literal."""

    ordinal: int
    occurrence: int
    literal: bool


What = Defined | Imported | Held


class Bound(Struct, frozen=True):
    """One site of a binding."""

    what: What
    at: int
    conditional: bool


class Base(Struct, frozen=True):
    """A base class as written: its text, and what its first name is bound to there (empty: unbound)."""

    text: str
    root: tuple[Bound, ...]


class ClassTable(Struct, frozen=True):
    """A class: its bases in order (empty text: not a plain name), and its own attributes."""

    name: str
    occurrence: int
    bases: tuple[Base, ...]
    attributes: dict[str, tuple[Bound, ...]]
    """Bound in its body."""
    fields: dict[str, tuple[Bound, ...]]
    """Set on instances only."""
    assigned: frozenset[str]
    """All that methods set on instances, whether the body binds it too or not."""
    has_metaclass: bool
    """Or any other class keyword: the members of such a class may be made elsewhere."""


class Table(Struct, frozen=True):
    """A file as others see it."""

    names: dict[str, tuple[Bound, ...]]
    classes: dict[int, ClassTable]
    stars: tuple[Imported, ...]
    exports: tuple[str, ...] | None
    kinds: bytes
    """Kind of each definition, by ordinal."""
    decorated: frozenset[int] = frozenset()
    """Functions whose decorators may replace them."""


class Placed(Protocol):
    """A site of a binding, as facts or as a table have it."""

    @property
    def at(self) -> int:
        """The offset from which the binding holds."""

    @property
    def conditional(self) -> bool:
        """Whether it may not."""


S = TypeVar("S", bound=Placed)


def visible(sites: Sequence[S], at: int | None = None) -> tuple[S, ...]:
    """The sites that may hold at an offset (None: at the end of the scope): the last certain one, and later maybes."""
    if len(sites) == 1:
        return tuple(sites)
    kept: list[S] = []
    for site in sites:
        if at is not None and site.at > at and kept:
            break
        if not site.conditional:
            kept.clear()
        kept.append(site)
    return tuple(kept)


def build_table(interface: Interface) -> Table:
    """The table of a file."""
    reader = BindingReader(interface)
    scopes, fields = reader.scopes()
    assigned = _assigned(interface)
    defs = interface.defs
    classes = {
        ordinal: ClassTable(
            interface.text(definition.qualified_name),
            definition.occurrence,
            tuple([_base(interface, reader, scopes, ordinal, expr) for expr in definition.bases]),
            {name: visible(reader.sites(index)) for name, index in scopes.get(ordinal, {}).items()},
            {name: reader.sites(index) for name, index in fields.get(ordinal, {}).items()},
            frozenset(assigned.get(ordinal, ())),
            bool(definition.keywords),
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
        {name: visible(reader.sites(index)) for name, index in scopes.get(MODULE_DEF, {}).items()},
        classes,
        stars,
        None if interface.exports is None else tuple(interface.exports),
        bytes([definition.kind for definition in defs]),
        frozenset(
            ordinal
            for ordinal, definition in enumerate(defs)
            if definition.decorators and not _is_persistent_name(definition)
        ),
    )


def _is_persistent_name(definition: Def) -> bool:
    """Whether a definition is a class, or all its decorators are known to leave it."""
    return definition.kind == NodeKind.CLASS or len(definition.decorators) == (definition.flags & DECORATED).bit_count()


class BindingReader:
    """The bindings of a file, read one by one as they are asked for."""

    def __init__(self, interface: Interface) -> None:
        self._interface = interface
        self._variables = variable_nodes(interface)
        self._read: dict[int, tuple[Bound, ...]] = {}

    def scopes(self) -> tuple[dict[int, dict[str, int]], dict[int, dict[str, int]]]:
        """Indexes of all bindings, by scope and name; those of fields that only instances have apart."""
        scopes: dict[int, dict[str, int]] = {}
        fields: dict[int, dict[str, int]] = {}
        strings, defs = self._interface.strings, self._interface.defs
        for index, binding in enumerate(self._interface.bindings):
            site = binding.sites[0]
            on_instances = site.what == DEFINED and defs[site.target].flags & INSTANCE
            (fields if on_instances else scopes).setdefault(binding.scope, {})[strings[binding.name]] = index
        return scopes, fields

    def sites(self, index: int) -> tuple[Bound, ...]:
        """The sites of a binding."""
        known = self._read.get(index)
        if known is None:
            binding = self._interface.bindings[index]
            known = self._read[index] = tuple(
                [Bound(self._what(binding, site), site.at, site.conditional) for site in binding.sites]
            )
        return known

    def _what(self, binding: Binding, site: Site) -> What:
        interface = self._interface
        if site.what == DEFINED:
            definition = interface.defs[site.target]
            name = interface.strings[definition.qualified_name]
            kind = PROPERTY_KIND if definition.flags & PROPERTY else int(definition.kind)
            return Defined(site.target, kind, name, definition.occurrence)
        if site.what == FROM_IMPORT:
            item = interface.imports[site.target]
            return Imported(
                interface.text(item.module),
                item.level,
                interface.text(item.name),
                item.alias >= 0,
                bool(item.flags & TYPE_ONLY),
            )
        ordinal = self._variables.get((binding.scope, binding.name), -1)
        literal = site.target >= 0 and interface.ir[site.target] in LITERALS
        return Held(ordinal, interface.defs[ordinal].occurrence if ordinal >= 0 else 0, literal)


def variable_nodes(interface: Interface) -> dict[tuple[int, int], int]:
    """Ordinals of the constants, fields and type aliases of a file, by scope and name (as an index)."""
    return {
        (definition.parent, definition.name): ordinal
        for ordinal, definition in enumerate(interface.defs)
        if definition.kind in VARIABLES
    }


VARIABLES = frozenset((NodeKind.CONSTANT, NodeKind.FIELD, NodeKind.TYPE_ALIAS))


def _assigned(interface: Interface) -> dict[int, list[str]]:
    """Names that methods set on their receiver, by class."""
    found: dict[int, list[str]] = {}
    ir, strings, defs = interface.ir, interface.strings, interface.defs
    for assign in interface.assigns:
        method = defs[assign.scope]
        if method.kind != NodeKind.METHOD or assign.target < 0 or ir[assign.target] not in CHAINS:
            continue
        receiver, _, name = strings[ir[assign.target + 1]].partition(".")
        params = method.signature.params if method.signature else []
        if name and "." not in name and params and strings[params[0].name] == receiver:
            found.setdefault(method.parent, []).append(name)
    return found


def _base(
    interface: Interface,
    reader: BindingReader,
    scopes: dict[int, dict[str, int]],
    ordinal: int,
    expr: int,
) -> Base:
    if expr < 0 or interface.ir[expr] not in CHAINS:
        return Base("", ())
    text = interface.strings[interface.ir[expr + 1]]
    root = text.partition(".")[0]
    definition = interface.defs[ordinal]
    scope, nearest = definition.parent, True
    while scope >= MODULE_DEF:
        index = scopes.get(scope, {}).get(root)
        if index is not None and (nearest or interface.defs[scope].kind != NodeKind.CLASS):
            return Base(text, visible(reader.sites(index), definition.start if nearest else None))
        scope, nearest = interface.defs[scope].parent, False
    return Base(text, ())


def meaning(sites: tuple[Bound, ...]) -> list[object]:
    """What sites say, in a form that moves and renumbering leave alone."""
    return [_meaning(site.what) for site in sites]


def _meaning(what: What) -> object:
    if isinstance(what, Defined):
        return what.kind, what.name, what.occurrence
    return what if isinstance(what, Imported) else (what.occurrence, what.literal)
