"""What a case says of itself is held against its run: these tests show that a false word is seen.

The cases here are made up; the real ones are `test_truth`'s.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.callgraph.cases import Case, Edge, module_name
from tests.spec.callgraph.observe import observe, untruths

CODE = """
class Box:
    def __enter__(self): return self
    def __exit__(self, *error): pass
def values():
    yield used()
def used(): return 1
def unused(): return 2
def consume(items): return list(items)
with Box():
    consume(values())
"""
TRUE = {
    "main -> main.Box": "",
    "main -> main.Box.__enter__": "implicit",
    "main -> main.Box.__exit__": "implicit",
    "main -> main.consume": "",
    "main -> main.values": "",
    "main.values -> main.used": "",
}


def a_case(calls: dict[str, str], code: str = CODE) -> Case:
    """A case of one file, with calls and their marks."""
    listed = {Edge(*text.split(" -> ")): frozenset(marks.split()) for text, marks in calls.items()}
    return Case("made_up", "A case", 1, {"main.py": code}, listed, (), "main", "")


def said_of(case: Case, folder: Path) -> list[str]:
    """What is wrong with a case."""
    [seen] = observe([case], folder)
    return untruths(case, seen)


def test_a_true_case_is_left_alone(tmp_path: Path) -> None:
    assert said_of(a_case(TRUE), tmp_path) == []


@pytest.mark.parametrize(
    ("call", "marks", "expected"),
    [
        ("main -> main.unused", "", ["listed and not seen: main -> main.unused"]),
        ("main -> main.unused", "static", []),
        ("main -> main.unused", "may", []),
        ("main -> main.consume", "static", ["marked as not taken, and yet seen: main -> main.consume"]),
        ("main -> main.consume", "implicit", ["written as a call, not implicit: main -> main.consume"]),
        ("main -> main.Box.__enter__", "", ["implicit: main -> main.Box.__enter__"]),
        ("main.consume -> main.values", "", ["listed and not seen: main.consume -> main.values"]),
    ],
)
def test_a_false_word_is_seen(call: str, marks: str, expected: list[str], tmp_path: Path) -> None:
    assert said_of(a_case(TRUE | {call: marks}), tmp_path) == expected


def test_a_call_that_is_not_listed_is_named(tmp_path: Path) -> None:
    calls = {call: marks for call, marks in TRUE.items() if not call.endswith(("used", "__exit__"))}
    assert said_of(a_case(calls), tmp_path) == [
        "seen and not listed: main -> main.Box.__exit__ implicit",
        "seen and not listed: main.values -> main.used",
    ]


def test_a_case_that_breaks_says_so(tmp_path: Path) -> None:
    [said] = said_of(a_case({}, "raise SystemExit('no')"), tmp_path)
    assert said.startswith("it does not run: ")
    assert "SystemExit: no" in said


def test_equal_functions_in_two_files_are_two(tmp_path: Path) -> None:
    case = a_case({"main -> one.run": ""}, "import one, two\none.run()\n")
    case = case._replace(files=case.files | {"one.py": "def run(): pass\n", "two.py": "def run(): pass\n"})
    assert said_of(case, tmp_path) == []


def test_cases_of_one_run_do_not_see_each_other(tmp_path: Path) -> None:
    calls = {"main -> shared.inner.run": ""}
    first = a_case(calls, "import shared.inner\nshared.inner.run()\n")
    first = first._replace(files=first.files | {"shared/inner.py": "def run(): pass\n"})
    second = a_case({"main -> shared.run": ""}, "import shared\nshared.run()\n")
    second = second._replace(files=second.files | {"shared.py": "def run(): pass\n"})
    seen = observe([first, second], tmp_path)
    assert [untruths(case, each) for case, each in zip([first, second], seen, strict=True)] == [[], []]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("main.py", "main"), ("a/b.py", "a.b"), ("a/__init__.py", "a"), ("src/a/b.py", "a.b")],
)
def test_a_file_has_its_dotted_name(path: str, expected: str) -> None:
    assert module_name(path) == expected
