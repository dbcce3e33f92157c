"""Parameters of a run: parsed from words and checked against the schema of the tool.

Passing them to the tool is left to `templates.py` and to the primitives.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from keel.errors import ParameterError
from keel.toolspaces.chain import Element
from keel.toolspaces.manifests.manifest import SCHEMA
from keel.toolspaces.manifests.plain_values import Problem, plain
from keel.toolspaces.schema import misfits, schema_problem

TEXT = "string"


def from_words(tool: Element, words: Iterable[str]) -> dict[str, object]:
    """Parameters from `name=value` words. A value is JSON where the tool takes something else than text."""
    found: dict[str, object] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise ParameterError(tool.item_id, [f"'{word}' is not of the form name=value"])
        if name in found:
            raise ParameterError(tool.item_id, [f"'{name}' is given twice"])
        found[name] = _value(text, _types(tool, name))
    return found


def checked(tool: Element, params: Mapping[str, object]) -> dict[str, object]:
    """The parameters with the defaults that the tool says, when they fit what it takes; otherwise all that does not."""
    schema = tool.manifest.said.get(SCHEMA, True)
    problem = schema_problem(schema)
    if problem:
        raise ParameterError(tool.item_id, [f"its CONFIG_SCHEMA cannot be used: {problem}"])
    try:
        given = plain(dict(params))
    except Problem as wrong:
        raise ParameterError(tool.item_id, [f"the parameters {wrong.text}"]) from wrong
    whole: dict[str, object] = {**_defaults(schema), **given} if isinstance(given, dict) else {}
    wrong_ones = misfits(schema, whole)
    if wrong_ones:
        raise ParameterError(tool.item_id, wrong_ones, f"`keel tools show {tool.item_id}` says what it takes")
    return whole


def _defaults(schema: object) -> dict[str, object]:
    return {name: said["default"] for name, said in _properties(schema).items() if "default" in said}


def _properties(schema: object) -> dict[str, Mapping[str, object]]:
    held = schema.get("properties") if isinstance(schema, Mapping) else None
    return {name: said for name, said in held.items() if isinstance(said, Mapping)} if isinstance(held, dict) else {}


def _types(tool: Element, name: str) -> list[str]:
    """The types that a parameter may have; text when nothing is said."""
    said = _properties(tool.manifest.said.get(SCHEMA)).get(name, {}).get("type", TEXT)
    return [said] if isinstance(said, str) else [str(each) for each in said] if isinstance(said, list) else [TEXT]


def _value(text: str, types: list[str]) -> object:
    """A word as the type that is wanted; text where it is none, and the check tells what is wrong with it."""
    if types == [TEXT]:
        return text
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, str) and TEXT not in types else value
