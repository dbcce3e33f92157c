"""Values against JSON Schema: what does not fit, and where.

The keywords that tools use for their parameters are checked here, so that a plain installation runs them; a schema that
uses others is given to the library `jsonschema`, which an extra brings. Which values a tool gets is left to
`parameters.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from keel.toolspaces.extras import needed

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ANNOTATIONS = frozenset({"$schema", "$comment", "title", "description", "default", "examples", "deprecated", "format"})
"""Keywords that say something to readers; `format` is one of them, unless somebody asks."""


def misfits(schema: object, value: object) -> list[str]:
    """What is wrong with a value, a line each with the way to it; nothing when it fits."""
    if is_plain(schema):
        return list(_misfits(schema, value, ""))
    jsonschema: Any = needed("jsonschema", f"a schema with {', '.join(sorted(_beyond(schema)))}")
    found = jsonschema.Draft202012Validator(schema).iter_errors(value)
    return [f"{_way(error.absolute_path)}{error.message}" for error in sorted(found, key=str)]


def schema_problem(schema: object) -> str:
    """Why a schema is none; empty when it is one."""
    problem = _problem(schema)
    if problem or is_plain(schema):
        return problem
    jsonschema: Any = needed("jsonschema", f"a schema with {', '.join(sorted(_beyond(schema)))}")
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        return str(error.message)
    return ""


def is_plain(schema: object) -> bool:
    """Whether a schema uses no keyword but those below."""
    return not _beyond(schema)


def _beyond(schema: object) -> set[str]:
    """The keywords of a schema that are not checked here."""
    if not isinstance(schema, Mapping):
        return set()
    if schema.get("$schema", DIALECT) != DIALECT:
        return {"$schema"}
    own = {key for key in schema if key not in CHECKS and key not in ANNOTATIONS}
    return own.union(*map(_beyond, _inner(schema)))


def _inner(schema: Mapping[str, Any]) -> list[object]:
    """The schemas right inside of one."""
    properties = schema.get("properties")
    held = list(properties.values()) if isinstance(properties, Mapping) else []
    return [*held, *(schema[key] for key in ("items", "additionalProperties") if key in schema)]


def _problem(schema: object) -> str:
    if isinstance(schema, bool):
        return ""
    if not isinstance(schema, Mapping):
        return f"{schema!r} is no schema"
    for key, is_right in FORMS.items():
        if key in schema and not is_right(schema[key]):
            return f"{key} cannot be {schema[key]!r}"
    return next(filter(None, map(_problem, _inner(schema))), "")


def _misfits(schema: Any, value: object, way: str) -> Iterator[str]:
    if schema is False:
        yield f"{way}nothing is allowed here"
    if not isinstance(schema, Mapping):
        return
    for key, said in schema.items():
        check = CHECKS.get(key)
        if check is not None:
            yield from (f"{way}{problem}" for problem in check(said, value))
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name, inner in value.items():
            if name in properties:
                yield from _misfits(properties[name], inner, f"{way}{name}: ")
            elif schema.get("additionalProperties", True) is False:
                yield f"{way}there is no parameter '{name}'{_known(properties)}"
            elif "additionalProperties" in schema:
                yield from _misfits(schema["additionalProperties"], inner, f"{way}{name}: ")
    if isinstance(value, list) and "items" in schema:
        for index, inner in enumerate(value):
            yield from _misfits(schema["items"], inner, f"{way}{index}: ")


def _known(properties: Mapping[str, object]) -> str:
    return f"; there are {', '.join(properties)}" if properties else ""


def _way(path: Any) -> str:
    return "".join(f"{part}: " for part in path)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


TYPES: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and float(value).is_integer(),  # type: ignore[arg-type]  # it is a number
    "number": _is_number,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def _type(said: Any, value: object) -> Iterator[str]:
    wanted = [said] if isinstance(said, str) else said
    if not any(TYPES[name](value) for name in wanted):
        yield f"{_shown(value)} is not of type {' or '.join(wanted)}"


def _enum(said: Any, value: object) -> Iterator[str]:
    if not any(_same(value, each) for each in said):
        yield f"{_shown(value)} is none of {', '.join(map(_shown, said))}"


def _const(said: Any, value: object) -> Iterator[str]:
    if not _same(value, said):
        yield f"{_shown(value)} is not {_shown(said)}"


def _required(said: Any, value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"'{name}' is missing" for name in said if name not in value)


def _minimum(said: Any, value: Any) -> Iterator[str]:
    if _is_number(value) and value < said:
        yield f"{_shown(value)} is less than {said}"


def _maximum(said: Any, value: Any) -> Iterator[str]:
    if _is_number(value) and value > said:
        yield f"{_shown(value)} is more than {said}"


def _min_length(said: Any, value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) < said:
        yield f"{_shown(value)} has fewer than {said} characters"


def _max_length(said: Any, value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) > said:
        yield f"{_shown(value)} has more than {said} characters"


def _pattern(said: Any, value: object) -> Iterator[str]:
    if isinstance(value, str) and not re.search(said, value):
        yield f"{_shown(value)} does not match {said}"


def _min_items(said: Any, value: object) -> Iterator[str]:
    if isinstance(value, list) and len(value) < said:
        yield f"there are fewer than {said} entries"


def _max_items(said: Any, value: object) -> Iterator[str]:
    if isinstance(value, list) and len(value) > said:
        yield f"there are more than {said} entries"


def _nothing(said: object, value: object) -> Iterator[str]:
    """For keywords whose inner schemas are looked at where the value is."""
    yield from ()


CHECKS: Mapping[str, Callable[[Any, Any], Iterator[str]]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "minimum": _minimum,
    "maximum": _maximum,
    "minLength": _min_length,
    "maxLength": _max_length,
    "pattern": _pattern,
    "minItems": _min_items,
    "maxItems": _max_items,
    "properties": _nothing,
    "additionalProperties": _nothing,
    "items": _nothing,
}
"""The keywords that are checked here."""


def _same(one: object, other: object) -> bool:
    """Equality as JSON has it: 1 is 1.0, and true is no number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def _shown(value: object) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _is_count(said: object) -> bool:
    return isinstance(said, int) and not isinstance(said, bool) and said >= 0


def _is_texts(said: object) -> bool:
    return isinstance(said, list) and all(isinstance(each, str) for each in said) and len(set(said)) == len(said)


def _is_types(said: object) -> bool:
    names = [said] if isinstance(said, str) else said
    return isinstance(names, list) and names != [] and _is_texts(names) and all(name in TYPES for name in names)


def _is_pattern(said: object) -> bool:
    try:
        re.compile(said)  # type: ignore[call-overload]  # what it is, is the question
    except (re.error, TypeError, RecursionError, OverflowError):
        return False
    return isinstance(said, str)


FORMS: Mapping[str, Callable[[object], bool]] = {
    "type": _is_types,
    "enum": lambda said: isinstance(said, list),
    "required": _is_texts,
    "minimum": _is_number,
    "maximum": _is_number,
    "minLength": _is_count,
    "maxLength": _is_count,
    "pattern": _is_pattern,
    "minItems": _is_count,
    "maxItems": _is_count,
    "properties": lambda said: isinstance(said, Mapping),
}
"""What the keywords may be, where they are not schemas."""
