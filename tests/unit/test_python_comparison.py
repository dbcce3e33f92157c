"""What rules take from comparisons: the change behind a reason, and calls whose receiver is not known.

Which changes are found is for the specs in `tests/spec/python/comparison`.
"""

from __future__ import annotations

import pytest

from keel.languages.python.binding.bind import CallShape, Fits, Misfit, NotKnown, Why, bind, bind_either
from keel.languages.python.binding.callees import Reached, callee_of
from keel.languages.python.comparison.annotations import Relation, relation
from keel.languages.python.comparison.changes import cause_of
from keel.languages.python.comparison.signatures import compare_callees
from tests.texts import text_of


@pytest.mark.parametrize(
    ("before", "after", "call", "expected"),
    [
        ("a, b", "a, c", CallShape(1, ("b",)), "parameter 'b' renamed to 'c'"),
        ("a, b", "a", CallShape(1, ("b",)), "parameter 'b' removed"),
        ("a, b", "a", CallShape(2), "parameter 'b' removed"),
        ("a", "a, b", CallShape(1), "required parameter 'b' added"),
        ("a, b=1", "a, b", CallShape(1), "parameter 'b' has no default any more"),
        ("a, b", "a, *, b", CallShape(2), "parameter 'b' is keyword-only now"),
        ("a", "a, /", CallShape(0, ("a",)), "parameter 'a' is positional-only now"),
        ("a, **more", "a", CallShape(1, ("z",)), "'**more' takes no further keywords any more"),
        ("a, /, **more", "a, **more", CallShape(1, ("a",)), "keyword 'a' is that of a positional parameter now"),
    ],
)
def test_a_reason_has_its_change(before: str, after: str, call: CallShape, expected: str) -> None:
    old, new = (
        callee_of((tree := text_of(f"def f({head}): ...")).names(), tree.place("f")) for head in (before, after)
    )
    outcome = bind(call, new)
    assert isinstance(outcome, Misfit)
    cause = cause_of(outcome.reasons[0], compare_callees(old, new).changes)
    assert cause is not None
    assert cause.words == expected


def test_a_reason_without_a_change_has_no_cause() -> None:
    tree = text_of("def f(a): ...")
    outcome = bind(CallShape(), callee_of(tree.names(), tree.place("f")))
    assert isinstance(outcome, Misfit)
    assert cause_of(outcome.reasons[0], ()) is None


def test_a_call_on_an_instance_or_its_class_fits_only_if_it_fits_both() -> None:
    tree = text_of("class A:\n    def m(self, a): ...\n")
    callees = [callee_of(tree.names(), tree.place("A.m"), reached) for reached in (Reached.INSTANCE, Reached.CLASS)]
    unsure = bind_either(CallShape(1), callees, "m")
    assert isinstance(unsure, NotKnown)
    assert unsure.doubt.why is Why.RECEIVER
    assert isinstance(bind_either(CallShape(4), callees, "m"), Misfit)
    assert isinstance(bind_either(CallShape(1), callees[:1], "m"), Fits)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("int", "int | None", Relation.WIDENED),
        ("int | None", "int", Relation.NARROWED),
        ("int", "object", Relation.WIDENED),
        ("object", "int", Relation.NARROWED),
        ("int", "", Relation.REMOVED),
        ("", "int", Relation.ADDED),
        ("", "", Relation.SAME),
        ("int", "str", Relation.CHANGED),
        ("Strange", "int", Relation.NOT_KNOWN),
        ("not a type", "not a type", Relation.SAME),
        ("not a type", "int", Relation.NOT_KNOWN),
    ],
)
def test_types_are_related(before: str, after: str, expected: Relation) -> None:
    names = text_of("").interface(0)
    assert relation(before, after, names, names) is expected
