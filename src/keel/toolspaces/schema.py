"""JSON Schema: whether keel accepts a tool's schema, and whether a value fits it, at bounded cost.

The library `jsonschema` decides, and is imported when there is a schema to check. Its cost is bounded here: a schema
comes from a project, and must not be able to block the process that reads it. Which values a tool gets is left to
`parameters.py`, calling the library and wording messages to `schema_errors.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from keel.errors import brief

MAX_SCHEMA_PARTS = 5_000
"""Values that a schema may hold: half a second of checking it. Schemas of real tools have fewer than 500."""
MAX_VALUE_PARTS = 100_000
"""Values that the parameters of a run may hold."""
MAX_PATTERN_LENGTH = 1_000
"""Characters of a regular expression: each is compiled in this process."""
MAX_COST = 1_000_000
"""Parts of a schema times parts of a value that are checked in this process: a second at most."""
COSTLY = frozenset(
    {
        *("pattern", "patternProperties"),  # a regular expression may backtrack for ever
        *("$ref", "$dynamicRef", "$recursiveRef"),  # ten definitions that refer to each other twice are a thousand
        *("unevaluatedProperties", "unevaluatedItems"),  # every level checks all below it once more
        "uniqueItems",  # compares each entry with each other
    }
)
"""Keywords whose cost the sizes of schema and value do not bound."""


def misfits(schema: object, value: object) -> list[str]:
    """What is wrong with a value, a line each with the parameter's name; nothing when it fits."""
    if schema is True:
        return []
    size = _parts(value)
    if size > MAX_VALUE_PARTS:
        return [f"the parameters hold more than {MAX_VALUE_PARTS} values"]
    if _is_cheap(schema, size):
        from keel.toolspaces.schema_errors import problems_of

        return problems_of(schema, value)
    from keel.toolspaces.schema_process import problems_in_time

    return problems_in_time(schema, value)


def schema_problem(schema: object) -> str:
    """Why a schema is none that keel takes; empty when it is one."""
    if schema is True:
        return ""
    if not isinstance(schema, Mapping | bool):
        return f"it cannot be {brief(repr(schema), 60)}"
    if _parts(schema) > MAX_SCHEMA_PARTS:
        return f"it holds more than {MAX_SCHEMA_PARTS} values"
    if any(len(pattern) > MAX_PATTERN_LENGTH for pattern in _patterns(schema)):
        return f"a pattern has more than {MAX_PATTERN_LENGTH} characters"
    from keel.toolspaces.schema_errors import problem_of_schema

    return problem_of_schema(schema)


def _is_cheap(schema: object, size: int) -> bool:
    keys = {key for part in _walk(schema) if isinstance(part, Mapping) for key in part}
    return keys.isdisjoint(COSTLY) and _parts(schema) * size <= MAX_COST


def _patterns(schema: object) -> Iterator[str]:
    for part in _walk(schema):
        if isinstance(part, Mapping):
            by_name = part.get("patternProperties")
            yield from by_name if isinstance(by_name, Mapping) else ()
            if isinstance(part.get("pattern"), str):
                yield part["pattern"]


def _parts(value: object) -> int:
    return sum(1 for _ in islice(_walk(value), MAX_VALUE_PARTS + 1))


def _walk(value: object) -> Iterator[Any]:
    """A value and all values in it."""
    rest = [value]
    while rest:
        part = rest.pop()
        yield part
        if isinstance(part, Mapping):
            rest += part.values()
        elif isinstance(part, list):
            rest += part
