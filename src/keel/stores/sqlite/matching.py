"""Questions to the full-text index, bounded: however common the words are, only so many nodes are weighed.

Words come in as letters and digits (`model/words.py`) and are quoted, so that no text can be taken for an operator.
What is made of the nodes that are found is left to `graph/searching.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.rows import FoundNode, StoredNode

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

NAME_WEIGHT, ABOUT_WEIGHT = 2.0, 1.0
MOST_WEIGHED = 10_000
"""Nodes that one question weighs: each costs microseconds, and a common word has tens of thousands."""
LAST_LETTER = "\U0010ffff"

FOUND = ", ".join(f"n.{field}" for field in StoredNode._fields)


def matching(connection: sqlite3.Connection, words: Sequence[str], limit: int) -> list[FoundNode]:
    """The nodes that fit best: those with all the words, then those with any of the rarer ones."""
    asked = [word for word in dict.fromkeys(words) if word.strip("*")]
    if not asked or limit < 1:
        return []
    counts = {word: _count(connection, word) for word in asked}
    known = sorted((word for word in asked if counts[word]), key=lambda word: (counts[word], word))
    if not known:
        return []
    found = {one.node.number: one for one in _best(connection, _expression(known, counts), limit)}
    if len(known) > 1:
        for one in _best(connection, " AND ".join(map(_quoted, known)), limit):
            found.setdefault(one.node.number, one)
    return sorted(found.values(), key=lambda one: (-one.score, one.node.number))


def known_words(connection: sqlite3.Connection, beginning: str, limit: int) -> dict[str, int]:
    """Words of the index that begin so, each with the number of nodes that have it."""
    rows = connection.execute(
        "SELECT term, doc FROM terms WHERE term >= ? AND term < ? LIMIT ?",
        (beginning, f"{beginning}{LAST_LETTER}", limit),
    )
    return dict(rows.fetchall())


def _count(connection: sqlite3.Connection, word: str) -> int:
    if word.endswith("*"):
        beginning = word[:-1]
        sql = "SELECT sum(doc) FROM terms WHERE term >= ? AND term < ?"
        row = connection.execute(sql, (beginning, f"{beginning}{LAST_LETTER}")).fetchone()
    else:
        row = connection.execute("SELECT doc FROM terms WHERE term = ?", (word,)).fetchone()
    return int(row[0] or 0) if row else 0


def _expression(known: Sequence[str], counts: dict[str, int]) -> str:
    """Any of the rarer words decides who is weighed; the common ones only add to the weight.

    `rare OR (rare AND common)` has the rows of `rare` alone, yet a row's score counts what it has of `common`.
    """
    rare: list[str] = []
    room = MOST_WEIGHED
    for word in known:
        if rare and counts[word] > room:
            break
        rare.append(word)
        room -= counts[word]
    common = known[len(rare) :]
    any_rare = " OR ".join(map(_quoted, rare))
    if not common:
        return any_rare
    return f"({any_rare}) OR (({any_rare}) AND ({' OR '.join(map(_quoted, common))}))"


def _best(connection: sqlite3.Connection, expression: str, limit: int) -> Iterable[FoundNode]:
    """LIMIT within, so that only the best are looked up; MOST_WEIGHED bounds a single word that is in everything."""
    rows = connection.execute(
        f"SELECT {FOUND}, best.score FROM ("
        f"SELECT rowid AS number, -bm25(words, {NAME_WEIGHT}, {ABOUT_WEIGHT}) AS score FROM words WHERE words MATCH ?"
        " ORDER BY score DESC, rowid LIMIT ?"
        ") best CROSS JOIN nodes n ON n.number = best.number",
        (expression, limit),
    )
    for row in rows:
        yield FoundNode(StoredNode._make(row[:-1]), row[-1])


def _quoted(word: str) -> str:
    beginning = word.endswith("*")
    letters = (word[:-1] if beginning else word).replace('"', '""')
    return f'"{letters}"{"*" if beginning else ""}'
