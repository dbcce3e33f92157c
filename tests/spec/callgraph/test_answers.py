"""keel's call graph of every case: no call that is not there, and each that is.

That the cases themselves are true is `test_truth`'s question.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.callgraph.answer import keel_answer
from tests.spec.callgraph.cases import Case, read_cases

INVENTED = {
    # A closure is taken to see every value that its variable is ever given.
    "closures: A captured local",
    # A copy is followed as the container it was made of; what is put into it comes on top.
    "containers: A copy is another container",
    # What a function returns is not told apart by which of its arguments are given.
    "decorators: With or without arguments",
    # Branches that cannot be taken are read like others.
    "flow: A branch that cannot be",
    # `cls` of a class method may be its own class too: code that is not seen may call it so.
    "methods: A class method of a subclass",
    # A method stays a meaning of its name when another function is set in its place.
    "monkeypatching: A method replaced",
    "monkeypatching: Wrapped in place",
}
"""Cases in which keel reports a call that is not there, with the reason. One that is fixed must leave the list."""

IS_INVENTED = pytest.mark.xfail(reason="a call is invented")
CASES = [pytest.param(case, id=case.name, marks=IS_INVENTED if case.name in INVENTED else ()) for case in read_cases()]


@pytest.mark.parametrize("case", CASES)
def test_no_call_is_invented(case: Case, tmp_path: Path) -> None:
    assert sorted(keel_answer(case, tmp_path).keys() - case.calls.keys()) == []


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_the_calls_are_found(case: Case, tmp_path: Path) -> None:
    if wrong := problems(case, tmp_path):
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.parametrize("case", [case for case in read_cases() if case.marked("gap")], ids=lambda case: case.name)
def test_a_gap_has_its_reason(case: Case) -> None:
    assert "gap: " in case.prose, "a call is marked as a gap, and no line of prose begins with `gap:`"


def problems(case: Case, folder: Path) -> list[str]:
    """What keel's answer to a case lacks: missing calls, and gaps that are none any more."""
    folder.mkdir(exist_ok=True)
    found = keel_answer(case, folder).keys()
    needed = {edge for edge, marks in case.calls.items() if not marks & {"gap", "may"}}
    return [
        *(f"missing: {edge}" for edge in sorted(needed - found)),
        *(f"found, so that its mark `gap` can go: {edge}" for edge in sorted(case.marked("gap") & found)),
    ]
