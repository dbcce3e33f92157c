"""Edits of a text: stretches of bytes and what comes in their place.

Where to edit what is left to languages and to those who plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """What comes in the place of the bytes from `start` to `end`; where they are equal, it is put in."""

    start: int
    end: int
    text: bytes


def edited(source: bytes, edits: Iterable[Edit]) -> bytes | None:
    """The text after all edits; the same edit counts once. None when two of them are about the same bytes."""
    parts: list[bytes] = []
    done = 0
    for edit in sorted(set(edits)):
        if edit.start < done or edit.end < edit.start:
            return None
        parts += [source[done : edit.start], edit.text]
        done = edit.end
    return b"".join([*parts, source[done:]])
