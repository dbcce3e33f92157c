"""Counts in words: the noun fits the number, and what is none is not said."""

from __future__ import annotations

import pytest

from keel.model.text.wording import counted, format_counts


@pytest.mark.parametrize(
    ("count", "noun", "expected"),
    [
        (0, "file", "0 files"),
        (1, "file", "1 file"),
        (2, "class", "2 classes"),
        (1234, "line", "1,234 lines"),
        (3, "more suffix", "3 more suffixes"),
        (2, "upstream entry", "2 upstream entries"),
    ],
)
def test_the_noun_fits_the_number(count: int, noun: str, expected: str) -> None:
    assert counted(count, noun) == expected


def test_what_is_none_is_left_out_of_a_list() -> None:
    assert format_counts({"class": 1, "function": 0, "line": 20}) == "1 class, 20 lines"
    assert format_counts({"class": 0}) == ""
