"""Full-text search kept up to date: the words of nodes go in and out of the index as their files change.

The index holds no text, so that what it was told of a file is kept beside it, compressed. Where SQLite was built
without FTS5 nothing is kept, and nothing else is missing. What is asked is left to `matching.py`.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import msgspec

from keel.model.rows import Words
from keel.stores.sqlite.squeeze import loosened, squeezed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from keel.model.rows import NodeRow

INSERT = "INSERT INTO words (rowid, name, about) VALUES (?, ?, ?)"
DELETE = "INSERT INTO words (words, rowid, name, about) VALUES ('delete', ?, ?, ?)"
SMALL = 100
"""Below so many bytes, compressing gains nothing."""

Texts = dict[int, Words]
"""What the index was told, by node number."""

_decode = msgspec.msgpack.Decoder(list[tuple[int, str, str]]).decode
_encode = msgspec.msgpack.Encoder().encode


def can_search(connection: sqlite3.Connection) -> bool:
    """Whether there is an index, and this SQLite can use it."""
    try:
        connection.execute("SELECT rowid FROM words LIMIT 0")
    except sqlite3.OperationalError:
        return False
    return True


def stored_texts(connection: sqlite3.Connection, file: int) -> Texts:
    """What the index was told of a file."""
    row = connection.execute("SELECT words FROM texts WHERE file = ?", (file,)).fetchone()
    return {number: Words(name, about) for number, name, about in _decode(loosened(row[0]))} if row else {}


def add_texts(connection: sqlite3.Connection, file: int, nodes: Iterable[tuple[int, NodeRow]]) -> None:
    """Tells the index of a file that is new."""
    texts = texts_of(nodes)
    _insert(connection, texts.items())
    _keep(connection, file, texts)


def replace_texts(connection: sqlite3.Connection, file: int, texts: Mapping[int, Words]) -> None:
    """Makes what the index knows of a file this; no nodes: the file is gone."""
    stored = stored_texts(connection, file)
    if stored == texts:
        return
    connection.executemany(DELETE, [(number, *old) for number, old in stored.items() if texts.get(number) != old])
    _insert(connection, ((number, now) for number, now in texts.items() if stored.get(number) != now))
    if texts:
        _keep(connection, file, texts)
    else:
        connection.execute("DELETE FROM texts WHERE file = ?", (file,))


def texts_of(nodes: Iterable[tuple[int, NodeRow]]) -> Texts:
    """The words of numbered nodes that have any."""
    return {number: node.words for number, node in nodes if node.words.name}


def _insert(connection: sqlite3.Connection, texts: Iterable[tuple[int, Words]]) -> None:
    connection.executemany(INSERT, [(number, *words) for number, words in texts])


def _keep(connection: sqlite3.Connection, file: int, texts: Mapping[int, Words]) -> None:
    packed = _encode([(number, *words) for number, words in texts.items()])
    connection.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (file, squeezed(packed, SMALL)))
