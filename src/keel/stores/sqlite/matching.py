"""Queries of the full-text index, bounded: however common the words are, only so many nodes are ranked.

Words come in as letters and digits (`model/text/words.py`) and are quoted, so that no text can be taken for an
operator. Ranking the nodes further is left to `graph/search.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.rows import COMMON, MAX_WEIGHED, FoundNode, StoredNode

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

NAME_WEIGHT, ABOUT_WEIGHT = 1.5, 1.0
"""Measured by `make bench-search`."""
TOGETHER = 3
"""Common words that a query requires at once: each costs as much as it has nodes, and few nodes have more of them."""
BEGINNINGS, FEW_BEGINNINGS = 100, 10
"""Words that a prefix is expanded to; FTS5 by itself would read all nodes of all of them before the first result."""
FEW_NAMES = 300
"""Names that are taken where none of the words tells one from the other."""
LAST_LETTER = "\U0010ffff"

FOUND = ", ".join(f"n.{field}" for field in StoredNode._fields)
WEIGHED = (
    f"SELECT rowid AS number, -bm25(words, {NAME_WEIGHT}, {ABOUT_WEIGHT}) AS score FROM words"
    " WHERE words MATCH ? ORDER BY score DESC, rowid LIMIT ?"
)
UNWEIGHED = "SELECT rowid AS number, 0.0 AS score FROM words WHERE words MATCH ? LIMIT ?"


def matching(connection: sqlite3.Connection, counts: Mapping[str, int], limit: int) -> list[FoundNode]:
    """The nodes that fit best: those with any of the rarer words, by bm25; where these are few, all the common ones."""
    known = sorted((word for word, count in counts.items() if count and word.strip("*")), key=lambda word: counts[word])
    if not known or limit < 1:
        return []
    rare = _rare(known, counts)
    found: dict[int, FoundNode] = {}
    if rare:
        any_of_them = " OR ".join(_phrase(connection, word) for word in rare)
        found = {one.node.number: one for one in _nodes(connection, WEIGHED, any_of_them, limit)}
    common = known[len(rare) : len(rare) + TOGETHER]
    if common and len(found) < limit:
        all_of_them = " AND ".join(_phrase(connection, word) for word in common)
        for expression in (f"name : ({all_of_them})", all_of_them):
            for one in _nodes(connection, UNWEIGHED, expression, max(1, limit // 4)):
                found.setdefault(one.node.number, one)
    return sorted(found.values(), key=lambda one: (-one.score, one.node.number))


def names_like(connection: sqlite3.Connection, words: Sequence[str], limit: int) -> list[str]:
    """Names with any of the rarer words, by bm25; where all are common, those with all of them.

    A word that no name has is taken for a beginning.
    """
    counts: dict[str, int] = {}
    for word in words:
        phrase = f"name : {_quoted(word)}"
        if not _count(connection, phrase, 1):
            phrase = f"name : {_phrase(connection, f'{word}*', FEW_BEGINNINGS)}"
        counts[phrase] = known_words(connection, word, 1).get(word) or _count(connection, phrase, MAX_WEIGHED + 1)
    known = sorted((phrase for phrase, count in counts.items() if count), key=lambda phrase: counts[phrase])
    rare = _rare(known, counts)
    if not known:
        return []
    if rare:
        found = _nodes(connection, WEIGHED, " OR ".join(rare), limit)
    else:
        found = _nodes(connection, UNWEIGHED, " AND ".join(known[:TOGETHER]), min(limit, FEW_NAMES))
    return list(dict.fromkeys(one.node.name for one in found))


def word_counts(connection: sqlite3.Connection, words: Sequence[str]) -> dict[str, int]:
    """How many nodes have each of the words, counted no further than to `COMMON`."""
    asked = [word for word in dict.fromkeys(words) if word.strip("*")]
    return {word: _count(connection, _phrase(connection, word)) for word in asked}


def known_words(connection: sqlite3.Connection, beginning: str, limit: int) -> dict[str, int]:
    """Words that nodes have and that begin so, each with how many have it; names of several words are none."""
    rows = connection.execute(
        "SELECT word, nodes FROM vocabulary WHERE word >= ? AND word < ? ORDER BY word LIMIT ?",
        (beginning, f"{beginning}{LAST_LETTER}", limit),
    )
    return dict(rows.fetchall())


def _rare(known: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """The rarest words, as long as they do not come to too many nodes."""
    rare: list[str] = []
    room = MAX_WEIGHED
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


def _count(connection: sqlite3.Connection, expression: str, most: int = COMMON) -> int:
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    [count] = connection.execute(sql, (expression, most)).fetchone()
    return int(count)


def _phrase(connection: sqlite3.Connection, word: str, most: int = BEGINNINGS) -> str:
    """What FTS5 is asked about a word; about a beginning, any of the commonest words that begin so."""
    if not word.endswith("*"):
        return _quoted(word)
    letters = word[:-1].lower()
    begun = connection.execute(
        "SELECT word FROM vocabulary WHERE word >= ? AND word < ? ORDER BY nodes DESC, word LIMIT ?",
        (letters, f"{letters}{LAST_LETTER}", most),
    ).fetchall()
    if not begun:  # names of several words are not in the vocabulary, and few begin alike
        return f"{_quoted(letters)}*"
    return f"({' OR '.join(_quoted(one) for (one,) in begun)})"


def _quoted(word: str) -> str:
    """A word as FTS5 takes it for nothing else; NUL would be the end of its text."""
    letters = word.replace('"', '""').replace("\0", " ")
    return f'"{letters}"'
