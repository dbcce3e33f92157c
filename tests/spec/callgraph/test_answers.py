"""keel's call graph of every case: no call that is not there, and each that is.

That the cases themselves are true is `test_truth`'s question.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.callgraph.answer import keel_answer
from tests.spec.callgraph.cases import Case, read_cases

ANALYSIS_IS_IN = False
"""Whether values are followed through the project. Until then each case that needs it is only counted, in one test."""

CASES = [pytest.param(case, id=case.name) for case in read_cases() if ANALYSIS_IS_IN]


@pytest.mark.parametrize("case", CASES)
def test_the_calls_are_found(case: Case, tmp_path: Path) -> None:
    if wrong := problems(case, tmp_path):
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.skipif(ANALYSIS_IS_IN, reason="each case has its own test")
@pytest.mark.xfail(reason="values are not followed through the project yet")
def test_all_calls_are_found(tmp_path: Path) -> None:
    wrong = [
        f"{case.name}: {each}"
        for number, case in enumerate(read_cases())
        for each in problems(case, tmp_path / str(number))
    ]
    assert wrong == []


@pytest.mark.parametrize("case", [case for case in read_cases() if case.marked("gap")], ids=lambda case: case.name)
def test_a_gap_has_its_reason(case: Case) -> None:
    assert "gap: " in case.prose, "a call is marked as a gap, and no line of prose begins with `gap:`"


def problems(case: Case, folder: Path) -> list[str]:
    """What keel's answer to a case does not hold: wrong calls, missing ones, gaps that are none any more."""
    folder.mkdir(exist_ok=True)
    found = keel_answer(case, folder).keys()
    needed = {edge for edge, marks in case.calls.items() if not marks & {"gap", "may"}}
    return [
        *(f"wrong: {edge}" for edge in sorted(found - case.calls.keys())),
        *(f"missing: {edge}" for edge in sorted(needed - found)),
        *(f"found, so that its mark `gap` can go: {edge}" for edge in sorted(case.marked("gap") & found)),
    ]
