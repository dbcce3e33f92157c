"""Writes rows many at a time: the cost of a bulk load is in statements, not rows.

Which rows there are is left to `write.py`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

TOGETHER = 100
"""Rows of one statement; more of them were not faster."""


class Load:
    """Rows of one table on their way in; `flush` writes what is left."""

    def __init__(self, connection: sqlite3.Connection, into: str, width: int) -> None:
        one = f"({','.join('?' * width)})"
        self._connection = connection
        self._one = f"{into} VALUES {one}"
        self._many = f"{into} VALUES {','.join([one] * TOGETHER)}"
        self._waiting: list[tuple[Any, ...]] = []

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Takes rows, and writes them when there are enough."""
        self._waiting.extend(rows)
        if len(self._waiting) >= TOGETHER:
            self._write_many()

    def flush(self) -> None:
        """Writes what is still waiting."""
        self._connection.executemany(self._one, self._waiting)
        self._waiting.clear()

    def _write_many(self) -> None:
        waiting, execute, many = self._waiting, self._connection.execute, self._many
        whole = len(waiting) - len(waiting) % TOGETHER
        for start in range(0, whole, TOGETHER):
            execute(many, tuple(chain.from_iterable(waiting[start : start + TOGETHER])))
        del waiting[:whole]
