"""Copies one graph's database to where another workspace has none yet.

It is made and corrected under a temporary name and then put in place atomically. When to copy, and what to correct, is
left to `indexing/worktrees.py`.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from keel.errors import StoreFull
from keel.stores.sqlite import connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.stores.sqlite.write import SqliteWriter

BESIDE = ("", "-wal", "-shm", "-journal")


@contextmanager
def copying(source: str, target: str, wait: float) -> Iterator[SqliteWriter]:
    """A copy that can be written; at the end of the block it is put at the target, unless that exists by then."""
    from keel.stores.sqlite.write import SqliteWriter

    made = f"{target}-copy-{os.getpid()}"
    try:
        _copy(source, made, wait)
        with connect.transaction(made, wait) as (connection, _):
            writer = SqliteWriter(connection, empty=False)
            yield writer
            writer.finish()
        _settle(made)
        _put(made, target)
    finally:
        for end in BESIDE:
            with suppress(OSError):
                os.remove(f"{made}{end}")


def _copy(source: str, made: str, wait: float) -> None:
    """Copies the graph as it was at its last commit, without a transaction that is open meanwhile."""
    with connect.view(source, wait) as view, connect.translated(made, StoreFull):
        try:
            os.makedirs(os.path.dirname(made) or ".", exist_ok=True)
        except OSError as error:
            raise StoreFull(made, error.strerror or str(error)) from error
        with closing(sqlite3.connect(made)) as copy:
            view.backup(copy)


def _settle(made: str) -> None:
    """Moves everything from the WAL into the main file, which is the one that is put in place."""
    with connect.translated(made, StoreFull), closing(sqlite3.connect(made, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")


def _put(made: str, target: str) -> None:
    """By a hard link, and not by renaming: that would replace a graph that another process has just begun."""
    try:
        os.link(made, target)
    except FileExistsError:
        return
    except OSError as error:
        raise StoreFull(target, error.strerror or str(error)) from error
