"""Schemas: each operation has one for its parameters and one for its result, and they mean what they say.

That real answers fit them is tested with the command line.
"""

from __future__ import annotations

import jsonschema
import pytest

from keel import registry
from keel.model.record import Record, field, fields_of
from keel.model.schemas import schema_of
from keel.surfaces.cli.main import Options

OPERATIONS = registry.names(registry.OPERATIONS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_has_valid_schemas(name: str) -> None:
    operation = registry.operation(name)
    assert operation is not None
    jsonschema.Draft202012Validator.check_schema(schema_of(operation.Result))
    jsonschema.Draft202012Validator.check_schema(schema_of(operation.Params, output=False))


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_field_of_an_operation_says_what_it_means(name: str) -> None:
    operation = registry.operation(name)
    assert operation is not None
    fields = {**fields_of(operation.Params), **fields_of(operation.Result)}
    assert [field for field, said in fields.items() if not said.help.strip()] == []


SHARED = {"verbose"}
"""Told to the command line and to the operation at once: more of everything."""


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_parameter_hides_an_option_of_every_command(name: str) -> None:
    operation = registry.operation(name)
    assert operation is not None
    own, every = fields_of(operation.Params), fields_of(Options)
    hidden = {name for name in own.keys() & every.keys() if name not in SHARED}
    assert hidden == set()
    assert all(own[name].type == every[name].type for name in own.keys() & SHARED)


class Inner(Record):
    """Something inside."""

    word: str


class Outer(Record):
    """Something with everything in it."""

    one: int = field("A number.")
    many: tuple[Inner, ...] = field("Several.", default=())
    maybe: str | None = field("A text or nothing.", default=None)
    counts: dict[str, dict[str, int]] = field("Counts.", default={})
    choice: str = field("One of two.", default="a", choices=("a", "b"))


def test_a_record_becomes_an_object_with_all_its_fields() -> None:
    value = {"one": 1, "many": [{"word": "x"}], "maybe": None, "counts": {"a": {"in": 1}}, "choice": "a"}
    jsonschema.validate(value, schema_of(Outer))


@pytest.mark.parametrize(
    "change",
    [
        {"one": "1"},
        {"many": [{"word": 1}]},
        {"many": [{}]},
        {"maybe": 3},
        {"counts": {"a": 1}},
        {"choice": "c"},
        {"other": 1},
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, object]) -> None:
    value = {"one": 1, "many": [], "maybe": None, "counts": {}, "choice": "a", **change}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, schema_of(Outer))


def test_in_input_what_has_a_default_may_be_left_out() -> None:
    jsonschema.validate({"one": 1}, schema_of(Outer, output=False))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"one": 1}, schema_of(Outer))
