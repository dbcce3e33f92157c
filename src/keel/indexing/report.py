"""The outcome of a run of the indexing pipeline, as a value.

Printing it is left to operations and formats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Progress = Callable[[str, int, int], None]
"""Called now and then with the stage, how much of it is done, and the total."""


class Report(NamedTuple):
    """Counts and warnings of a run."""

    built: bool = False
    """Whether the graph was made from nothing."""
    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    linked: int = 0
    """Files whose references were linked again."""
    unreadable: tuple[str, ...] = ()
    """Files that could not be opened: what is stored about them is kept."""
    broken: tuple[str, ...] = ()
    """Files read in this run with text that is not valid in their language: what can be read of them is in the
    graph."""
    lost: tuple[str, ...] = ()
    """Files whose reader failed, each with the reason; they are in the graph without definitions."""
    warnings: tuple[str, ...] = ()

    def with_warnings(self, more: list[str]) -> Report:
        """The same with further warnings."""
        return self._replace(warnings=(*self.warnings, *more))

    @property
    def is_quiet(self) -> bool:
        """Whether nothing at all had changed."""
        return not (self.built or self.added or self.changed or self.removed or self.linked)


def no_progress(stage: str, done: int, total: int) -> None:
    """For callers that do not report progress."""
