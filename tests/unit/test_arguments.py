"""Arguments: words of a command line as the fields of records, in every form they can be written."""

from __future__ import annotations

import pytest

from keel.errors import UsageError
from keel.model.record import Record, field
from keel.surfaces.cli.arguments import check_required, did_you_mean, parse


class Params(Record):
    """A bit of everything."""

    symbol: str = field("What is meant.", positional=True)
    rest: tuple[str, ...] = field("What else.", positional=True, default=())
    kind: tuple[str, ...] = field("Which.", default=(), choices=("class", "function"))
    max_lines: int = field("How many.", default=5, least=0)
    fresh: bool = field("Whether.", default=True)
    quiet: bool = field("Whether.", default=False)
    verbose: bool = field("Whether.", default=False)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["a"], {"symbol": "a"}),
        (["a", "b", "c"], {"symbol": "a", "rest": ("b", "c")}),
        (["--symbol", "a", "b"], {"symbol": "a", "rest": ("b",)}),
        (["a", "--max-lines", "3"], {"symbol": "a", "max_lines": 3}),
        (["a", "--max-lines=3"], {"symbol": "a", "max_lines": 3}),
        (["--max-lines=3", "a", "--max-lines", "4"], {"symbol": "a", "max_lines": 4}),
        (["--kind", "class", "--kind=function"], {"kind": ("class", "function")}),
        (["--no-fresh"], {"fresh": False}),
        (["-q"], {"quiet": True}),
        (["-qv"], {"quiet": True, "verbose": True}),
        (["--", "-q", "--kind"], {"symbol": "-q", "rest": ("--kind",)}),
        (["-"], {"symbol": "-"}),
        (["--symbol=--fresh"], {"symbol": "--fresh"}),
        (["--symbol="], {"symbol": ""}),
        (["--symbol=a=b"], {"symbol": "a=b"}),
    ],
)
def test_words_become_fields(words: list[str], expected: dict[str, object]) -> None:
    assert parse(words, Params) == [expected]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--symbol", "--fresh"],
            "--symbol needs a value, and --fresh is an option; write --symbol=--fresh if that is",
        ),
        (["--symbol", "--"], "--symbol needs a value, and -- is an option"),
        (["--symbol"], "--symbol needs a value: What is meant."),
        (["--max-lines", "-1"], "--max-lines is a whole number of at least 0, not '-1'"),
        (["--kind", "clss"], "--kind cannot be 'clss'; did you mean class?"),
        (["--kind", "CLASS"], "--kind cannot be 'CLASS'; did you mean class?"),
        (["--kind", "xyz"], "--kind cannot be 'xyz' (class, function)"),
        (["--max_lines", "3"], "unknown option --max_lines; did you mean --max-lines?"),
        (["-quiet"], "unknown option -quiet; did you mean --quiet?"),
        (["-qx"], "unknown option -qx"),
        (["-1"], "unknown option -1"),
        (["--no-symbol"], "unknown option --no-symbol; did you mean --symbol?"),
        (["--fresh=yes"], "--fresh takes no value"),
    ],
)
def test_words_that_do_not_fit_are_told(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(words, Params)
    assert str(caught.value).startswith(message)


def test_what_must_be_given_is_asked_for() -> None:
    with pytest.raises(UsageError, match=r"SYMBOL is missing: What is meant\."):
        check_required(Params, {})


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("wher", "where"),
        ("WHERE", "where"),
        ("desc", "describe"),
        ("st", ""),
        ("qqq", ""),
        ("", ""),
        ("x" * 100_000, ""),
    ],
)
def test_the_word_that_was_meant(word: str, meant: str) -> None:
    hint = did_you_mean(word, ["where", "describe", "status", "stats"])
    assert hint == (f"did you mean {meant}?" if meant else "")
