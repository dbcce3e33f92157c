"""Mends: what is to be done at one place, or why nothing is.

Who finds them out is `fix.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from keel.model.edits import Edit


class Fix(NamedTuple):
    """What is to be done at one place: in words, and as edits of the file it stands in; none if others do it all."""

    words: str
    edits: tuple[Edit, ...]


class Left(NamedTuple):
    """Why nothing is done at a place."""

    why: str


def fix_of(words: str, edits: Sequence[Edit] | None, name: str) -> Fix | Left:
    """A mend, unless a language knows no edits for it."""
    if edits is None:
        return Left(f"what is written there leaves no plain way to change '{name}'")
    return Fix(words, tuple(edits))
