"""What a run of the write line did, as a value.

Printing it is left to operations and formats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Progress = Callable[[str, int, int], None]
"""Told now and then: the stage, how much of it is done, and of how much."""


class Report(NamedTuple):
    """Counts and warnings of a run."""

    built: bool = False
    """Whether the graph was made from nothing."""
    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    linked: int = 0
    """Files whose references were looked at again."""
    unreadable: tuple[str, ...] = ()
    """Files that could not be opened: what is stored about them stands."""
    broken: tuple[str, ...] = ()
    """Files read in this run that hold text which is not their language: what can be read of them is in the graph."""
    lost: tuple[str, ...] = ()
    """Files whose reader failed, each with the reason; they are in the graph without definitions."""
    warnings: tuple[str, ...] = ()

    def with_warnings(self, more: list[str]) -> Report:
        """The same, and what else was noticed."""
        return self._replace(warnings=(*self.warnings, *more))

    @property
    def is_quiet(self) -> bool:
        """Whether nothing at all had changed."""
        return not (self.built or self.added or self.changed or self.removed or self.linked)


def no_progress(stage: str, done: int, total: int) -> None:
    """For whoever does not want to hear."""
