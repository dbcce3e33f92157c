"""Edits of a text: ranges of bytes and their replacements.

Where to edit what is left to the languages and to fixing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """The replacement of the bytes from `start` to `end`; where they are equal, an insertion."""

    start: int
    end: int
    text: bytes


def edited(source: bytes, edits: Iterable[Edit]) -> bytes | None:
    """The text after all edits; identical edits count once. None when two of them overlap."""
    parts: list[bytes] = []
    done = 0
    for edit in sorted(set(edits)):
        if edit.start < done or edit.end < edit.start:
            return None
        parts += [source[done : edit.start], edit.text]
        done = edit.end
    return b"".join([*parts, source[done:]])
