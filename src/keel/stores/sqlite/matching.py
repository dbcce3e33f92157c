"""Questions to the full-text index, bounded: however common the words are, only so many nodes are weighed.

Words come in as letters and digits (`model/words.py`) and are quoted, so that no text can be taken for an operator.
What is made of the nodes that are found is left to `graph/searching.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.rows import COMMON, FoundNode, StoredNode

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

NAME_WEIGHT, ABOUT_WEIGHT = 2.0, 1.0
MOST_WEIGHED = 3_000
"""Nodes that one question weighs: each costs microseconds, and a common word has tens of thousands."""
LAST_LETTER = "\U0010ffff"

FOUND = ", ".join(f"n.{field}" for field in StoredNode._fields)
WEIGHED = (
    f"SELECT rowid AS number, -bm25(words, {NAME_WEIGHT}, {ABOUT_WEIGHT}) AS score FROM words"
    " WHERE words MATCH ? ORDER BY score DESC, rowid LIMIT ?"
)
UNWEIGHED = "SELECT rowid AS number, 0.0 AS score FROM words WHERE words MATCH ? LIMIT ?"


def matching(connection: sqlite3.Connection, counts: Mapping[str, int], limit: int) -> list[FoundNode]:
    """The nodes that fit best: those with any of the rarer words, by bm25, and those with all the common ones."""
    known = sorted((word for word, count in counts.items() if count and word.strip("*")), key=lambda word: counts[word])
    if not known or limit < 1:
        return []
    rare = _rare(known, counts)
    found: dict[int, FoundNode] = {}
    if rare:
        found = {one.node.number: one for one in _nodes(connection, WEIGHED, _any(rare), limit)}
    common = known[len(rare) :]
    if common:
        for expression in (f"name : ({_all(common)})", _all(common)):
            for one in _nodes(connection, UNWEIGHED, expression, max(1, limit // 4)):
                found.setdefault(one.node.number, one)
    return sorted(found.values(), key=lambda one: (-one.score, one.node.number))


def word_counts(connection: sqlite3.Connection, words: Sequence[str]) -> dict[str, int]:
    """How many nodes have each of the words, counted no further than to `COMMON`."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    asked = [word for word in dict.fromkeys(words) if word.strip("*")]
    return {word: connection.execute(sql, (_quoted(word), COMMON)).fetchone()[0] for word in asked}


def known_words(connection: sqlite3.Connection, beginning: str, limit: int) -> dict[str, int]:
    """Words of the index that begin so, each with the number of nodes that have it; whole names are no words."""
    rows = connection.execute(
        "SELECT term, doc FROM terms WHERE term >= ? AND term < ? AND instr(term, '_') = 0 LIMIT ?",
        (beginning, f"{beginning}{LAST_LETTER}", limit),
    )
    return dict(rows.fetchall())


def _rare(known: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """The rarest words, as long as they do not come to too many nodes."""
    rare: list[str] = []
    room = MOST_WEIGHED
    for word in known:
        room -= counts[word]
        if room < 0:
            break
        rare.append(word)
    return rare


def _nodes(connection: sqlite3.Connection, found: str, expression: str, limit: int) -> Iterable[FoundNode]:
    sql = f"SELECT {FOUND}, best.score FROM ({found}) best CROSS JOIN nodes n ON n.number = best.number"
    for row in connection.execute(sql, (expression, limit)):
        yield FoundNode(StoredNode._make(row[:-1]), row[-1])


def _any(words: Iterable[str]) -> str:
    return " OR ".join(map(_quoted, words))


def _all(words: Iterable[str]) -> str:
    return " AND ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    beginning = word.endswith("*")
    letters = (word[:-1] if beginning else word).replace('"', '""').replace("\0", " ")
    return f'"{letters}"{"*" if beginning else ""}'
