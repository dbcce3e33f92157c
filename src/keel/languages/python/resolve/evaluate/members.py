"""Members: the attributes of an abstract value, and which methods of bases the methods of a class override.

Classes by their method resolution order, instances with what methods set on them, modules by their names. Where a base
from outside comes before the first class that has the attribute, nothing is known. For overriding, the nearest method
in the order counts, and a base from outside is skipped: whatever it defines, the method behind it is overridden too.
Look-ups by name alone are left to `lookup`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate import types
from keel.languages.python.resolve.evaluate.abstract_values import (
    BOUND_OUTSIDE,
    CLASS,
    DISPLAY,
    ENTRIES,
    FUNCTION,
    INSTANCE,
    ITEMS,
    MADE_OUTSIDE,
    MANY,
    METHOD,
    MODULE,
    NONE,
    OUTSIDE,
    PROPERTY,
    ROW,
    SPACE,
    SUPER,
    TEXT,
    TOO_MANY,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.arguments import of_abstract_values
from keel.languages.python.resolve.evaluate.returns import handed_back
from keel.languages.python.resolve.inheritance import is_mangled, known, searched
from keel.languages.python.resolve.lookup.keys import FIELDS
from keel.languages.python.resolve.lookup.lookup import CLASS as CLASS_KIND
from keel.languages.python.resolve.lookup.lookup import FUNCTIONS, LINKED, MISSING, RECEIVER, Answer, Lookup
from keel.languages.python.resolve.lookup.sources import Source
from keel.languages.python.resolve.lookup.tables import PROPERTY_KIND, Bound, Defined, Table
from keel.languages.python.standard_library import CLASS_METHODS, ENUMS, NAMED_TUPLES, STATIC_METHODS, last_names
from keel.model.facts import CLASSMETHOD, STATIC
from keel.model.facts import INSTANCE as ON_INSTANCES
from keel.model.facts import PROPERTY as IS_PROPERTY
from keel.model.kinds import EdgeKind, NodeKind, Tier
from keel.model.metadata import stored
from keel.model.refs import DefKey
from keel.model.rows import EdgeRow

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate.evaluation import Evaluation


OF_CLASSES = CLASS_METHODS | STATIC_METHODS
"""Methods that are class methods without a decorator."""


def attribute(e: Evaluation, owner: AbstractValue, name: str) -> AbstractValues:
    """The values of an attribute of an abstract value."""
    sort = owner[0]
    if sort in (INSTANCE, CLASS):
        if name == "__class__" and sort == INSTANCE:
            return ((CLASS, *owner[1:]),)
        return e.lookup.remember(("M", *owner, name), NONE, _of_class, e, owner, name)
    if sort == MODULE:
        return e.name(owner[1], name)
    if sort == SUPER:
        return _of_super(e, owner, name)
    if sort in (OUTSIDE, MADE_OUTSIDE):
        return ((OUTSIDE, f"{owner[1]}.{name}"),)
    if sort == SPACE:
        answer = e.lookup.submodule(owner[1], name)
        return (
            ((SPACE, answer.namespace),) if answer.namespace else ((MODULE, answer.file),) if answer.file >= 0 else NONE
        )
    if sort == MANY:
        return TOO_MANY
    if sort in (DISPLAY, ITEMS, ROW, ENTRIES):
        return ((BOUND_OUTSIDE, name, owner),)
    if sort == FUNCTION and not name.startswith("__"):
        return e.slots.field(owner[1], owner[2], name)
    if sort == METHOD and name == "__func__":
        return ((FUNCTION, owner[1], owner[2]),)
    if sort == METHOD and name == "__self__":
        return (owner[3],)
    return NONE


def _of_class(e: Evaluation, owner: AbstractValue, name: str) -> AbstractValues:
    order, _ = e.lookup.order(owner[1], owner[2])
    return _along(e, order, owner, name)


def _of_super(e: Evaluation, owner: AbstractValue, name: str) -> AbstractValues:
    """An attribute of `super()`: from the classes behind the class in the receiver's order."""
    _, file, ordinal, receiver = owner
    if receiver[0] not in (INSTANCE, CLASS):
        return NONE
    order, _ = e.lookup.order(receiver[1], receiver[2])
    here = (file, ordinal)
    behind = order[order.index(here) + 1 :] if here in order else []
    return _along(e, behind, receiver, name)


def _along(e: Evaluation, order: list[tuple[int, int]], receiver: AbstractValue, name: str) -> AbstractValues:
    owners, stranger = searched(order, name)
    for file, ordinal in owners:
        found = own(e, file, ordinal, name, receiver)
        if found is not None:
            return found
    is_special = name.startswith("__") and name.endswith("__")
    return NONE if stranger is not None or is_special or receiver[0] != INSTANCE else _made_up(e, receiver, name)


def special(e: Evaluation, owner: AbstractValue, name: str) -> AbstractValues:
    """A method that Python itself looks up on the class of an instance."""
    if owner[0] != INSTANCE:
        return attribute(e, owner, name)
    answer = e.lookup.special(owner[1], owner[2], name)
    if answer.reason == LINKED and answer.kind in FUNCTIONS:
        return ((METHOD, answer.file, answer.ordinal, owner),)
    return attribute(e, owner, name) if answer.reason != MISSING else NONE


def _made_up(e: Evaluation, receiver: AbstractValue, name: str) -> AbstractValues:
    """The result of `__getattr__` for an attribute that no class has."""
    named = of_abstract_values(((TEXT, name),))
    makers = special(e, receiver, "__getattr__")
    return join(handed_back(e, one[1], one[2], receiver, named) for one in makers if one[0] == METHOD)


def own(e: Evaluation, file: int, ordinal: int, name: str, receiver: AbstractValue) -> AbstractValues | None:
    """What a class itself defines for an attribute, in its body or on its instances; None when it defines nothing."""
    source = e.source(file)
    e.lookup.asked_of_class(file, ordinal, name)
    key = (ordinal, name)
    stored = source.stores.get(key) if receiver[0] == INSTANCE else None
    sites = source.bindings.get(key)
    is_own = (file, ordinal) == receiver[1:]
    if sites is None and not stored:
        return (_set_from_outside(e, file, ordinal, name, receiver) or None) if is_own else None
    e.note_attribute(file, ordinal, name)
    found = e.without_frame(_own, e, file, key, receiver)
    if found and found[0][0] in (FUNCTION, METHOD):
        return found
    given = _set_from_outside(e, file, ordinal, name, receiver)
    return join([found, given]) if given else found


def _set_from_outside(e: Evaluation, file: int, ordinal: int, name: str, receiver: AbstractValue) -> AbstractValues:
    """What others set an attribute to; a function that is set on the class is bound to the object it is read from."""
    given = e.slots.field(file, ordinal, name)
    of_class = (CLASS, file, ordinal)
    if receiver[0] != INSTANCE or not any(value[0] == METHOD and value[3] == of_class for value in given):
        return given
    return tuple(
        (*value[:3], receiver)
        if value[0] == METHOD and value[3] == of_class and not _is_of_class(e, value[1], value[2])
        else value
        for value in given
    )


def _is_of_class(e: Evaluation, file: int, function: int) -> bool:
    source = e.source(file)
    definition = source.defs[function]
    if definition.flags & CLASSMETHOD:
        return True
    return definition.kind == NodeKind.METHOD and source.strings[definition.name] in OF_CLASSES


def _own(e: Evaluation, file: int, key: tuple[int, str], receiver: AbstractValue) -> AbstractValues:
    source = e.source(file)
    field = source.fields.get(key)
    if field is not None:
        declared = types.instances(e, file, source.defs[field].type)
        if declared:
            return declared
    body = e.binding(file, *key) if _in_body(e, file, key) else NONE
    stored = e.all(file, source.stores.get(key, ())) if receiver[0] == INSTANCE else NONE
    stored = join([stored, *(e.extension(file, one) for one in source.extended.get(key, ()))])
    elements = e.grown(file, source.grown.get(key, ()))
    if receiver[0] == CLASS and is_enum(e, receiver) and _in_body(e, file, key):
        functions = tuple(value for value in body if value[0] == FUNCTION)
        body = functions or ((INSTANCE, *receiver[1:]),)
    if receiver[0] == INSTANCE and source.stores.get(key):  # it hides a method, whatever it is
        body = tuple(value for value in body if value[0] != FUNCTION)
    return join(
        [
            *(_bound(e, value, receiver) for value in body),
            stored,
            elements,
        ]
    )


ENUM_NAMES = last_names(ENUMS)
NAMED_TUPLE_NAMES = last_names(NAMED_TUPLES)


def is_enum(e: Evaluation, cls: AbstractValue) -> bool:
    """Whether the attributes of a class are its instances."""
    order, _ = e.lookup.order(cls[1], cls[2])
    return any(base in ENUM_NAMES for file, ordinal in known(order) for base in e.lookup.base_names(file, ordinal))


def tuple_fields(e: Evaluation, instance: AbstractValue) -> list[str]:
    """The fields of a named tuple in order; none for other objects."""
    order, _ = e.lookup.order(instance[1], instance[2])
    for file, ordinal in known(order):
        if not NAMED_TUPLE_NAMES.isdisjoint(e.lookup.base_names(file, ordinal)):
            e.note_attribute(file, ordinal, FIELDS)
            return e.source(file).field_names(ordinal)
    return []


def _in_body(e: Evaluation, file: int, key: tuple[int, str]) -> bool:
    """Whether the class body binds the name, not only some method on its instances."""
    source = e.source(file)
    sites = source.bindings.get(key, [])
    return any(not (site.what == 0 and source.defs[site.target].flags & ON_INSTANCES) for site in sites)


def _bound(e: Evaluation, value: AbstractValue, receiver: AbstractValue) -> AbstractValues:
    """What a class attribute becomes when it is read through an instance or the class."""
    if value[0] == PROPERTY:
        return join(handed_back(e, getter[1], getter[2], receiver) for getter in value[1] if getter[0] == FUNCTION)
    if value[0] != FUNCTION:
        return (value,)  # a wrapper among them: it goes with what it wraps
    _, file, ordinal = value
    source = e.source(file)
    definition = source.defs[ordinal]
    if definition.flags & IS_PROPERTY:
        return handed_back(e, file, ordinal, receiver) if receiver[0] == INSTANCE else NONE
    if definition.flags & STATIC:
        return (value,)
    if _is_of_class(e, file, ordinal):
        return ((METHOD, file, ordinal, (CLASS, *receiver[1:])),)
    return ((METHOD, file, ordinal, receiver),) if receiver[0] == INSTANCE else (value,)


def getters_before(e: Evaluation, file: int, expr: int) -> list[tuple[int, int]]:
    """The properties that a dotted value reads before its last name: file and definition."""
    source = e.source(file)
    ir = source.ir
    if ir[expr] not in (forms.CHAIN, forms.BOUND):
        return []
    names = source.strings[ir[expr + 1]].split(".")
    if ir[expr] == forms.CHAIN:
        owners, rest = e.root(file, ir[expr + 2], names[0]), names[1:-1]
    else:
        owners, rest = e.evaluate(file, ir[expr + 2]), names[ir[expr + 3] or len(names) : -1]
    found: dict[tuple[int, int], None] = {}
    for name in rest:
        for owner in owners:
            if owner[0] == INSTANCE:
                answer = e.lookup.attribute(owner[1], owner[2], name)
                if answer.ordinal >= 0 and e.source(answer.file).defs[answer.ordinal].flags & IS_PROPERTY:
                    found[answer.file, answer.ordinal] = None
        owners = e.attributes(owners, name)
    return list(found)


def owners_of(e: Evaluation, file: int, expr: int) -> tuple[AbstractValues, str]:
    """What the last name of a value is looked up on, and that name; no name when it has no owner."""
    source = e.source(file)
    ir, strings = source.ir, source.strings
    op = ir[expr]
    if op == forms.ATTR:
        return e.evaluate(file, ir[expr + 1]), strings[ir[expr + 2]]
    if op not in (forms.CHAIN, forms.BOUND):
        return NONE, ""
    names = strings[ir[expr + 1]].split(".")
    if op == forms.CHAIN:
        if len(names) == 1:
            return NONE, ""
        owners, rest = e.root(file, ir[expr + 2], names[0]), names[1:-1]
    else:
        if ir[expr + 3] == 0:
            return NONE, ""
        owners, rest = e.evaluate(file, ir[expr + 2]), names[ir[expr + 3] : -1]
    for name in rest:
        owners = e.attributes(owners, name)
    return owners, names[-1]


OVERRIDES, HEURISTIC = int(EdgeKind.OVERRIDES), int(Tier.TIER2_TREESITTER_HEURISTIC)
METHODS = FUNCTIONS | {PROPERTY_KIND}


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
    lookup: Lookup, source: Source, here: DefKey, methods: list[int], behind: list[DefKey], name: str
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


def way_to(lookup: Lookup, here: DefKey, owner: DefKey) -> list[tuple[DefKey, Answer]]:
    """The classes on the path from one to a distant base, each with what its base on that path resolved to."""
    way: list[tuple[DefKey, Answer]] = []
    while here != owner:
        for answer in lookup.bases(*here):
            base = (answer.file, answer.ordinal)
            if answer.reason == LINKED and answer.kind == CLASS_KIND and owner in lookup.order(*base)[0]:
                way.append((here, answer))
                here = base
                break
        else:  # a cycle of classes
            return way
        if len(way) > MAX_WAY:
            return way
    return way


MAX_WAY = 100
"""A longer path of classes is a cycle."""


def _methods(sites: tuple[Bound, ...]) -> list[int]:
    """The methods that a name of a class body is bound to; none when it may be anything else."""
    found = [site.what.ordinal for site in sites if isinstance(site.what, Defined) and site.what.kind in METHODS]
    return found if len(found) == len(sites) else []
