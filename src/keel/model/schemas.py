"""JSON Schemas of records and structs, derived from their classes.

One function serves results and parameters, so that a schema cannot drift from its class. Validating values against a
schema is left to their receivers.
"""

from __future__ import annotations

import builtins
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec import Struct

from keel.model.record import MISSING, Field, Record, fields_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
PLAIN: Mapping[object, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def schema_of(kind: type, output: bool = True) -> Schema:
    """The schema of a record; for one that streams the schema of a line, for one with `FORMS` those of all forms.

    In output every field is present; in input those with a default may be left out.
    """
    forms = getattr(kind, "FORMS", "")
    if forms:
        return {"$schema": DIALECT, "title": _title(kind), **_type(_annotation(kind, forms), output)}
    fields = fields_of(kind)
    stream = next((field for field in fields.values() if field.type.startswith("Iterator[")), None)
    described = _type(_annotation(kind, stream.type), output) if stream is not None else _object(kind, output)
    return {"$schema": DIALECT, "title": _title(kind), **described}


def _title(kind: type) -> str:
    return f"{kind.__module__.rpartition('.')[2]} {kind.__name__}"


def _object(kind: type, output: bool) -> Schema:
    """A record or struct: every field described, nothing else allowed."""
    fields = dict(_fields(kind))
    tag = getattr(getattr(kind, "__struct_config__", None), "tag", None)
    properties: Schema = {cast(str, kind.__struct_config__.tag_field): {"const": tag}} if tag else {}  # type: ignore[attr-defined]  # every struct has it
    for name, (annotation, field) in fields.items():
        properties[name] = {**_type(annotation, output), **_field_schema(field, output)}
    may_lack = [*getattr(kind, "LEFT_OUT", ())]
    others: list[type] = kind.__subclasses__() if getattr(kind, "IS_EXTENDED", False) else []
    for other in others:
        for name, (annotation, field) in _fields(other):
            if name not in properties:
                properties[name] = {**_type(annotation, output), **_field_schema(field, output)}
                may_lack.append(name)
    required = [
        name
        for name in properties
        if name not in may_lack and (output or name not in fields or fields[name][1].required)
    ]
    described: Schema = {"type": "object", "properties": properties, "required": required}
    return {**described, "additionalProperties": False, "description": inspect.cleandoc(kind.__doc__ or "")}


def _fields(kind: type) -> Iterator[tuple[str, tuple[object, Field]]]:
    if issubclass(kind, Record):
        for name, field in fields_of(kind).items():
            if name not in getattr(kind, "ASIDE", ()):
                yield name, (_annotation(kind, field.type), field)
    else:
        hints = typing.get_type_hints(kind)
        for name in kind.__struct_fields__:  # type: ignore[attr-defined]  # every struct has them
            yield name, (hints[name], Field())


def _annotation(kind: type, written: str) -> object:
    """A type as the module of its class, or of the base class that declares the field, resolves it."""
    known = vars(builtins)
    for each in reversed(kind.__mro__):
        known = {**known, **vars(sys.modules[each.__module__])}
    return eval(written, known)


def _field_schema(field: Field, output: bool) -> Schema:
    said: Schema = {}
    if field.help:
        said["description"] = field.help
    if field.choices and not field.type.startswith("tuple["):
        said["enum"] = list(field.choices)
    if field.least is not None:
        said["minimum"] = field.least
    if field.most is not None:
        said["maximum"] = field.most
    if not output and field.default is not MISSING:
        said["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    return said


def _type(annotation: object, output: bool) -> Schema:
    if annotation in PLAIN:
        return {"type": PLAIN[annotation]}
    if annotation is object:
        return {}
    if isinstance(annotation, type) and issubclass(annotation, Record | Struct) and not typing.get_origin(annotation):
        return _object(annotation, output)
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_type(item, output) for item in inner]}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(inner[1], output)}
    if origin in (list, tuple):
        return {"type": "array", "items": _type(inner[0], output)}
    if origin is Iterator:
        return _type(inner[0], output)
    raise TypeError(f"there is no schema for {annotation}")
