"""What a scan finds, as values: files, and everything noticed on the way to them.

How they are found is in `listing.py`, what became of the known ones in `scan.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from keel.indexing.repository import Stamp


class Found(NamedTuple):
    """A file to be read: `path` is escaped for ids, `on_disk` is what to open."""

    root: str
    path: str
    on_disk: str
    size: int
    mtime_ns: int


class Listing(NamedTuple):
    """Everything a listing of the roots saw; the walk fills it."""

    files: dict[tuple[str, str], Found]
    folders: list[tuple[str, int, int]]
    """Path, modification time and digest of names."""
    watched: dict[str, Stamp]
    steering: dict[str, Stamp]
    barred: list[str]
    unreadable: list[tuple[str, str]]
    """Root and path of what could not be opened; folders end in `/`."""
    unproven: list[str]
    """Folders about which the listing may say too little: what it lacks below them may still be there."""
    skipped: dict[str, dict[str, int]]
    warnings: list[str]


def empty_listing() -> Listing:
    """A listing that has seen nothing yet."""
    return Listing({}, [], {}, {}, [], [], [], {}, [])
