"""Comparing signatures misses nothing and names nothing for nothing: random pairs against all small calls.

Types, kinds and renames are for `tests/unit/test_python_comparison.py`.
"""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from keel.languages.python.binding.bind import Callee, CallShape, Fits, Misfit, bind
from keel.languages.python.binding.callees import callee_of
from keel.languages.python.comparison.signatures import SILENT, compare_callees
from tests.property.test_binding import NAMES, signatures
from tests.texts import text_of

CALLS = [
    CallShape(count, names) for count in range(7) for size in range(4) for names in combinations((*NAMES, "z"), size)
]
"""All calls of few arguments."""


def callee(head: str) -> Callee:
    tree = text_of(f"def f({head}): ...\n")
    return callee_of(tree.names(), tree.place("f"))


def edited(head: str) -> st.SearchStrategy[str]:
    """A parameter list that is often near another: one part dropped, doubled in place, renamed, or made anew."""
    parts = head.split(", ") if head else []
    near = [", ".join(parts[:index] + parts[index + 1 :]) for index in range(len(parts))]
    near += [", ".join([*parts[:index], "z", *parts[index:]]) for index in range(len(parts) + 1)]
    near += [", ".join([*parts[:index], part.rstrip("=0"), *parts[index + 1 :]]) for index, part in enumerate(parts)]
    near += [", ".join([*parts[:index], f"{part}=0", *parts[index + 1 :]]) for index, part in enumerate(parts)]
    near += [", ".join(reversed(parts)), head.replace("/, ", ""), head.replace("*rest", "*"), f"{head}, *"]
    valid = [each for each in near if is_valid(each)]
    return st.sampled_from(valid) if valid else st.just(head)


def is_valid(head: str) -> bool:
    """Whether Python takes a parameter list."""
    try:
        compile(f"def f({head}): ...", "made_up.py", "exec")
    except SyntaxError:
        return False
    return True


pairs = st.one_of(
    st.tuples(signatures(), signatures()),
    signatures().flatmap(lambda head: st.tuples(st.just(head), edited(head))),
)


@settings(max_examples=150, deadline=None)
@given(pairs)
def test_a_call_that_breaks_is_named_and_nothing_else(heads: tuple[str, str]) -> None:
    before, after = map(callee, heads)
    compared = compare_callees(before, after)
    broken = [call for call in CALLS if isinstance(bind(call, before), Fits) and isinstance(bind(call, after), Misfit)]
    if broken:
        assert compared.changes, broken[0]
        assert compared.broken is not None, broken[0]
    if compared.broken is not None:
        assert isinstance(bind(compared.broken, before), Fits)
        assert isinstance(bind(compared.broken, after), Misfit)
    else:
        assert {change.kind for change in compared.changes} <= SILENT
    assert all(change.kind.value != "calls" for change in compared.changes), compared


@settings(max_examples=50, deadline=None)
@given(signatures())
def test_nothing_has_changed_where_nothing_has(head: str) -> None:
    assert compare_callees(callee(head), callee(head)).changes == ()
