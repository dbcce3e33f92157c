"""Records: classes whose constructor is generated from their fields, namely dataclasses and named tuples.

Fields are the annotated names of a class body, in order. Constructors that are written out are left to `callees`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from keel.languages.python import forms
from keel.languages.python.binding.bind import Callee, Doubt, Parameter, Shape, Why
from keel.languages.python.binding.calls import arguments, string_of
from keel.languages.python.binding.names import Ancestor, Names
from keel.languages.python.facts import Interface
from keel.languages.python.standard_library import DATACLASS, TYPING
from keel.model.facts import ASSIGNED, NOTHING
from keel.model.kinds import NodeKind, ParamKind
from keel.model.refs import DefRef

_head_of_type = re.compile(r"\s*([A-Za-z_][\w.]*)").match
QUOTES = "\"'"


class Field(Struct, frozen=True):
    """An annotated name in a class body."""

    name: str
    marker: str
    """What its annotation begins with, as a dotted name from outside; empty when it is something else."""
    has_value: bool
    value: int = NOTHING
    """The expression of its value."""
    is_certain: bool = True
    """Whether it is always bound, and nothing else of that name is."""


def fields_of(names: Names, ref: DefRef) -> Iterator[Field]:
    """The fields of a class body, in order."""
    interface = names.interface(ref.file)
    valued = _assigned(interface, ref.ordinal)
    for definition in interface.defs:
        if definition.parent != ref.ordinal or definition.kind != NodeKind.FIELD:
            continue
        name = interface.text(definition.name)
        sites = names.sites(ref.file, ref.ordinal, name)
        if not sites or (definition.annotation < 0 and len(_sites(interface, ref.ordinal, name)) == 1):
            continue
        is_defined = any(site.what != ASSIGNED for site in sites)
        is_certain = definition.annotation >= 0 and not any(site.conditional for site in sites)
        marker = _marker(names, ref.file, interface.text(definition.annotation))
        value = sites[-1].target if not is_defined else NOTHING
        yield Field(name, marker, is_defined or name in valued, value, is_certain)


def binds(names: Names, ref: DefRef, name: str) -> bool:
    """Whether a class body gives a name a value."""
    interface = names.interface(ref.file)
    sites = names.sites(ref.file, ref.ordinal, name)
    return any(site.what != ASSIGNED for site in sites) or name in _assigned(interface, ref.ordinal)


def _sites(interface: Interface, scope: int, name: str) -> list[int]:
    return [
        site.target
        for binding in interface.bindings
        if binding.scope == scope and interface.strings[binding.name] == name
        for site in binding.sites
    ]


def _assigned(interface: Interface, scope: int) -> set[str]:
    """The names that a class body assigns to; a mere annotation is none."""
    ir = interface.ir
    return {
        interface.strings[ir[each.target + 1]]
        for each in interface.assigns
        if each.scope == scope and each.target >= 0 and ir[each.target] in (forms.CHAIN, forms.BOUND)
    }


def _marker(names: Names, file: int, annotation: str) -> str:
    """The dotted name that an annotation begins with, as Python's dataclasses look for it."""
    head = _head_of_type(annotation.strip(QUOTES))
    meaning = names.written(file, head[1]) if head else None
    return meaning if isinstance(meaning, str) else ""


FIELD = "dataclasses.field"
CLASS_VARIABLES = frozenset(f"{module}.ClassVar" for module in TYPING)
NO_SLOTS = CLASS_VARIABLES | {"dataclasses.InitVar"}
"""What looks like a field, and remains an attribute of the class where fields become slots."""
KEYWORDS_FOLLOW = "dataclasses.KW_ONLY"
WITHOUT_FIELDS = ("builtins.", "typing.", "typing_extensions.", "abc.")
"""Modules whose classes are no dataclasses."""
PLAIN = ParamKind.POSITIONAL_OR_KEYWORD


class Settings(Struct, frozen=True):
    """How a class is made a dataclass; None where that is computed."""

    init: bool | None = True
    kw_only: bool | None = False
    slots: bool | None = False


class _Made(Struct, frozen=True):
    """A field of a dataclass: the parameter it becomes, if it becomes one."""

    name: str
    kind: ParamKind = PLAIN
    required: bool = True
    in_init: bool = True


def dataclass_settings(names: Names, ref: DefRef) -> Settings | None:
    """How a class is made a dataclass, if it is."""
    interface = names.interface(ref.file)
    for decorator in interface.defs[ref.ordinal].decorators:
        is_call = decorator >= 0 and interface.ir[decorator] == forms.CALL
        if names.meaning(ref.file, interface.ir[decorator + 1] if is_call else decorator) == DATACLASS:
            return _settings(interface, decorator) if is_call else Settings()
    return None


def _settings(interface: Interface, call: int) -> Settings:
    positional, named = arguments(interface, call)
    if positional or interface.ir[call + 3]:  # stars
        return Settings(None, None, None)
    return Settings(
        _truth(interface, named, "init", True),
        _truth(interface, named, "kw_only", False),
        _truth(interface, named, "slots", False),
    )


def _truth(interface: Interface, named: dict[str, int], name: str, default: bool) -> bool | None:
    if name not in named:
        return default
    expr = named[name]
    if expr >= 0 and interface.ir[expr] == forms.ATOM and interface.ir[expr + 1] in (forms.TRUE, forms.FALSE):
        return interface.ir[expr + 1] == forms.TRUE
    return None


def dataclass_init(names: Names, order: Sequence[Ancestor]) -> Callee:
    """The generated constructor of a dataclass, the first of the order: from its fields and those of its bases."""
    made: dict[str, _Made] = {}
    for index in range(len(order) - 1, -1, -1):
        ref = order[index]
        if not isinstance(ref, DefRef):
            if ref.known and ref.text.startswith(WITHOUT_FIELDS):
                continue
            return Callee(doubt=Doubt(Why.BASE, ref.text))
        settings = dataclass_settings(names, ref)
        if settings is None:
            continue
        if settings.kw_only is None:
            return Callee(doubt=Doubt(Why.CLASS_DECORATOR, DATACLASS))
        keywords = settings.kw_only
        for field in fields_of(names, ref):
            if field.marker == KEYWORDS_FOLLOW:
                keywords = True
                continue
            found = _made(names, order[index:], field, keywords)
            if found is None or not field.is_certain:
                return Callee(doubt=Doubt(Why.FIELD, field.name))
            made[field.name] = found
    taken = [each for each in made.values() if each.in_init]
    ordered = sorted(taken, key=lambda each: each.kind == ParamKind.KEYWORD_ONLY)
    receiver = Parameter("self", ParamKind.POSITIONAL_ONLY)
    return Callee((Shape((receiver, *(Parameter(each.name, each.kind, each.required) for each in ordered))),))


def _made(names: Names, order: Sequence[Ancestor], field: Field, keywords: bool) -> _Made | None:
    """The parameter of a field; None where that is not known."""
    ref = order[0]
    assert isinstance(ref, DefRef)
    kind = ParamKind.KEYWORD_ONLY if keywords else PLAIN
    if field.marker in CLASS_VARIABLES:
        return _Made(field.name, in_init=False)
    if not field.has_value:
        return _Made(field.name, kind, not _has_inherited_value(names, order[1:], field.name))
    interface = names.interface(ref.file)
    if field.value < 0 or interface.ir[field.value] != forms.CALL:
        return _Made(field.name, kind, False)
    maker = names.meaning(ref.file, interface.ir[field.value + 1])
    if maker != FIELD:
        return _Made(field.name, kind, False) if _makes_plain_values(names, maker) else None
    _, named = arguments(interface, field.value)
    default = Settings(_truth(interface, named, "init", True), _truth(interface, named, "kw_only", keywords))
    if default.init is None or default.kw_only is None or interface.ir[field.value + 3]:
        return None
    kind = ParamKind.KEYWORD_ONLY if default.kw_only else PLAIN
    return _Made(field.name, kind, "default" not in named and "default_factory" not in named, default.init)


def _makes_plain_values(names: Names, maker: DefRef | str | None) -> bool:
    """Whether a call surely makes no field: its callee is a class, or is outside."""
    if isinstance(maker, DefRef):
        return names.interface(maker.file).defs[maker.ordinal].kind == NodeKind.CLASS
    return maker is not None


def _has_inherited_value(names: Names, order: Sequence[Ancestor], name: str) -> bool:
    """Whether a base has an attribute of that name: it is the default then. A field that is made by a call need not.

    With slots a field is one, and no default, whatever bases further up have.
    """
    for ref in order:
        if not isinstance(ref, DefRef):
            continue
        field = next((each for each in fields_of(names, ref) if each.name == name), None)
        settings = dataclass_settings(names, ref)
        if settings is not None and settings.slots and field is not None and field.marker not in NO_SLOTS:
            return False
        if binds(names, ref, name) and (field is None or not _is_emptied(names, ref, field)):
            return True
    return False


def _is_emptied(names: Names, ref: DefRef, field: Field) -> bool:
    """Whether a dataclass takes the attribute away: `field(…)` without a plain default."""
    interface = names.interface(ref.file)
    if field.value < 0 or interface.ir[field.value] != forms.CALL:
        return False
    if names.meaning(ref.file, interface.ir[field.value + 1]) != FIELD:
        return False
    _, named = arguments(interface, field.value)
    return "default" not in named and dataclass_settings(names, ref) is not None


def named_tuple_new(names: Names, ref: DefRef) -> Callee:
    """The constructor of a class whose base is `typing.NamedTuple`."""
    params = [Parameter("cls", ParamKind.POSITIONAL_ONLY)]
    for field in fields_of(names, ref):
        if not field.is_certain:
            return Callee(doubt=Doubt(Why.FIELD, field.name))
        params.append(Parameter(field.name, PLAIN, not field.has_value))
    return Callee((Shape(tuple(params)),))


def called_named_tuple(interface: Interface, call: int) -> Callee:
    """The constructor of `namedtuple("P", "x y")`."""
    positional, named = arguments(interface, call)
    fields = _field_names(interface, named.get("field_names", positional[1] if len(positional) > 1 else NOTHING))
    defaults = _length(interface, named["defaults"]) if "defaults" in named else 0
    return _tuple_callee(fields, defaults if "rename" not in named and not interface.ir[call + 3] else None)


def called_typed_tuple(interface: Interface, call: int) -> Callee:
    """The constructor of `NamedTuple("P", [("x", int)])`."""
    positional, named = arguments(interface, call)
    ir = interface.ir
    pairs = _items(interface, named.get("fields", positional[1] if len(positional) > 1 else NOTHING))
    heads = [_items(interface, pair) for pair in pairs or ()]
    texts = [string_of(interface, head[0]) if head else None for head in heads]
    fields = None if pairs is None or None in texts else [text for text in texts if text is not None]
    return _tuple_callee(fields, None if ir[call + 3] else 0)


def _tuple_callee(fields: list[str] | None, defaults: int | None) -> Callee:
    if fields is None or defaults is None:
        return Callee(doubt=Doubt(Why.FIELD, "field_names"))
    first = len(fields) - defaults
    params = [Parameter(name, PLAIN, index < first) for index, name in enumerate(fields)]
    return Callee((Shape((Parameter("cls", ParamKind.POSITIONAL_ONLY), *params)),))


def _field_names(interface: Interface, expr: int) -> list[str] | None:
    text = string_of(interface, expr)
    if text is not None:
        return text.replace(",", " ").split()
    items = _items(interface, expr)
    texts = [string_of(interface, item) for item in items or ()]
    return None if items is None or None in texts else [each for each in texts if each is not None]


def _items(interface: Interface, expr: int) -> list[int] | None:
    """The elements of a list or tuple that is written out."""
    ir = interface.ir
    if expr < 0 or ir[expr] != forms.DISPLAY or ir[expr + 1] not in (forms.LIST, forms.TUPLE):
        return None
    items = list(forms.operands(ir, expr))
    return None if any(item >= 0 and ir[item] == forms.WRAP for item in items) else items


def _length(interface: Interface, expr: int) -> int | None:
    if expr >= 0 and interface.ir[expr] == forms.ATOM and interface.ir[expr + 1] == forms.NONE:
        return 0
    items = _items(interface, expr)
    return None if items is None else len(items)
