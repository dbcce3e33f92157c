"""The Format socket: how a result becomes text.

What is in the result is the operation's business; where the text goes, the surface's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol


class Format(Protocol):
    """A way to write results down; pieces of text come as they are made, so that a long answer can stream.

    One that can fit a screen also has `fitted(result, colour, width)`, asked where the text goes to a terminal.
    """

    name: str

    def render(self, result: object, colour: bool = False) -> Iterator[str]:
        """The text of a result, line ends included."""


class Budgeted(Format, Protocol):
    """A format that can be told how long its text may be."""

    def within(self, tokens: int) -> Format:
        """The same format with a budget: its texts have at most so many tokens, and say what they leave out."""
