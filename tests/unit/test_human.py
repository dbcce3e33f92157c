"""The human format: layouts, alignment, and colour only where it was asked for."""

from __future__ import annotations

from typing import ClassVar

from keel.formats.human import aligned, format
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


def test_columns_stand_below_each_other() -> None:
    assert aligned(["a  bb  c", "aaa  b"]) == ["a    bb  c", "aaa  b"]
