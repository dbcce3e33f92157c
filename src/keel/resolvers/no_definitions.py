"""The Definitions socket of a helper that is missing or unusable: no answers, and the reason.

Helpers that answer are left to the folders beside this one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from keel.errors import HelperError
from keel.ports.definitions import Answer, Position


class NoDefinitions:
    """Answers nothing; use it as a context manager, as those that answer."""

    available = False

    def __init__(self, trouble: HelperError) -> None:
        self.trouble: HelperError | None = trouble

    def __enter__(self) -> NoDefinitions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, questions: Iterable[Position]) -> Generator[tuple[Position, Answer], None, None]:
        """Each question without an answer."""
        return ((position, None) for position in questions)

    def close(self) -> None:
        """There is nothing to end."""
