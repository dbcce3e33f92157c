"""The graph in one SQLite file: the Store socket, by way of reading and writing halves.

Queries are left to `read.py`, changes to `write.py`, which is imported on the first write so that queries do not pay
for it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from keel.errors import GraphMissing
from keel.stores.sqlite import connect
from keel.stores.sqlite.read import SqliteReader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from keel.ports.store import Mark, Store
    from keel.stores.sqlite.standing import Standing
    from keel.stores.sqlite.write import SqliteWriter

WAIT_SECONDS = 30.0


class SqliteStore:
    """A graph in a file; writers of any process queue up for `wait_seconds`, readers do not."""

    def __init__(
        self, path: str | os.PathLike[str], wait_seconds: float = WAIT_SECONDS, persistent: bool = False
    ) -> None:
        """`persistent` keeps the file open, for the daemon."""
        self._path = os.fspath(path)
        self._wait = wait_seconds
        self._standing: Standing | None = None
        if persistent:
            from keel.stores.sqlite.standing import Standing

            self._standing = Standing(self._path, wait_seconds)

    def _view(self) -> AbstractContextManager[sqlite3.Connection]:
        return self._standing.view() if self._standing is not None else connect.view(self._path, self._wait)

    def exists(self) -> bool:
        """Whether there is a graph to read; one that cannot be read is an error, not a no."""
        try:
            with self._view():
                return True
        except GraphMissing:
            return False

    @contextmanager
    def reading(self) -> Iterator[SqliteReader]:
        """A consistent view of the graph as it was at the last commit."""
        with self._view() as connection:
            yield SqliteReader(connection)

    @contextmanager
    def writing(self) -> Iterator[SqliteWriter]:
        """The one open transaction; commits at the end of the block unless it raises."""
        from keel.stores.sqlite.write import SqliteWriter

        with connect.transaction(self._path, self._wait) as (connection, fresh):
            writer = SqliteWriter(connection, empty=fresh)
            yield writer
            writer.finish()

    @contextmanager
    def copying(self, other: Store) -> Iterator[SqliteWriter]:
        """A copy of the graph of another file, to be corrected; it becomes the graph here at the end of the block."""
        from keel.stores.sqlite.copy import copying

        if not isinstance(other, SqliteStore):
            raise TypeError(f"{type(other).__name__} is no SqliteStore")
        with copying(other._path, self._path, self._wait) as writer:
            yield writer

    def mark(self) -> Mark:
        """Which graph it is, for `discard`."""
        from keel.stores.sqlite.discard import mark_of

        return mark_of(self._path)

    def discard(self, mark: Mark | None = None) -> None:
        """Deletes the graph, readable or not."""
        from keel.stores.sqlite.discard import discard

        if self._standing is not None:
            self._standing.close()
        discard(self._path, mark, self._wait)
