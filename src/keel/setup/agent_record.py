"""The record of what `init` changed in files of agents, piece by piece, so that `deinit` can restore them.

It is stored beside the graph, and has no more of a file than what keel put into it. Without it, or where a file was
changed since, recognising keel's entries by their text is left to the agents.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import msgspec

FORM = 1
"""The version of the record's format."""


class Piece(NamedTuple):
    """Text that keel put in the place of other text, which is mostly empty."""

    at: int
    old: str
    new: str


class Known(msgspec.Struct, frozen=True):
    """What was changed in one file."""

    digest: str
    """Digest of the file as keel left it."""
    created: bool
    """Whether the file did not exist before."""
    folders: tuple[str, ...]
    """Folders that were created for it."""
    pieces: tuple[Piece, ...] | None
    """In the order in which they were written; None when the file was changed by others in between."""

    def is_left_in(self, text: str) -> bool:
        """Whether a file is as keel left it."""
        return self.digest == digest(text)

    def undone(self, text: str) -> str | None:
        """The former text of a file that is as keel left it; None when that is not known."""
        if self.pieces is None or not self.is_left_in(text):
            return None
        for at, old, new in reversed(self.pieces):
            if text[at : at + len(new)] != new:
                return None
            text = text[:at] + old + text[at + len(new) :]
        return text


class _Record(msgspec.Struct, frozen=True):
    form: int
    files: dict[str, Known]


def remembered(path: str) -> dict[str, Known]:
    """The record, by file; empty when none can be read."""
    try:
        with open(path, "rb") as file:
            kept = msgspec.json.decode(file.read(), type=_Record)
    except (OSError, msgspec.DecodeError):
        return {}
    return kept.files if kept.form == FORM else {}


def to_keep(files: dict[str, Known]) -> str:
    """The record as text."""
    return msgspec.json.format(msgspec.json.encode(_Record(FORM, files)), indent=1).decode() + "\n"


def changed(
    known: Known | None, before: str | None, after: str, pieces: tuple[Piece, ...], folders: tuple[str, ...]
) -> Known:
    """The record of a file after another change."""
    if known is None or before is None:
        return Known(digest(after), before is None, folders, pieces)
    joined = (*known.pieces, *pieces) if known.pieces is not None and known.is_left_in(before) else None
    return Known(digest(after), known.created, known.folders, joined)


def piece_between(before: str, after: str) -> Piece:
    """The one range in which two texts differ."""
    least = min(len(before), len(after))
    start = next((at for at in range(least) if before[at] != after[at]), least)
    end = next((at for at in range(least - start) if before[-1 - at] != after[-1 - at]), least - start)
    return Piece(start, before[start : len(before) - end], after[start : len(after) - end])


def digest(text: str) -> str:
    """A digest of a text."""
    return sha256(text.encode("utf-8")).hexdigest()
