"""JSON Schemas as files, one for the parameters and one for the answer of each command, and their fields as tables.

The schemas themselves are made by `keel.model.schemas`, from the records' classes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from keel import registry
from keel.model.schemas import Schema, schema_of
from tools.docs.catalogue import commands
from tools.docs.markdown import link, table

registry.rules()  # findings of some have fields of their own, which the schemas show


def params_file(verb: str) -> str:
    """The file with the schema of what a verb takes."""
    return f"docs/schemas/{verb}.params.json"


def result_file(verb: str) -> str:
    """The file with the schema of what a verb answers."""
    return f"docs/schemas/{verb}.result.json"


def files() -> Iterator[tuple[str, str]]:
    """Every schema file with its text."""
    registry.rules()  # findings of some have fields of their own, which the schemas show
    for command in commands():
        yield params_file(command.file), _text(schema_of(command.operation.Params, output=False))
        yield result_file(command.file), _text(schema_of(command.operation.Result))


def table_of(page: str) -> str:
    """Links to all schema files."""
    rows = [
        (f"`{one.name}`", link(page, params_file(one.file), "parameters"), link(page, result_file(one.file), "answer"))
        for one in commands()
    ]
    return table(("command", "takes", "answers"), rows)


def described(kind: type) -> str:
    """The fields of an answer, and of the objects inside it."""
    schema = schema_of(kind)
    if "anyOf" in schema:
        what = "It is one of these objects." if hasattr(kind, "FORMS") else "Each line is one of these objects."
        return "\n\n".join([what, *(_named(part) for part in schema["anyOf"])])
    return "\n\n".join([_fields(schema), *_inner(schema)])


def _inner(schema: Schema) -> list[str]:
    """The objects inside an answer, each as a section."""
    return [
        f"### Inside `{where}`\n\n{part['description']}\n\n{_fields(part)}"
        for name, said in schema["properties"].items()
        for where, part in _objects(name, said)
    ]


def _named(schema: Schema) -> str:
    kind = schema["properties"].get("type", {}).get("const")
    if kind is None:
        return "\n\n".join([f"### {schema['description'].rstrip('.')}", _fields(schema), *_inner(schema)])
    return f"### `{kind}`\n\n{schema['description']}\n\n{_fields(schema)}"


def _fields(schema: Schema) -> str:
    rows = [(f"`{name}`", _type(said), said.get("description", "")) for name, said in schema["properties"].items()]
    if not any(meaning for _, _, meaning in rows):
        return table(("field", "type"), [row[:2] for row in rows])
    return table(("field", "type", "meaning"), rows)


def _objects(where: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The objects with fields that a schema speaks of, itself among them, each with the way to it."""
    if "properties" in schema:
        yield where, schema
    for part in [*schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties")]:
        if isinstance(part, dict):
            yield from _objects(where, part)
    for name, part in schema.get("properties", {}).items():
        yield from _objects(f"{where}.{name}", part)


def _type(schema: Schema) -> str:
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_type(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    held: Any = schema.get("additionalProperties")
    if schema.get("type") == "object" and isinstance(held, dict):
        return f"object of {_type(held)}" if held else "object"
    return str(schema.get("type", "anything"))


def _text(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
