"""A persistent connection to the graph, for the daemon, which reads it again and again.

It saves opening the file and reading its schema, and keeps SQLite from a checkpoint after every commit, which it makes
when the last connection closes. Where it cannot be used, opening a view is left to `connect.py`.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING

from keel.errors import StoreError
from keel.stores.sqlite import connect, schema

if TYPE_CHECKING:
    from collections.abc import Iterator


class Standing:
    """Views of one graph, one after the other on one connection."""

    def __init__(self, path: str, wait: float) -> None:
        self._path, self._wait = path, wait
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        """The identity of the connected file, which may have been replaced."""
        self._lock = Lock()

    @contextmanager
    def view(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees the graph as it was at the last commit, and nothing after it."""
        if not self._lock.acquire(blocking=False):  # a view within a view
            with connect.view(self._path, self._wait) as other:
                yield other
            return
        try:
            connection = self._begun()
            if connection is None:
                with connect.view(self._path, self._wait) as other:
                    yield other
                return
            with connect.translated(self._path, StoreError):
                try:
                    yield connection
                finally:
                    self._end(connection)
        finally:
            self._lock.release()

    def _begun(self) -> sqlite3.Connection | None:
        """The connection with a view begun; None where that does not work, for whatever reason."""
        try:
            status = os.stat(self._path)
        except OSError:
            self.close()
            return None
        if self._file != (status.st_dev, status.st_ino):
            self.close()
        try:
            if self._connection is None:
                self._connection = connect.standing(self._path)
                self._file = status.st_dev, status.st_ino
            self._connection.execute("BEGIN")
            if schema.version(self._connection) == schema.known():  # the first read is what fixes the view
                return self._connection
        except sqlite3.Error:
            pass  # opening it in the usual way reports what is wrong, or waits
        self.close()
        return None

    def _end(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("ROLLBACK")
        except sqlite3.Error:
            self.close()

    def close(self) -> None:
        """Closes the connection."""
        connection, self._connection, self._file = self._connection, None, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()
