"""The format for language models: compact, in order, and nothing is cut in the middle."""

from __future__ import annotations

from typing import ClassVar

from keel.formats._tokens import estimate
from keel.formats.llm import Llm
from keel.model.record import Record


class Row(Record):
    """A row of a list, which says how it looks here."""

    LAYOUT: ClassVar = ("{path}:{line}  a long way to say it",)
    LLM: ClassVar = "{path}:{line}"

    path: str
    line: int


class Answer(Record):
    """An answer with everything in it."""

    LAYOUT: ClassVar = ("{count} found  in all", "{nothing}", "rows", "numbers", "table", "empty", "{source}")

    count: int = 2
    nothing: str = ""
    rows: tuple[Row, ...] = (Row(path="a.py", line=1), Row(path="long/b.py", line=20))
    numbers: dict[str, int]
    table: dict[str, dict[str, int]]
    empty: tuple[str, ...] = ()
    source: str = "def f():\n    x  =  1\n\n    return x"


ANSWER = Answer(numbers={"one": 1, "eleven": 11}, table={"calls": {"in": 1, "out": 20}})


def text(answer: object, tokens: int = 4000) -> str:
    return "".join(Llm(tokens).render(answer))


def test_parts_come_in_order_and_source_is_left_as_it_is() -> None:
    assert text(ANSWER).splitlines() == [
        "2 found in all",
        "rows:",
        "a.py:1",
        "long/b.py:20",
        "numbers: one 1, eleven 11",
        "table: calls {in 1, out 20}",
        "def f():",
        "    x  =  1",
        "",
        "    return x",
    ]


def test_source_is_cut_at_its_end_only() -> None:
    lines = [f"    line_{number} = {number}" for number in range(100)]
    said = text(ANSWER.replace(source="\n".join(lines)), tokens=200).splitlines()
    shown = [line for line in said if line.startswith("    line_")]
    assert 0 < len(shown) < 100
    assert shown == lines[: len(shown)]
    assert said[-1] == f"… not shown: {100 - len(shown)} lines; raise --max-tokens to see more"


def test_lists_are_cut_at_their_end_and_counted() -> None:
    rows = tuple(Row(path=f"some/path/to/a_{number}.py", line=number) for number in range(50))
    said = text(ANSWER.replace(rows=rows, source=""), tokens=150).splitlines()
    shown = [line for line in said if line.startswith("some/")]
    assert shown == [f"{row.path}:{row.line}" for row in rows[: len(shown)]]
    assert said[-1] == f"… not shown: {50 - len(shown)} rows entries; raise --max-tokens to see more"


def test_a_budget_leaves_the_format_as_it_was() -> None:
    wide = Llm()
    assert (wide.within(100).tokens, wide.tokens) == (100, 4000)


def test_what_is_no_letter_of_english_costs_its_bytes() -> None:
    assert estimate("名前") >= len("名前".encode())
    assert estimate("") == 0
