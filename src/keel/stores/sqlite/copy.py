"""A copy of one graph's database in the place of another that is not there yet.

It is made and corrected under another name and appears whole, or not at all. When to copy, and what is to be corrected,
is left to `indexing/worktrees.py`.
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
    """A copy that can be written; at the end of the block it stands at the target, unless something does already."""
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
    """Of the graph as it was at its last commit; whoever writes there meanwhile is not in it."""
    with connect.view(source, wait) as view, connect.translated(made, StoreFull):
        try:
            os.makedirs(os.path.dirname(made) or ".", exist_ok=True)
        except OSError as error:
            raise StoreFull(made, error.strerror or str(error)) from error
        with closing(sqlite3.connect(made)) as copy:
            view.backup(copy)


def _settle(made: str) -> None:
    """Everything into the main file, which is the one that is put in place."""
    with connect.translated(made, StoreFull), closing(sqlite3.connect(made, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")


def _put(made: str, target: str) -> None:
    """A link, and not another name: that would put it over a graph that somebody else has just begun."""
    try:
        os.link(made, target)
    except FileExistsError:
        return
    except OSError as error:
        raise StoreFull(target, error.strerror or str(error)) from error
