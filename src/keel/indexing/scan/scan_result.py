"""The values of a scan: files, and everything noticed while listing them.

Listing is left to `listing.py`, comparing with the known files to `scan.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from keel.indexing.git.repository import Stamp
from keel.model.refs import FileKey


class ScannedFile(NamedTuple):
    """A file to be read: `path` is escaped for ids, `on_disk` is the path to open."""

    root: str
    path: str
    on_disk: str
    size: int
    mtime_ns: int


class Listing(NamedTuple):
    """Everything a listing of the roots saw; the walk fills it."""

    files: dict[tuple[str, str], ScannedFile]
    folders: list[tuple[str, int, int]]
    """Path, modification time and digest of names."""
    watched: dict[str, Stamp]
    manifest_files: dict[str, Stamp]
    unreadable: list[tuple[str, str]]
    """Root and path of what could not be opened; folders end in `/`."""
    unproven: list[str]
    """Folders about which the listing may be incomplete: what it lacks below them may still exist."""
    skipped: dict[str, dict[str, int]]
    warnings: list[str]


def is_among(places: Iterable[FileKey], root: str, path: str) -> bool:
    """Whether a file or folder is one of these file keys, or is in one."""
    return any(root == name and (path == at or (at[-1:] == "/" and path.startswith(at))) for name, at in places)


def outermost(places: Iterable[FileKey]) -> list[FileKey]:
    """The file keys in order, each once, without those inside another."""
    kept: list[FileKey] = []
    for root, path in sorted(set(places)):  # a folder comes before what is in it
        if not is_among(kept[-1:], root, path):
            kept.append((root, path))
    return kept


def empty_listing() -> Listing:
    """A listing that has seen nothing yet."""
    return Listing({}, [], {}, {}, [], [], {}, [])
