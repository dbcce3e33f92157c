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
