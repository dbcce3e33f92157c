"""Text on a screen: safe for a terminal, measured in columns, cut and wrapped to a width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel.formats._screen import columns, cut, safe, wrapped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain größe 名前", "plain größe 名前"),
        ("\033[31m", "\\x1b[31m"),
        ("a\tb", "a\tb"),
        ("a\rb\nc\0", "a\\x0db\\x0ac\\x00"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("\udcff", "\\udcff"),
        ("\u2028", "\\u2028"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, expected: str) -> None:
    assert safe(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("abc", 3), ("名前", 4), ("e\u0301", 1), ("größe", 5), ("", 0)])
def test_columns_are_those_of_a_terminal(text: str, expected: int) -> None:
    assert columns(text) == expected


@given(st.text(), st.integers(1, 40))
def test_what_is_cut_fits(text: str, width: int) -> None:
    shown = cut(text, width)
    assert columns(shown) <= width
    assert shown == text or shown.endswith("…")


@given(st.text(alphabet="ab 名\n"), st.integers(4, 40))
def test_what_is_wrapped_holds_every_word(text: str, width: int) -> None:
    lines = wrapped(text, width, "  ")
    assert " ".join(lines).split() == text.split()
    for line in lines:
        assert columns(line) <= width or len(line.split()) == 1
