"""The facts cache in one SQLite file: bounded, shared between worktrees and processes.

A cache only: any failure here is a miss. What a key covers is left to its callers.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

LIMIT_BYTES = 256 * 1024 * 1024
KEPT_SHARE = 0.75
"""The share of the limit that an eviction leaves, so that the next one is far off."""
TICK_SECONDS = 3600
"""The resolution of the last use, in seconds; with a finer one, every lookup would be a write."""
WAIT_SECONDS = 1.0
MANY = 500

FORMAT = 2
TABLE = """CREATE TABLE facts (
    number INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    used INTEGER NOT NULL,
    "check" INTEGER NOT NULL,
    interface BLOB NOT NULL,
    "references" BLOB NOT NULL
)"""


class SqliteFactsCache:
    """Facts by content in a file of at most about `limit_bytes`, the longest unused evicted."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        limit_bytes: int = LIMIT_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path = os.fspath(path)
        self._limit = limit_bytes
        self._clock = clock

    def holds_any(self) -> bool:
        """Whether the cache holds anything."""
        return os.path.exists(self._path)

    def get(self, keys: Collection[bytes]) -> dict[bytes, tuple[bytes, bytes]]:
        """The entries for these keys."""
        found: dict[bytes, tuple[bytes, bytes]] = {}
        if not os.path.exists(self._path):
            return found
        try:
            with closing(self._open()) as connection:
                stale = []
                for number, key, used, check, interface, references in _select(connection, list(keys)):
                    if check != _check(interface, references):
                        continue
                    found[key] = interface, references
                    if used != self._tick():
                        stale.append((self._tick(), number))
                self._mark_used(connection, stale)
        except sqlite3.Error as error:
            self._heal(error)
        return found

    def put(self, entries: Iterable[tuple[bytes, bytes, bytes]]) -> None:
        """Keeps (key, interface, references)."""
        tick = self._tick()
        rows = [(key, tick, _check(*facts), *facts) for key, *facts in entries]
        if not rows:
            return
        try:
            os.makedirs(os.path.dirname(self._path) or ".", exist_ok=True)
            with closing(self._open()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(
                    'INSERT OR REPLACE INTO facts (key, used, "check", interface, "references") VALUES (?,?,?,?,?)',
                    rows,
                )
                self._evict(connection)
                connection.execute("COMMIT")
        except OSError:
            return
        except sqlite3.Error as error:
            self._heal(error)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = OFF")  # losing an entry is harmless
            if _format(connection) != FORMAT:
                _begin_anew(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _tick(self) -> int:
        return int(self._clock() // TICK_SECONDS)

    def _mark_used(self, connection: sqlite3.Connection, stale: list[tuple[int, int]]) -> None:
        """A failure here only makes evictions less exact, so it must not cost the entries that were read."""
        if not stale:
            return
        with suppress(sqlite3.Error):
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("UPDATE facts SET used = ? WHERE number = ?", stale)
            connection.execute("COMMIT")

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Asks only how many pages are in use, until they are too many."""
        excess = _bytes_used(connection) - self._limit
        if excess <= 0:
            return
        excess += int(self._limit * (1 - KEPT_SHARE))
        gone = []
        for number, size in connection.execute(
            'SELECT number, length(interface) + length("references") FROM facts ORDER BY used, number'
        ):
            if excess <= 0:
                break
            gone.append((number,))
            excess -= size
        connection.executemany("DELETE FROM facts WHERE number = ?", gone)

    def _heal(self, error: sqlite3.Error) -> None:
        """Deletes a damaged cache, so that the next use begins anew."""
        damaged = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in damaged:
            for end in ("", "-wal", "-shm", "-journal"):
                with suppress(OSError):
                    os.remove(f"{self._path}{end}")


def _check(interface: bytes, references: bytes) -> int:
    """The checksum of an entry: rows are written without syncing to disk, so torn ones must be detected."""
    from keel.model.hashing import digest64  # only here: looking whether the cache holds anything needs none of it

    return digest64(interface) ^ digest64(references)


def _select(connection: sqlite3.Connection, keys: list[bytes]) -> Iterator[tuple[int, bytes, int, int, bytes, bytes]]:
    for start in range(0, len(keys), MANY):
        some = keys[start : start + MANY]
        marks = ",".join("?" * len(some))
        yield from connection.execute(
            f'SELECT number, key, used, "check", interface, "references" FROM facts WHERE key IN ({marks})',
            some,
        )


def _format(connection: sqlite3.Connection) -> int:
    [found] = connection.execute("PRAGMA user_version").fetchone()
    return int(found)


def _begin_anew(connection: sqlite3.Connection) -> None:
    """A cache of another format is not migrated: what it held can be read from source again."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    if _format(connection) != FORMAT:  # another process may have come first
        connection.execute("DROP TABLE IF EXISTS facts")
        connection.execute(TABLE)
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")


def _bytes_used(connection: sqlite3.Connection) -> int:
    [pages] = connection.execute("PRAGMA page_count").fetchone()
    [free] = connection.execute("PRAGMA freelist_count").fetchone()
    [size] = connection.execute("PRAGMA page_size").fetchone()
    return int((pages - free) * size)
