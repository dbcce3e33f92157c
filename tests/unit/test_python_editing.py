"""Edits of Python source: the bytes that must differ, and no others; where that is not certain, none."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel.languages.python.editing import PythonEditing
from keel.model.edits import Edit, edited

EDITING = PythonEditing()


def at(source: str, name: str, turn: int = 0) -> int:
    """The offset of a name in a source, or of a later one."""
    place = -1
    for _ in range(turn + 1):
        place = source.encode().index(name.encode(), place + 1)
    return place


def after(source: str, edits: list[Edit] | None) -> str | None:
    """The source after edits; None where there are none to be had."""
    made = edited(source.encode(), edits) if edits is not None else None
    return made.decode() if made is not None else None


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("f(old=1)", "f(new=1)"),
        ("f(  old = g(old=2) )", "f(  new = g(old=2) )"),
        ("a.b.f(1, old=1)", "a.b.f(1, new=1)"),
        ("f(old)", "f(old)"),
        ("f(old=1, new=2)", None),
        ("f", None),
        ("f(old=1", None),
    ],
)
def test_an_argument_gets_another_name(before: str, expected: str | None) -> None:
    assert after(before, EDITING.rename_argument(before.encode(), at(before, "f"), "old", "new")) == expected


@pytest.mark.parametrize(
    ("before", "place", "expected"),
    [
        ("f(1, gone=2, b=3)", -1, "f(1, b=3)"),
        ("f(1, gone=2)", -1, "f(1)"),
        ("f(gone=2)", -1, "f()"),
        ("f(gone=2,)", -1, "f()"),
        ("f(1, 2, 3)", 1, "f(1, 3)"),
        ("f(1, 2, 3)", 2, "f(1, 2)"),
        ("f(1, gone=g())", -1, None),
        ("f(*rest, 2)", 1, None),
        ("f(1)", -1, None),
        ('f(1, gone=f"{x()}")', -1, None),
    ],
)
def test_an_argument_is_left_out_unless_its_value_does_something(before: str, place: int, expected: str | None) -> None:
    assert after(before, EDITING.drop_argument(before.encode(), at(before, "f"), "gone", place)) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("f(\n    1,  # one\n    old=2,  # two\n)", "f(\n    1,  # one\n)"),
        ("f(\n    1,  # one\n    old=2  # two\n)", "f(\n    1  # one\n)"),
        ("f(\n    old=2,  # two\n    x=1,  # one\n)", "f(\n    x=1,  # one\n)"),
        ("f(1,  # one\n  old=2)", "f(1,  # one\n  )"),
    ],
)
def test_a_comment_goes_with_its_argument_and_stays_with_another(before: str, expected: str) -> None:
    assert after(before, EDITING.drop_argument(before.encode(), 0, "old", -1)) == expected


def test_an_argument_of_its_own_line_ends_it_as_the_others_do() -> None:
    before = "f(\r\n    1,\r\n    2,\r\n)"
    assert after(before, EDITING.add_argument(before.encode(), 0, "a", "3")) == before.replace("2,", "2,\r\n    a=3,")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("f()", "f(more=1)"),
        ("f(a)", "f(a, more=1)"),
        ("f(a,)", "f(a, more=1,)"),
        ("f(\n    a,\n    b,\n)", "f(\n    a,\n    b,\n    more=1,\n)"),
        ("f(**rest)", None),
        ("f(x for x in y)", None),
        ("f(more=2)", None),
    ],
)
def test_an_argument_is_added_as_the_others_are_written(before: str, expected: str | None) -> None:
    assert after(before, EDITING.add_argument(before.encode(), at(before, "f"), "more", "1")) == expected


def test_one_star_hides_nothing_that_is_taken_by_name_alone() -> None:
    assert after("f(*r)", EDITING.add_argument(b"f(*r)", 0, "more", "1", True)) == "f(*r, more=1)"
    assert EDITING.add_argument(b"f(*r)", 0, "more", "1", False) is None
    assert EDITING.add_argument(b"f(**r)", 0, "more", "1", True) is None


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("from a import f", "from b import f"),
        ("from a import f as g", "from b import f as g"),
        ("from a import e, f, g\n", "from a import e, g\nfrom b import f\n"),
        ("from a import (\n    e,\n    f,\n)\n", "from a import (\n    e,\n)\nfrom b import f\n"),
        ("from a import e, f; x = 1\n", None),
        ("import f", None),
    ],
)
def test_an_imported_name_is_taken_from_another_module(before: str, expected: str | None) -> None:
    place = before.rindex("f", 0, (before + " as ").index(" as ") + 1) if " as " in before else before.rindex("f")
    assert after(before, EDITING.import_from(before.encode(), place, "b", "f", "")) == expected


def test_a_relative_import_stays_relative() -> None:
    before = "from .a import f"
    assert (
        after(before, EDITING.import_from(before.encode(), at(before, "f", 1), "p.b", "f", "p")) == "from .b import f"
    )
    assert (
        after(before, EDITING.import_from(before.encode(), at(before, "f", 1), "q.b", "f", "p")) == "from q.b import f"
    )


def test_a_moved_name_that_is_called_otherwise_keeps_its_name_here() -> None:
    before = "from a import f"
    assert (
        after(before, EDITING.import_from(before.encode(), at(before, "f", 1), "b", "g", "")) == "from b import g as f"
    )


def test_a_name_that_is_reached_through_a_module_is_imported() -> None:
    before = '"""Doc."""\n\nimport a\n\na.f(1)\n'
    expected = '"""Doc."""\n\nimport a\nfrom b import f\n\nf(1)\n'
    assert after(before, EDITING.import_also(before.encode(), at(before, "f"), "b", "f", False)) == expected


def test_a_late_import_is_in_the_function() -> None:
    before = 'def g():\n    """Doc."""\n    return f(1)\n'
    expected = 'def g():\n    """Doc."""\n    from b import f\n    return f(1)\n'
    assert after(before, EDITING.import_also(before.encode(), at(before, "f(1"), "b", "f", True)) == expected
    assert EDITING.import_also(b"x = f(1)\n", 4, "b", "f", True) is None


def test_a_name_is_not_renamed_to_one_that_means_something_else() -> None:
    before = "new = 1\nold(new)\n"
    assert EDITING.rename(before.encode(), at(before, "old"), "old", "new", False) is None
    assert after("x.old()", EDITING.rename(b"x.old()", 2, "old", "new", False)) == "x.new()"


@pytest.mark.parametrize(
    "before",
    [
        "def g(new): return old(new)",
        "def g(*new): return old(1)",
        "def g():\n    new = 3\n    return old(new)",
        "def g():\n    def new(): pass\n    return lambda: old(1)",
        "x = [old(new) for new in y]",
    ],
)
def test_where_it_is_defined_a_name_is_not_renamed_to_one_of_the_function_around(before: str) -> None:
    assert EDITING.rename(before.encode(), at(before, "old"), "old", "new", True) is None


def test_a_call_of_itself_is_renamed_with_a_function() -> None:
    before = "def new(x): return old(x - 1)"
    assert after(before, EDITING.rename(before.encode(), at(before, "old"), "old", "new", True)) == before.replace(
        "old", "new"
    )


def test_what_a_module_lists_as_its_exports_is_renamed_with_its_import() -> None:
    before = "from a import old\n__all__ = ['old', \"older\"]\n__all__ += ['old']\nprint('old')\n"
    edits = EDITING.rename(before.encode(), at(before, "old"), "old", "new", False)
    assert after(before, edits) == (
        "from a import new\n__all__ = ['new', \"older\"]\n__all__ += ['new']\nprint('old')\n"
    )


def test_a_method_is_not_what_a_module_exports() -> None:
    before = "__all__ = ['old']\nx.old()\n"
    edits = EDITING.rename(before.encode(), at(before, "old", 1), "old", "new", True)
    assert after(before, edits) == "__all__ = ['old']\nx.new()\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def g(name): f()", True),
        ("def g(*, name: int = 1): f()", True),
        ("def g(other): f()", False),
        ("def g(name):\n    name = 2\n    f()", False),
        ("def g(name): return [f() for name in x]", False),
        ("def g(name, other=f()): pass", False),
        ("def g(name):\n    import name\n    f()", False),
        ("def g(name):\n    def name(): pass\n    f()", False),
        ("def g(name):\n    match x:\n        case [name]: f()", False),
        ("name = 1\nf()", False),
    ],
)
def test_a_value_is_handed_on_only_from_a_parameter_that_still_holds_it(source: str, expected: bool) -> None:
    assert EDITING.given_around(source.encode(), at(source, "f()"), "name") is expected


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("'x'", True), ("None", True), ("[]", False), ("X", False)]
)
def test_a_plain_value_means_the_same_everywhere(value: str, expected: bool) -> None:
    assert EDITING.is_plain(value) is expected


@given(st.lists(st.sampled_from(["a", "b=1", "c", "d='x'", "old=2", "*r", "**k"]), max_size=5))
def test_what_was_edited_parses(arguments: list[str]) -> None:
    source = f"f({', '.join(arguments)})".encode()
    for edits in (
        EDITING.rename_argument(source, 0, "old", "new"),
        EDITING.drop_argument(source, 0, "old", 1),
        EDITING.add_argument(source, 0, "more", "1"),
    ):
        made = edited(source, edits) if edits is not None else None
        if made is not None and _parses(source):
            assert _parses(made), (source, made)


def _parses(source: bytes) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def test_edits_of_the_same_bytes_are_refused() -> None:
    assert edited(b"abc", [Edit(0, 2, b"x"), Edit(1, 3, b"y")]) is None
    assert edited(b"abc", [Edit(1, 1, b"x"), Edit(1, 1, b"x"), Edit(2, 3, b"")]) == b"axb"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("from a import old\nold.clear()\nold()\n", "from a import new\nnew.clear()\nnew()\n"),
        ("def f():\n    from a import old\n    return old()\n", "def f():\n    from a import new\n    return new()\n"),
        ("from a import old\nx.old(old=old)\n", "from a import new\nx.old(old=new)\n"),
        ("from a import old as x\nx(old)\n", "from a import new as x\nx(old)\n"),
        (
            "if X:\n    from a import old\nelse:\n    from a import old\nold()\n",
            "if X:\n    from a import new\nelse:\n    from a import new\nnew()\n",
        ),
    ],
)
def test_every_use_follows_the_name_of_its_import(before: str, expected: str) -> None:
    assert after(before, EDITING.rename(before.encode(), at(before, "old"), "old", "new", False)) == expected


@pytest.mark.parametrize(
    "rest",
    [
        "def f(old): return old",
        "class A:\n    old = old",
        "old = old()",
        "def f() -> 'list[old]': return old()",
        "new = old()",
        "def f():\n    global old\n    old = 1",
    ],
)
def test_an_import_that_cannot_be_followed_keeps_its_name_by_an_alias(rest: str) -> None:
    before = f"from a import (\n    old,\n)\n{rest}\n"
    places = [at(before, "old"), at(before, "old", 1)]
    expected = before.replace("old,", "new as old,")
    for place in places:
        assert after(before, EDITING.rename(before.encode(), place, "old", "new", False)) == expected


def test_the_same_name_from_another_module_stays() -> None:
    before = "try:\n    from a import old\nexcept ImportError:\n    from b import old\nold()\n"
    expected = before.replace("a import old", "a import new as old")
    assert after(before, EDITING.rename(before.encode(), at(before, "old"), "old", "new", False)) == expected
    assert EDITING.rename(before.encode(), at(before, "old", 2), "old", "new", False) == []
