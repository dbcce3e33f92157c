"""The socket between evaluation's parts: what `members`, `calls`, `containers` and `types` ask `evaluate` for.

It is here so that they need not know each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from keel.languages.python.resolve.giving import Slots
from keel.languages.python.resolve.lookup import Lookup
from keel.languages.python.resolve.sources import Source
from keel.languages.python.resolve.things import Frame, Thing, Things
from keel.model.rows import FileRow


class Evaluation(Protocol):
    """The evaluator, as its parts see it."""

    lookup: Lookup
    slots: Slots
    source: Callable[[int], Source]
    rows: Mapping[int, FileRow]
    frame: Frame | None

    def evaluate(self, file: int, place: int) -> Things:
        """What the value at a place may be."""

    def all(self, file: int, places: Sequence[int]) -> Things:
        """What the values at several places may be."""

    def given(self, argument: Any) -> Things:
        """What an argument may be."""

    def without_frame(self, ask: Callable[..., Things], *arguments: object) -> Things:
        """An answer that does not depend on who calls."""

    def name(self, file: int, name: str) -> Things:
        """A name of a module."""

    def binding(self, file: int, scope: int, name: str) -> Things:
        """What a name of a scope may be in the end."""

    def root(self, file: int, root: int, first: str) -> Things:
        """What the first name of a chain may be, by where it is bound."""

    def attributes(self, owners: Things, name: str) -> Things:
        """An attribute of things."""

    def extension(self, file: int, place: int) -> Things:
        """What is added to a container: another container."""

    def grown(self, file: int, places: Iterable[int]) -> Things:
        """What is put into a container, as containers."""

    def elements(self, whole: Thing) -> Things:
        """What iterating over a thing gives."""

    def definition(self, file: int, ordinal: int) -> Things:
        """A class or function as its decorators leave it."""

    def note_function(self, file: int, ordinal: int) -> None:
        """Records that a function was asked what it is and hands back."""

    def note_attribute(self, file: int, ordinal: int, name: str) -> None:
        """Records that a class was asked what an attribute is given."""

    def of_definition(self, file: int, ordinal: int) -> Things:
        """What a definition's name stands for."""
