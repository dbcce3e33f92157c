"""Keeps the full-text index up to date: words of nodes are added and removed as their files change.

The index holds no text, so the indexed words of a file are stored beside it, compressed. Where SQLite was built without
FTS5 nothing is stored, and everything but search works. Queries are left to `matching.py`.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from keel.model.rows import Words
from keel.stores.sqlite.squeeze import loosened, squeezed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from keel.model.rows import NodeRow

INSERT = "INSERT INTO words (rowid, name, about) VALUES (?, ?, ?)"
DELETE = "INSERT INTO words (words, rowid, name, about) VALUES ('delete', ?, ?, ?)"
COUNT = "INSERT INTO vocabulary VALUES (?, ?) ON CONFLICT (word) DO UPDATE SET nodes = nodes + excluded.nodes"
SMALL = 100
"""Below so many bytes, compressing gains nothing."""

Texts = dict[int, Words]
"""The indexed words, by node number."""

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
    """The indexed words of a file."""
    row = connection.execute("SELECT words FROM texts WHERE file = ?", (file,)).fetchone()
    return {number: Words(name, about) for number, name, about in _decode(loosened(row[0]))} if row else {}


def add_texts(connection: sqlite3.Connection, file: int, texts: Texts) -> Counter[str]:
    """Indexes a new file; the increase of nodes for each word."""
    _insert(connection, texts.items())
    _keep(connection, file, texts)
    return _counted(texts.values())


def replace_texts(connection: sqlite3.Connection, file: int, texts: Texts) -> Counter[str]:
    """Replaces the indexed words of a file, or deletes them when there are no nodes; the increase of nodes for each
    word."""
    stored = stored_texts(connection, file)
    if stored == texts:
        return Counter()
    gone = {number: old for number, old in stored.items() if texts.get(number) != old}
    come = {number: now for number, now in texts.items() if stored.get(number) != now}
    connection.executemany(DELETE, [(number, *old) for number, old in gone.items()])
    _insert(connection, come.items())
    if texts:
        _keep(connection, file, texts)
    else:
        connection.execute("DELETE FROM texts WHERE file = ?", (file,))
    more = _counted(come.values())
    more.subtract(_counted(gone.values()))
    return more


def count_words(connection: sqlite3.Connection, more: Counter[str]) -> None:
    """Adds to the vocabulary how many nodes more each word has; one that none has any more goes."""
    connection.executemany(COUNT, [(word, count) for word, count in more.items() if count])
    fewer = [(word,) for word, count in more.items() if count < 0]
    connection.executemany("DELETE FROM vocabulary WHERE word = ? AND nodes = 0", fewer)


def texts_of(nodes: Iterable[tuple[int, NodeRow]]) -> Texts:
    """The words of numbered nodes that have any."""
    return {number: node.words for number, node in nodes if node.words.name}


def _counted(texts: Iterable[Words]) -> Counter[str]:
    """How many nodes have each word; names of several words as a whole are none."""
    counts: Counter[str] = Counter()
    for words in texts:
        counts.update({*words.name.lower().split(), *words.about.lower().split()})
    return Counter({word: count for word, count in counts.items() if "_" not in word})


def _insert(connection: sqlite3.Connection, texts: Iterable[tuple[int, Words]]) -> None:
    connection.executemany(INSERT, [(number, *words) for number, words in texts])


def _keep(connection: sqlite3.Connection, file: int, texts: Mapping[int, Words]) -> None:
    packed = _encode([(number, *words) for number, words in texts.items()])
    connection.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (file, squeezed(packed, SMALL)))
