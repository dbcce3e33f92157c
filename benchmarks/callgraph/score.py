"""How good an answer to a case is: calls that are right, wrong and missing, and sums of them.

Answers come from `tests.spec.callgraph.answer` and `pycg`; what is printed is left to `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tests.spec.callgraph.answer import Answer
from tests.spec.callgraph.cases import Case, Edge

Claims = Callable[[Case, Edge], bool]
"""Whether a tool says that it finds calls of this sort; what it does not claim is not missed."""


class Verdict(NamedTuple):
    """An answer to one case, sorted out."""

    case: Case
    right: frozenset[Edge]
    wrong: frozenset[Edge]
    missing: frozenset[Edge]
    implicit: frozenset[Edge]
    """Those of all these that are implicit: by the case where it has them, else by the answer."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong and nothing is missing."""
        return not self.wrong and not self.missing


class Sum(NamedTuple):
    """Verdicts, counted."""

    cases: int
    whole: int
    right: int
    wrong: int
    missing: int

    @property
    def precision(self) -> float | None:
        """Which part of what was reported is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        """Which part of what is there was reported."""
        return self.right / (self.right + self.missing) if self.right + self.missing else None


def judge(case: Case, answer: Answer, claims: Claims) -> Verdict:
    """An answer held against the case. Calls marked `may` count neither way, gaps count as missing."""
    optional = case.marked("may")
    asked = {edge for edge in case.calls if edge not in optional and claims(case, edge)}
    found = answer.keys() - optional
    # A call that is there and was found is right, even where the tool did not claim its sort.
    right = found & case.calls.keys()
    wrong = found - case.calls.keys()
    implicit = case.marked("implicit") | {edge for edge in wrong if answer[edge]}
    return Verdict(case, frozenset(right), frozenset(wrong), frozenset(asked - found), frozenset(implicit))


def total(verdicts: Iterable[Verdict], implicit: bool) -> Sum:
    """Verdicts as one: the calls that are written, or the implicit ones."""
    cases = whole = right = wrong = missing = 0
    for verdict in verdicts:
        cases += 1
        whole += verdict.is_whole
        right += _count(verdict.right, verdict, implicit)
        wrong += _count(verdict.wrong, verdict, implicit)
        missing += _count(verdict.missing, verdict, implicit)
    return Sum(cases, whole, right, wrong, missing)


def everything(case: Case, edge: Edge) -> bool:
    """The claim to find every call."""
    return True


def _count(edges: frozenset[Edge], verdict: Verdict, implicit: bool) -> int:
    return sum((edge in verdict.implicit) is implicit for edge in edges)
