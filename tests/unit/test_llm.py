"""The format for language models: compact, in order, and nothing is cut in the middle."""

from __future__ import annotations

from typing import ClassVar
from unittest.mock import patch

from keel.formats import _budget
from keel.formats._tokens import estimate
from keel.formats.llm import Llm
from keel.graph.workspace_map import Module, Symbol, WorkspaceMap
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


def test_a_long_source_is_gone_through_once() -> None:
    source = "\n".join(f"line_{number} = {number}" for number in range(2000))
    with patch.object(_budget, "_with_titles", wraps=_budget._with_titles) as walk:
        said = text(ANSWER.replace(source=source), tokens=300)
    assert "lines; raise --max-tokens" in said
    assert walk.call_count < 200, "what is below a line that did not fit is not tried"


def test_numbers_are_written_by_thousands() -> None:
    many = ANSWER.replace(numbers={"many": 12345}, source="\n".join("x = 1" for _ in range(3000)))
    said = text(many, tokens=200)
    assert "numbers: many 12,345\n" in said
    assert "… not shown: 2,9" in said


# maps


def module(path: str) -> Module:
    return Module(
        root="r",
        path=path,
        module=path.removesuffix(".py"),
        language="python",
        lines=9,
        classes=0,
        functions=2,
        used_by=0,
        used_by_tests=0,
        uses=0,
        is_test=False,
    )


def function(name: str, line: int, references: int = 0, path: str = "a.py") -> Symbol:
    return Symbol(
        root="r",
        path=path,
        line=line,
        kind="function",
        qualified_name=name,
        hash="0",
        visibility="public",
        declaration=f"def {name}(x)",
        references=references,
        references_from_tests=0,
    )


def atlas(*symbols: Symbol, depth: int = 2) -> WorkspaceMap:
    modules = tuple(module(path) for path in dict.fromkeys(symbol.path for symbol in symbols))
    return WorkspaceMap(
        scope="",
        depth=depth,
        most_referenced=(),
        modules=modules,
        symbols=symbols,
        total=len(modules),
        offset=0,
        left_out={},
    )


def test_the_most_referenced_overload_is_shown_for_all() -> None:
    overloads = (function("load", 1), function("load", 3, references=7), function("load", 5))
    assert "a.py load:3 other:9\n" in text(atlas(*overloads, function("other", 9)))


def test_of_overloads_that_are_referenced_alike_the_last_is_shown_for_all() -> None:
    found = atlas(function("load", 1), function("other", 3), function("load", 5), depth=3)
    assert text(found).endswith("a.py\n 3 def other(x)\n 5 def load(x)\n")


def test_a_referenced_overload_is_kept_before_what_is_referenced_less() -> None:
    others = [function(f"some_long_name_{number}", number, references=1) for number in range(100)]
    found = atlas(*others, function("load", 200), function("load", 202, references=7))
    assert " load:202" in text(found, tokens=100)


def test_a_map_of_one_module_cannot_be_narrowed() -> None:
    functions = [function(f"function_{number}", number) for number in range(3000)]
    said = text(atlas(*functions), tokens=200).splitlines()
    shown = said[-2].count(":")
    assert shown > 0
    assert said[-1] == f"… {3000 - shown:,} more functions in 1 module; raise --max-tokens"


def test_a_map_of_several_modules_can_be_narrowed() -> None:
    functions = [function(f"function_{number}", number, path=f"{number % 2}.py") for number in range(3000)]
    assert text(atlas(*functions), tokens=200).endswith(" in 2 modules; narrow with --scope\n")
