"""What the graph does not cover: files that were not read, could not be opened, are malformed, or crashed their reader.

`status` and `stats` both report it. Detecting such files is left to `indexing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.indexing.scan.scan_result import outermost
from keel.model.facts import UNRELIABLE
from keel.model.record import Record, field
from keel.model.rows import LOST, UNREADABLE
from keel.model.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keel.indexing.scan.scan import Scan
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader

MAX_SUFFIXES = 12
REASONS = {"suffix": "no language for the suffix"}
"""Reasons in words, where the identifier alone says too little."""


class Coverage(Record):
    """What the graph does not cover of the workspace."""

    unreadable: tuple[str, ...] = field("Files that could not be opened; what was known about them is kept.")
    broken: tuple[str, ...] = field("Files with text that is no code; what can be read of them is in the graph.")
    lost: tuple[str, ...] = field("Files whose reader failed; they are in the graph without definitions.")
    not_read: dict[str, dict[str, int]] = field("Files that were not read: reason, then how many by suffix.")

    @property
    def unread(self) -> str:
        """The files that were not read, in words."""
        if not self.not_read:
            return ""
        total = sum(sum(counts.values()) for counts in self.not_read.values())
        lines = (f"  {REASONS.get(reason, reason)}: {_largest(counts)}" for reason, counts in self.not_read.items())
        return "\n".join([f"not read: {counted(total, 'file')}", *lines])


def unreadable_files(known: Sequence[FileRow], seen: Scan) -> tuple[str, ...]:
    """Files that could not be opened, now or when the graph was made."""
    stored = [(row.root, row.path) for row in known if row.state == UNREADABLE]
    return tuple(name_of(root, path) for root, path in outermost([*stored, *seen.unreadable]))


def broken_files(reader: GraphReader) -> tuple[str, ...]:
    """Files with text that is not valid in their language."""
    return tuple(name_of(row.root, row.path) for row in reader.files_with(UNRELIABLE))


def lost_files(known: Sequence[FileRow]) -> tuple[str, ...]:
    """Files that crashed their reader."""
    return tuple(name_of(row.root, row.path) for row in known if row.state == LOST)


def name_of(root: str, path: str) -> str:
    """A file as answers about the whole workspace name it."""
    return f"{root}/{path}"


def _largest(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    said = ", ".join(f"{suffix or '(none)'} {count}" for suffix, count in ordered[:MAX_SUFFIXES])
    more = len(ordered) - MAX_SUFFIXES
    return f"{said}, and {counted(more, 'more suffix')}" if more > 0 else said
