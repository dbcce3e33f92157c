"""Deletes a database that cannot be used, but not one that another process has made in its place.

SQLite cannot lock a file that is no database, so an empty database beside it is locked. When to delete is left to the
callers.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from keel.errors import StoreFull
from keel.stores.sqlite.connect import translated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.ports.store import Mark

LOCK = "-lock"


def mark_of(path: str) -> Mark:
    """The identity of the current file, to tell it from one that replaces it."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_ino, status.st_ctime_ns, status.st_size


def discard(path: str, mark: Mark | None, wait: float) -> None:
    """Deletes the database in whatever state it is, unless it is another than the marked one.

    The main file goes last: as soon as it is gone another process may begin a new one, with a journal beside it.
    """
    with _alone(path, wait):
        if mark is not None and mark_of(path) != mark:
            return
        for name in (f"{path}-wal", f"{path}-shm", f"{path}-journal", path):
            try:
                os.remove(name)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StoreFull(path, error.strerror or str(error)) from error


@contextmanager
def _alone(path: str, wait: float) -> Iterator[None]:
    """Holds the lock for discarding."""
    with translated(path, StoreFull), closing(sqlite3.connect(f"{path}{LOCK}", timeout=wait)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield
