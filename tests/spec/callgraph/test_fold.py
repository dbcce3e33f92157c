"""Edges of a graph become calls between definitions under the rules of the documents, and a score is what it says.

The cases here are made up, and small enough that keel's plainest analysis answers them.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.callgraph.pycg import unnumbered
from benchmarks.callgraph.score import Sum, everything, judge, total
from tests.spec.callgraph.answer import keel_answer
from tests.spec.callgraph.cases import Case, Edge

CODE = """
def deco(function): return function
def default(): return 1
class Bare: ...
@deco
def run(value=default()):
    return Bare()
class Body:
    size = default()
    @deco
    def method(self): ...
pick = lambda: default()
later = lambda value=default(): run()
"""


def a_case(calls: dict[str, str], code: str = "") -> Case:
    """A case of one file, with calls and their marks."""
    listed = {Edge(*text.split(" -> ")): frozenset(marks.split()) for text, marks in calls.items()}
    return Case("made_up", "A case", 1, {"main.py": code}, listed, (), "main", "")


def test_heads_belong_to_the_scope_around(tmp_path: Path) -> None:
    assert sorted(map(str, keel_answer(a_case({}, CODE), tmp_path))) == [
        "main -> main.deco",
        "main -> main.default",
        "main.<lambda> -> main.default",
        "main.<lambda>#2 -> main.run",
        "main.Body -> main.deco",
        "main.Body -> main.default",
        "main.run -> main.Bare",
    ]


def test_a_class_with_a_constructor_is_not_called_itself(tmp_path: Path) -> None:
    code = "class Base:\n    def __init__(self): ...\nclass Child(Base): ...\nChild()\n"
    assert Edge("main", "main.Child") not in keel_answer(a_case({}, code), tmp_path)


def test_right_wrong_and_missing_are_counted() -> None:
    case = a_case({"a -> b": "", "a -> c": "", "a -> d": "may", "a -> e": "implicit", "a -> f": "implicit gap"})
    found = {Edge("a", callee): callee in "eh" for callee in "bdegh"}
    verdict = judge(case, found, everything)
    assert total([verdict], implicit=False) == Sum(cases=1, whole=0, right=1, wrong=1, missing=1)
    assert total([verdict], implicit=True) == Sum(cases=1, whole=0, right=1, wrong=1, missing=1)


def test_what_is_not_claimed_is_not_missed() -> None:
    case = a_case({"a -> b": "", "a -> c": ""})
    verdict = judge(case, {Edge("a", "b"): False}, lambda _, edge: edge.callee == "b")
    assert verdict.is_whole


def test_numbers_go_where_names_are_not_told_apart() -> None:
    case = a_case({"a -> b": "static", "a -> b#2": "", "a -> <lambda>#2": ""})
    assert unnumbered(case).calls == {Edge("a", "b"): frozenset(), Edge("a", "<lambda>#2"): frozenset()}
