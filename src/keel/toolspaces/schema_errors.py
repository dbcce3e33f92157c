"""The errors of `jsonschema` about a schema or a value, in plain words: which parameter, what it must be, what it is.

Every message is bounded: names and values are cut. Nothing is fetched for a schema. Bounding the time is left to
`schema.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, UnknownDialect, specification_with

from keel.errors import brief

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from referencing import Resource
    from referencing._core import Resolver

MAX_PROBLEMS = 10
"""Problems that are reported of one value: more do not help to correct it."""
MAX_ERRORS = 1_000
"""Errors of the library that are looked at for these."""
MAX_LENGTH = 200
"""Characters of one message."""
MAX_VALUE_LENGTH = 60
"""Characters of one value in it."""
TYPES: Mapping[str, str] = {
    "string": "a string",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
FORMS: Mapping[str, str] = {
    "const": "must be {wanted}, not {value}",
    "enum": "must be one of {choices}, not {value}",
    "exclusiveMaximum": "must be less than {wanted}, not {value}",
    "exclusiveMinimum": "must be more than {wanted}, not {value}",
    "maxItems": "must have at most {wanted} entries",
    "maxLength": "must have at most {wanted} characters, not as many as {value}",
    "maxProperties": "must have at most {wanted} names",
    "maximum": "must be at most {wanted}, not {value}",
    "minItems": "must have at least {wanted} entries",
    "minLength": "must have at least {wanted} characters, more than {value}",
    "minProperties": "must have at least {wanted} names",
    "minimum": "must be at least {wanted}, not {value}",
    "multipleOf": "must be a multiple of {wanted}, not {value}",
    "not": "must not be what it is: {value}",
    "pattern": "must match {wanted}, which {value} does not",
    "uniqueItems": "must not have one entry twice",
}
"""What is wrong by the keyword that says so, where that needs the keyword's value and the parameter's only."""


def problems_of(schema: object, value: object) -> list[str]:
    """What is wrong with a value, a line each with the parameter's name; nothing when it fits."""
    try:
        errors = list(islice(_validator(schema).iter_errors(value), MAX_ERRORS))  # type: ignore[arg-type]  # any JSON
    except RecursionError:
        return ["its CONFIG_SCHEMA refers to itself without end"]
    except Unresolvable as unresolvable:
        return [_unresolved_text(unresolvable.ref)]
    errors.sort(key=lambda error: [str(part) for part in error.absolute_path])  # some come in the order of a set
    found = list(dict.fromkeys(brief(text, MAX_LENGTH) for error in errors for text in _texts(error)))
    return [*found[:MAX_PROBLEMS], *(["there are more problems"] if len(found) > MAX_PROBLEMS else [])]


def problem_of_schema(schema: Any) -> str:
    """Why a schema is none that can be used; empty when it is one."""
    try:
        root = _specification(schema).create_resource(schema)
        type(_validator(schema)).check_schema(schema)
        unresolved = _first_unresolved(root)
    except UnknownDialect as unknown:
        return f"its $schema {brief(repr(unknown.uri), MAX_VALUE_LENGTH)} is not known"
    except SchemaError as error:
        place = ".".join(map(str, error.absolute_path)) or "it"
        return brief(f"{place} cannot be {_shown(error.instance)}", MAX_LENGTH)
    except (RecursionError, OverflowError):  # a schema is not as deep as that, so it was a pattern
        return "a pattern cannot be compiled"
    return "" if unresolved is None else _unresolved_text(unresolved)


def _validator(schema: Any) -> Validator:
    # An empty registry: without one, the library fetches what a schema refers to.
    return validator_for(schema, default=Draft202012Validator)(schema, registry=Registry())


def _specification(schema: Any) -> Any:
    dialect = schema.get("$schema") if isinstance(schema, Mapping) else None
    return DRAFT202012 if dialect is None else specification_with(str(dialect))


def _first_unresolved(root: Resource[Any]) -> str | None:
    # Read whole at the beginning: an anchor that is looked for before is searched for in the whole schema each time.
    name = root.id() or ""
    registry = Registry().with_resource(name, root).crawl()
    return next(_unresolved(root, registry.resolver(name)), None)


def _unresolved(part: Resource[Any], resolver: Resolver[Any]) -> Iterator[str]:
    """References of a schema to what it does not hold."""
    target = part.contents.get("$ref") if isinstance(part.contents, Mapping) else None
    if isinstance(target, str):
        try:
            resolver.lookup(target)
        except (Unresolvable, ValueError, TypeError, LookupError):  # those of a pointer that makes no sense
            yield target
    for inner in part.subresources():
        yield from _unresolved(inner, resolver.in_subresource(inner))


def _unresolved_text(target: object) -> str:
    return f"it refers to {brief(repr(target), MAX_VALUE_LENGTH)}, which it does not hold; nothing is fetched"


def _texts(error: Any) -> list[str]:
    path, wanted, value = list(error.absolute_path), error.validator_value, error.instance
    who = f"parameter '{_name(path)}'" if path else "the parameters"
    match error.validator:
        case "required" if isinstance(wanted, list):
            return [f"parameter '{_name([*path, name])}' is missing" for name in wanted if name not in value]
        case "additionalProperties" if wanted is False and "patternProperties" not in error.schema:
            known = error.schema.get("properties", {})
            return [
                f"there is no parameter '{_name([*path, name])}'{_listed(known)}" for name in value if name not in known
            ]
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            return [f"{who} must be {' or '.join(TYPES.get(name, name) for name in names)}, not {_shown(value)}"]
        case "anyOf" | "oneOf":
            return [f"{who} {_alternatives(error, len(wanted))}"]
        case None:  # where the schema is `false`; the library does not say which parameter that was
            return [f"the parameters must not hold {_shown(value)}"]
        case str(keyword) if keyword in FORMS:
            choices = ", ".join(map(_shown, wanted)) if isinstance(wanted, list) else ""
            form = FORMS[keyword].format(wanted=_shown(wanted), value=_shown(value), choices=brief(choices, 100))
            return [f"{who} {form}"]
    return [f"{who}: {error.message}"]


def _alternatives(error: Any, count: int) -> str:
    if error.context:  # what each of them has against the value
        return f"must fit one of {count} alternatives, but none accepts {_shown(error.instance)}"
    return f"must fit exactly one of {count} alternatives, but more than one accepts {_shown(error.instance)}"


def _name(path: Iterable[str | int]) -> str:
    """The way to a value: `sizes[0].width`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return brief(text.removeprefix("."), MAX_VALUE_LENGTH)


def _listed(known: Mapping[str, object]) -> str:
    return f"; there are {brief(', '.join(known), 80)}" if known else ""


def _shown(value: Any) -> str:
    return brief(json.dumps(value, ensure_ascii=False, default=str), MAX_VALUE_LENGTH)
