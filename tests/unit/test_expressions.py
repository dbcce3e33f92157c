"""Expression values are read back from the expression IR they were written to, whatever their depth.

What Python expressions become is in `tests/spec/python/facts/values.md`.
"""

from __future__ import annotations

import pytest

from keel.languages.python import forms as v
from keel.languages.python.forms import read
from keel.model import expressions
from keel.model.expressions import (
    Argument,
    Call,
    CallShape,
    Choice,
    Concat,
    Display,
    Function,
    Index,
    Literal,
    Member,
    Name,
    Other,
    Own,
    Value,
)

STRINGS = ["f", "x", "text", "1", "k"]


@pytest.mark.parametrize(
    ("ir", "value"),
    [
        ([v.CHAIN, 0], Name("f")),
        ([v.STRING, 2], Literal("string", "text")),
        ([v.FORMAT, 2], Literal("format", "text")),
        ([v.NUMBER, 3], Literal("number", "1")),
        ([v.ATOM, v.NONE], Literal("atom", "None")),
        ([v.ATOM, v.BYTES], Literal("atom", "b''")),
        ([v.LAMBDA, 7], Function(7)),
        ([v.OTHER], Other()),
        ([v.DISPLAY, v.LIST, 0], Display("list", ())),
    ],
)
def test_leaves(ir: list[int], value: Value) -> None:
    assert read(ir, STRINGS, 0) == value


@pytest.mark.parametrize(
    ("ir", "value"),
    [
        ([v.ATTR, 0, 1], Member(Name("f"), "x")),
        ([v.CONCAT, 2, 0, 2], Concat((Name("f"), Name("x")))),
        ([v.DISPLAY, v.DICT, 2, 0, 2], Display("dict", (Name("f"), Name("x")))),
        ([v.SUBSCRIPT, 0, 2], Index(Name("f"), Name("x"))),
        ([v.SUBSCRIPT, 0, -1], Index(Name("f"), Other())),
        ([v.CHOICE, 2, 0, 2], Choice((Name("f"), Name("x")))),
        ([v.WRAP, v.AWAIT, 0], Own("await", Name("f"))),
        ([v.WRAP, v.DOUBLE_STARRED, 0], Own("double_starred", Name("f"))),
    ],
)
def test_values_of_values(ir: list[int], value: Value) -> None:
    written = [v.CHAIN, 0, v.CHAIN, 1, *ir]
    assert read(written, STRINGS, 4) == value


def test_a_call_has_its_arguments_where_they_are() -> None:
    ir = [v.CHAIN, 0, v.CHAIN, 1, v.CALL, 0, 100, v.STAR_KWARGS, 1, 2, 2, 2, 1, 4, 2, 5, 1, -1, 2, 8, 3]
    assert read(ir, STRINGS, 4) == Call(
        Name("f"),
        (Argument(Name("x"), 102, 103),),
        (Argument(Name("x"), 105, 106, "k"), Argument(Name("x"), 108, 111, None)),
        star_args=False,
        star_kwargs=True,
    )


def test_forms_of_a_languages_own_are_names_or_unknown_to_others() -> None:
    ir = [v.CHAIN, 0, v.BOUND, 1, 0, 0, v.WRAP, v.AWAIT, 0, v.CALL, 6, 100, 0, 0, 0]
    assert expressions.read(ir, STRINGS, 2) == Name("x")
    assert expressions.read(ir, STRINGS, 6) == Other()
    assert expressions.read(ir, STRINGS, 9) == Call(Other(), (), (), star_args=False, star_kwargs=False)


def test_single_questions_are_answered_without_a_tree() -> None:
    ir = [v.CHAIN, 0, v.CHAIN, 1, v.CALL, 0, 100, v.STAR_KWARGS, 1, 2, 2, 2, 1, 4, 2, 5, 1, -1, 2, 8, 3]
    assert expressions.call_shape(ir, STRINGS, 4) == CallShape(1, ("k", ""), False, True)
    assert expressions.call_shape(ir, STRINGS, 0) is None
    assert expressions.chain_of(ir, STRINGS, 2) == "x"
    assert expressions.chain_of(ir, STRINGS, 4) is None
    texts = [v.STRING, 2, v.DISPLAY, v.LIST, 2, 0, 0, v.ATTR, 0, 4]
    assert list(expressions.texts_of(texts, 2)) == [2, 2]
    assert expressions.member_of(texts, STRINGS, 7) == "k"


def test_a_place_below_zero_is_not_followed() -> None:
    assert read([], [], -1) == Other()


def test_a_value_too_deep_ends_in_the_unknown() -> None:
    ir = [v.CHAIN, 0]
    for _ in range(1000):
        ir += (v.WRAP, v.AWAIT, len(ir) - (3 if len(ir) > 2 else 2))
    value = read(ir, STRINGS, len(ir) - 3)
    depth = 0
    while isinstance(value, Own):
        value, depth = value.value, depth + 1
    assert isinstance(value, Other)
    assert depth == expressions.MAX_DEPTH + 1


def test_the_numbers_of_operations_are_stored_and_never_change() -> None:
    assert (v.CHAIN, v.CALL, v.STRING, v.DISPLAY, v.SUBSCRIPT, v.OTHER) == (0, 2, 3, 8, 10, 12)
    assert (v.BOUND, v.PARAM, v.WRAP) == (32, 64, 77)
    assert v.ATOMS == ("None", "True", "False", "...", "b''")
    assert v.WRAPS == ("await", "starred", "yield", "yield_from", "element", "double_starred", "slice", "async")
