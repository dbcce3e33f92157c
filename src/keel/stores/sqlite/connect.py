"""Opening the graph's database: locks, waits, migrations, and SQLite's errors as keel's.

The database file is opened by SQLite alone. Closing any other handle to it would drop the locks that this process holds
on it. Queries and writes are left to `read.py` and `write.py`.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from keel.errors import GraphMissing, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreNewer
from keel.stores.sqlite import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

BRIEF_WAIT = 0.2
"""Seconds that a reader waits for a lock before it checks whether there is a graph to wait for."""
STANDING_CACHE_KIB = 32 * 1024
"""The page cache of a persistent connection: SQLite's default of 2 MiB is too small for a hub of a large graph."""

READ = "mode=rw"
"""Not `ro`: a reader must be able to roll back what a killed first load left behind."""
FROZEN = "mode=ro&immutable=1"
"""Takes no locks and makes no files beside the database."""
UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
"""SQLite's errors where no file can be created: the folder is read-only, or the disk full."""


@contextmanager
def view(path: str, wait: float) -> Iterator[sqlite3.Connection]:
    """A connection that sees the graph as it was at the last commit, and nothing after it."""
    with translated(path, StoreError):
        connection = _open_view(path, wait)
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def transaction(path: str, wait: float) -> Iterator[tuple[sqlite3.Connection, bool]]:
    """The one write transaction, and whether there is no graph yet; commits unless it raises."""
    with translated(path, StoreFull):
        connection, fresh = _begin(path, wait)
        try:
            yield connection, fresh
            connection.execute("COMMIT")
            if fresh:
                _use_wal(connection)
        finally:
            _abandon(connection)


@contextmanager
def translated(path: str, otherwise: type[StoreError]) -> Iterator[None]:
    """Translates SQLite's errors into keel's; `otherwise` is the error for a file that cannot be used."""
    try:
        yield
    except sqlite3.Error as error:
        kind = _kind(error, otherwise)
        if kind is None:
            raise
        raise kind(path, _why(path, error)) from error
    except ValueError as error:
        if not _is_undecodable(error):
            raise
        raise StoreDamaged(path, str(error).partition("\n")[0]) from error


def _kind(error: sqlite3.Error, otherwise: type[StoreError]) -> type[StoreError] | None:
    """None for what can only be a bug in keel: it is raised as it is."""
    code = _code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreDamaged
    if str(error).startswith(("no such table", "no such column", "Could not decode")):
        return StoreDamaged
    unusable = (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    )
    return otherwise if code in unusable else None


def _why(path: str, error: sqlite3.Error) -> str:
    """SQLite's message, or a better one where the file system tells more."""
    if os.path.isdir(path):
        return "it is a folder"
    if _code(error) == sqlite3.SQLITE_IOERR and _is_disk_full(path):
        return "the disk is full"
    return str(error)


def _is_disk_full(path: str) -> bool:
    try:
        disk = os.statvfs(os.path.dirname(path) or ".")
    except (AttributeError, OSError):  # not on every system
        return False
    return disk.f_bavail * disk.f_frsize < schema.PAGE_SIZE


def _is_undecodable(error: ValueError) -> bool:
    """Whether bytes or text of the database cannot be decoded; a caller that decodes has msgspec loaded already."""
    msgspec = sys.modules.get("msgspec")
    return isinstance(error, UnicodeDecodeError) or (msgspec is not None and isinstance(error, msgspec.DecodeError))


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary code: the low byte of the extended one."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _open_view(path: str, wait: float) -> sqlite3.Connection:
    connection = _begin_view(path, wait)
    if schema.version(connection) == schema.known():
        return connection
    connection.close()
    _migrate(path, wait)
    return _begin_view(path, wait)


def _begin_view(path: str, wait: float, tries: int = 2) -> sqlite3.Connection:
    """Where a lock is in the way, waits for it only when there is a graph behind it.

    Readers do not wait for a writer; what can hold them up is the first load, which has nothing to
    show yet, or a moment of recovery and clearing up.
    """
    try:
        return _snapshot(path, READ, BRIEF_WAIT)
    except sqlite3.OperationalError as error:
        code = _code(error)
        if not os.path.exists(path):
            raise GraphMissing(path) from None
        if code == sqlite3.SQLITE_BUSY:
            if _glimpse(path) == 0:
                raise GraphMissing(path) from None
            return _snapshot(path, READ, wait)
        if code in UNWRITABLE and _is_settled(path):
            return _snapshot(path, FROZEN, wait)
        if code == sqlite3.SQLITE_CANTOPEN and tries > 1:  # another process has just created it
            return _begin_view(path, wait, tries - 1)
        raise


def standing(path: str) -> sqlite3.Connection:
    """A connection for one view after the other, on any thread."""
    uri = _uri(path, READ)
    connection = sqlite3.connect(uri, timeout=BRIEF_WAIT, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA cache_size = -{STANDING_CACHE_KIB}")
    return connection


def _snapshot(path: str, how: str, wait: float) -> sqlite3.Connection:
    connection = sqlite3.connect(_uri(path, how), timeout=wait, uri=True, isolation_level=None)
    try:
        connection.execute("BEGIN")
        found = schema.version(connection)  # the first read is what fixes the view
        if found == 0:
            raise GraphMissing(path)
        _refuse_newer(path, found)
    except BaseException:
        connection.close()
        raise
    return connection


def _uri(path: str, how: str) -> str:
    if os.sep != "/":
        path = path.replace(os.sep, "/")
    for mark in "%?#":
        path = path.replace(mark, f"%{ord(mark):02x}")
    start = "file://" if path.startswith("/") else "file:"
    return f"{start}{path}?{how}"


def _refuse_newer(path: str, found: int) -> None:
    if found > schema.known():
        raise StoreNewer(path, found, schema.known())


def _glimpse(path: str) -> int:
    """The schema the file seems to have while another process holds it locked."""
    connection = sqlite3.connect(_uri(path, FROZEN), uri=True)
    try:
        return schema.version(connection)
    except sqlite3.Error:
        return 0
    finally:
        connection.close()


def _is_settled(path: str) -> bool:
    """Whether the main file alone is the whole graph, so that it can be read where it lies."""
    return not any(_size(f"{path}{end}") for end in ("-wal", "-journal"))


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _migrate(path: str, wait: float) -> None:
    """Turns foreign keys off while tables may be rebuilt: they are checked as a whole instead."""
    with translated(path, StoreFull):
        connection = sqlite3.connect(_uri(path, READ), timeout=wait, uri=True, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            found = schema.version(connection)
            _refuse_newer(path, found)
            schema.apply_since(connection, found)
            if connection.execute("PRAGMA foreign_key_check").fetchone():
                raise StoreDamaged(path, f"its rows do not fit schema {schema.known()}")
            connection.execute("COMMIT")
        finally:
            _abandon(connection)


def _begin(path: str, wait: float) -> tuple[sqlite3.Connection, bool]:
    _make_folder(path)
    connection = sqlite3.connect(path, timeout=wait, isolation_level=None)
    try:
        fresh = _begin_as_found(connection, path, wait)
    except BaseException:
        connection.close()
        raise
    return connection, fresh


def _make_folder(path: str) -> None:
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise StoreFull(path, error.strerror or str(error)) from error


def _begin_as_found(connection: sqlite3.Connection, path: str, wait: float) -> bool:
    """Begins the transaction; tries again when another writer came first."""
    while True:
        found = schema.version(connection)
        _refuse_newer(path, found)
        if 0 < found < schema.known():
            _migrate(path, wait)
            continue
        _prepare(connection, fresh=found == 0)
        connection.execute("BEGIN IMMEDIATE")
        if schema.version(connection) == found:
            break
        connection.execute("ROLLBACK")
    if found == 0 and connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise StoreDamaged(path, "it is a database of another program")
    return found == 0


def _prepare(connection: sqlite3.Connection, *, fresh: bool) -> None:
    """A first load needs no journal and no checks of foreign keys; later writes do."""
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")  # what is sorted or undone on the way needs no other disk
    connection.execute(f"PRAGMA foreign_keys = {'OFF' if fresh else 'ON'}")
    if fresh:
        connection.execute(f"PRAGMA page_size = {schema.PAGE_SIZE}")
    else:
        _use_wal(connection)


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switches to WAL mode, in which readers and a writer do not block each other.

    It needs the file for itself for a moment. When it cannot have it, nothing is lost: readers
    wait for a commit instead, and the next writer tries again.
    """
    [mode] = connection.execute("PRAGMA journal_mode").fetchone()
    if mode == "wal":
        return
    [wait] = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {int(BRIEF_WAIT * 1000)}")
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA busy_timeout = {wait}")


def _abandon(connection: sqlite3.Connection) -> None:
    """Ends the connection, and with it a transaction that did not commit."""
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    except sqlite3.Error:
        pass  # closing rolls back as well, and the error that led here is the one to tell
    finally:
        connection.close()
