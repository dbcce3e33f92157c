"""The Format socket: how a result becomes text.

The content of the result is left to the operation, where the text goes to the surface.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol


class Format(Protocol):
    """A textual form of results; it yields text in pieces, so that a long answer can stream.

    A format that can fit a screen also has `fitted(result, colour, width)`, which is called when the output is a
    terminal.
    """

    name: str

    def render(self, result: object, colour: bool = False) -> Iterator[str]:
        """The text of a result, line ends included."""


class Budgeted(Format, Protocol):
    """A format that can limit the length of its text."""

    def within(self, tokens: int) -> Format:
        """The same format with a budget: its text has at most so many tokens, and states what it leaves out."""
