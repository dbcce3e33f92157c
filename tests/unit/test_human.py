"""The human format: layouts, alignment, and colour only where it was asked for."""

from __future__ import annotations

from typing import ClassVar

from keel.formats._tables import aligned
from keel.formats.human import format
from keel.model.record import Record


class Row(Record):
    """A row of a list."""

    LAYOUT: ClassVar = ("{path}:{line}  {name}",)

    path: str
    line: int
    name: str


class Answer(Record):
    """An answer with everything in it."""

    LAYOUT: ClassVar = ("{count} found  in all", "{note}", "rows", "numbers", "table", "empty")

    count: int = 2
    note: str = ""
    rows: tuple[Row, ...] = (Row(path="a.py", line=1, name="x"), Row(path="long/b.py", line=20, name="y"))
    numbers: dict[str, int]
    table: dict[str, dict[str, int]]
    empty: tuple[str, ...] = ()


class Bare(Record):
    """An answer that says no layout."""

    some_word: str = "x"
    is_so: bool = True
    text: str = "two\nlines"


ANSWER = Answer(numbers={"one": 1, "eleven": 11}, table={"calls": {"in": 1, "out": 20}})


def test_parts_come_in_order_and_empty_ones_are_left_out() -> None:
    assert "".join(format.render(ANSWER)).splitlines() == [
        "2 found  in all",
        "rows:",
        "  a.py:1        x",
        "  long/b.py:20  y",
        "numbers:",
        "  one      1",
        "  eleven  11",
        "table:",
        "         in  out",
        "  calls   1   20",
    ]


def test_without_a_layout_all_fields_are_shown() -> None:
    said = "".join(format.render(Bare()))
    assert said == "some word: x\nis so: yes\ntext:\n  two\n  lines\n"


def test_a_table_that_is_too_wide_becomes_lines() -> None:
    wide = ANSWER.replace(table={"suffix": {f".{number}": number for number in range(20)}})
    said = "".join(format.render(wide))
    assert "table:\n  suffix: .19 19, .18 18," in said
    assert said.endswith(", and 8 more\n")


def test_colour_is_there_only_when_asked_for() -> None:
    assert "\033" not in "".join(format.render(ANSWER))
    coloured = "".join(format.render(ANSWER, colour=True)).splitlines()
    assert coloured[0] == "\033[1m2 found\033[0m  in all"
    assert coloured[1] == "\033[2mrows:\033[0m"


def test_rows_that_begin_with_a_place_show_it_in_colour() -> None:
    coloured = "".join(format.render(ANSWER, colour=True)).splitlines()
    assert coloured[2] == "  \033[36ma.py:1\033[0m        x"


class Counted(Record):
    """An answer that counts."""

    LAYOUT: ClassVar = ("{files:# file}, {lines:,} lines at {path}:{line}", "{source}", "kinds")

    files: int
    lines: int = 12345
    path: str = "a.py"
    line: int = 1234
    source: str = ""
    kinds: dict[str, int] = {}  # noqa: RUF012  # a record is frozen


def test_numbers_are_read_by_thousands_and_places_are_not() -> None:
    assert "".join(format.render(Counted(files=1))) == "1 file, 12,345 lines at a.py:1234\n"
    said = "".join(format.render(Counted(files=2000, kinds={"class": 9, "function": 1234567})))
    assert said == "2,000 files, 12,345 lines at a.py:1234\nkinds:\n  class             9\n  function  1,234,567\n"


def test_source_is_shown_as_it_is_and_never_coloured() -> None:
    shown = "".join(format.render(Counted(files=1, source="class A:\n\tx = 1  # y"), colour=True))
    assert shown.endswith("class A:\n\tx = 1  # y\n")


def test_nothing_controls_a_terminal() -> None:
    shown = "".join(format.render(Bare(some_word="a\033[2Jb", text="\u202eevil\x9b")))
    assert shown == "some word: a\\x1b[2Jb\nis so: yes\ntext: \\u202eevil\\x9b\n"


def test_on_a_screen_words_are_cut_and_rows_are_not() -> None:
    many = tuple(Row(path=f"{number}.py", line=1, name="x") for number in range(30))
    shown = "".join(format.fitted(ANSWER.replace(rows=many, empty=tuple(map(str, range(30)))), False, 80))
    assert "29.py:1" in shown
    assert shown.endswith("  19\n  … and 10 more\n")


def test_on_a_narrow_screen_places_stay_whole() -> None:
    row = Row(path="a/long/path/to/it.py", line=100, name="something_with_a_long_name")
    shown = "".join(format.fitted(ANSWER.replace(rows=(row, *ANSWER.rows)), False, 40)).splitlines()
    assert shown[2] == "  a/long/path/to/it.py:100  something_w…"
    assert shown[3] == "  a.py:1  x"
    assert max(map(len, shown)) <= 40


def test_on_a_narrow_screen_a_table_becomes_lines() -> None:
    table = {"suffix": {f".suffix{number}": number for number in range(3)}}
    shown = "".join(format.fitted(ANSWER.replace(table=table), False, 24))
    assert shown.endswith("table:\n  suffix: .suffix2 2,\n    .suffix1 1, .suffix0\n    0\n")


def test_wide_and_combining_letters_are_measured_as_they_are_seen() -> None:
    assert aligned(["名前  x", "e\u0301  y", "abcd  z"]) == ["名前  x", "e\u0301     y", "abcd  z"]


def test_columns_of_numbers_are_aligned_to_the_right() -> None:
    assert aligned(["a  1  x", "b  1,000  y"]) == ["a      1  x", "b  1,000  y"]


def test_columns_are_below_each_other() -> None:
    assert aligned(["a  bb  c", "aaa  b"]) == ["a    bb  c", "aaa  b"]
