"""Schemas of tools: what does not fit is told in plain words, and no schema stops the process that reads it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from keel.toolspaces import schema_process
from keel.toolspaces.manifests.plain_values import DEEPEST
from keel.toolspaces.schema import MAX_PATTERN_LENGTH, MAX_SCHEMA_PARTS, MAX_VALUE_PARTS, misfits, schema_problem
from keel.toolspaces.schema_errors import MAX_PROBLEMS


def of(schema: object, name: str = "size") -> dict[str, object]:
    """A schema of parameters with one of them."""
    return {"type": "object", "properties": {name: schema}}


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        ({"type": "integer"}, "ten", "parameter 'size' must be an integer, not \"ten\""),
        ({"type": ["string", "null"]}, 3, "parameter 'size' must be a string or null, not 3"),
        ({"enum": ["s", "m"]}, "l", 'parameter \'size\' must be one of "s", "m", not "l"'),
        ({"const": 1}, 2, "parameter 'size' must be 1, not 2"),
        ({"minimum": 3}, 2, "parameter 'size' must be at least 3, not 2"),
        ({"exclusiveMaximum": 3}, 3, "parameter 'size' must be less than 3, not 3"),
        ({"maxLength": 2}, "abc", "parameter 'size' must have at most 2 characters, not as many as \"abc\""),
        ({"minItems": 1}, [], "parameter 'size' must have at least 1 entries"),
        ({"uniqueItems": True}, [1, 1], "parameter 'size' must not have one entry twice"),
        (
            {"pattern": "^[a-z]+(-[a-z]+)*$"},
            "a--b",
            'parameter \'size\' must match "^[a-z]+(-[a-z]+)*$", which "a--b" does not',
        ),
        ({"items": of({"type": "number"}, "w")}, [{"w": "x"}], "parameter 'size[0].w' must be a number, not \"x\""),
        ({"required": ["w"]}, {}, "parameter 'size.w' is missing"),
        (False, 1, "the parameters must not hold 1"),
        ({"anyOf": [{"type": "null"}]}, 1, "parameter 'size' must fit one of 1 alternatives, but none accepts 1"),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 0}]},
            1,
            "parameter 'size' must fit exactly one of 2 alternatives, but more than one accepts 1",
        ),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "parameter 'size': 'b' is a dependency of 'a'"),
    ],
)
def test_what_does_not_fit_is_told_in_plain_words(schema: object, value: object, told: str) -> None:
    assert schema_problem(of(schema)) == ""
    assert misfits(of(schema), {"size": value}) == [told]


def test_names_that_are_missing_or_unknown_are_all_told() -> None:
    schema = {"properties": {"a": {}, "b": {}}, "required": ["a", "b"], "additionalProperties": False}
    assert misfits(schema, {"x": 1, "y": 2}) == [
        "parameter 'a' is missing",
        "parameter 'b' is missing",
        "there is no parameter 'x'; there are a, b",
        "there is no parameter 'y'; there are a, b",
    ]


def test_messages_are_few_and_short() -> None:
    told = misfits({"additionalProperties": {"type": "integer"}}, {f"name {n}" * 100: "x" * 10_000 for n in range(500)})
    assert len(told) == MAX_PROBLEMS + 1
    assert told[-1] == "there are more problems"
    assert max(map(len, told)) <= 200


# what a schema may be


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ([], "it cannot be []"),
        ({"required": "x"}, 'required cannot be "x"'),
        (of({"pattern": "("}), 'properties.size.pattern cannot be "("'),
        (of({"pattern": "a{99999999999}"}), "a pattern cannot be compiled"),
        (of({"pattern": "a" * (MAX_PATTERN_LENGTH + 1)}), "a pattern has more than 1000 characters"),
        ({"patternProperties": {"a" * (MAX_PATTERN_LENGTH + 1): True}}, "a pattern has more than 1000 characters"),
        ({"enum": [0] * MAX_SCHEMA_PARTS}, "it holds more than 5000 values"),
        ({"$schema": "https://example.com/own"}, "its $schema 'https://example.com/own' is not known"),
        ({"$ref": "#/$defs/gone"}, "it refers to '#/$defs/gone', which it does not hold; nothing is fetched"),
        ({"$ref": "#/enum/x", "enum": [1]}, "it refers to '#/enum/x', which it does not hold; nothing is fetched"),
        ({"$ref": "http://["}, "it refers to 'http://[', which it does not hold; nothing is fetched"),
    ],
)
def test_a_schema_that_cannot_be_used_is_told(schema: object, problem: str) -> None:
    assert schema_problem(schema) == problem


def test_an_older_draft_is_read_by_its_own_rules() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}]}
    assert schema_problem(schema) == ""
    assert misfits(schema, ["x"]) == ["parameter '[0]' must be an integer, not \"x\""]
    assert schema_problem({"items": [{"type": "integer"}]}) != "", "2020-12 has no list there"


def test_references_inside_of_a_schema_are_followed() -> None:
    schema = {"$defs": {"size": {"type": "integer"}}, **of({"$ref": "#/$defs/size"})}
    assert schema_problem(schema) == ""
    assert misfits(schema, {"size": 1}) == []
    assert misfits(schema, {"size": "x"}) == ["parameter 'size' must be an integer, not \"x\""]


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for keyword in ("$ref", "$dynamicRef"):
        schema = of({keyword: "http://127.0.0.1:9/schema.json"})
        said = schema_problem(schema) or "".join(misfits(schema, {"size": 1}))
        assert said == "it refers to 'http://127.0.0.1:9/schema.json', which it does not hold; nothing is fetched"


# schemas that would take for ever


def twice(count: int) -> dict[str, object]:
    """Definitions that each refer to the next one twice."""
    held = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(count)}
    return {"$defs": {**held, f"d{count}": True}, "$ref": "#/$defs/d0"}


def unevaluated(depth: int) -> dict[str, object]:
    """A schema each of whose levels checks those below it twice."""
    schema: dict[str, object] = {}
    for _ in range(depth):
        schema = {"anyOf": [schema], "unevaluatedProperties": False}
    return schema


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(of({"pattern": "^(a+)+$"}), {"size": "a" * 60 + "b"}, id="pattern"),
        pytest.param({"patternProperties": {"^(a+)+$": True}}, {"a" * 60 + "b": 1}, id="pattern of names"),
        pytest.param(twice(60), {}, id="references"),
        pytest.param(unevaluated(DEEPEST // 2 - 1), {"a": 1}, id="unevaluated"),
        pytest.param(of({"uniqueItems": True}), {"size": [{"a": n} for n in range(40_000)]}, id="unique"),
    ],
)
def test_a_check_that_takes_too_long_is_given_up(
    schema: object, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema_process, "MAX_SECONDS", 0.0)
    assert schema_problem(schema) == ""
    assert misfits(schema, value) == ["they could not be checked within 0 seconds: its CONFIG_SCHEMA costs too much"]


def test_a_schema_that_is_its_own_definition_ends() -> None:
    assert schema_problem({"$ref": "#"}) == ""
    assert misfits({"$ref": "#"}, {}) == ["its CONFIG_SCHEMA refers to itself without end"]


def test_a_recursive_schema_follows_the_value() -> None:
    schema = {"type": "object", "additionalProperties": {"$ref": "#"}}
    deep: object = {}
    for _ in range(DEEPEST - 1):
        deep = {"a": deep}
    assert misfits(schema, deep) == []
    assert misfits(schema, {"a": {"b": 1}}) == ["parameter 'a.b' must be an object, not 1"]


def test_huge_parameters_are_refused() -> None:
    assert misfits(of({"type": "array"}), {"size": [0] * MAX_VALUE_PARTS}) == [
        "the parameters hold more than 100000 values"
    ]


def test_what_lies_in_the_folder_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jsonschema.py").write_text("raise SystemExit('imported from the folder')\n")
    monkeypatch.chdir(tmp_path)
    assert misfits(of({"pattern": "^a"}), {"size": "a"}) == []
