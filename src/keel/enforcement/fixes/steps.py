"""Steps of a fix: what to do at one place, or why nothing is done.

Planning them is left to `fix.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from keel.model.edits import Edit


class Fix(NamedTuple):
    """What to do at one place: as text, and as edits of its file; no edits if those of other places are enough."""

    words: str
    edits: tuple[Edit, ...]


class Left(NamedTuple):
    """Why nothing is done at a place."""

    why: str


def fix_of(words: str, edits: Sequence[Edit] | None, name: str) -> Fix | Left:
    """A fix, unless the language has no edits for it."""
    if edits is None:
        return Left(f"the source there has no simple way to change '{name}'")
    return Fix(words, tuple(edits))
