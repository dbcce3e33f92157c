"""The nodes at the other end of some nodes' edges, ordered by file, without reading all edges of a hub.

A hub can have 70,000 callers, and sorting those takes a third of a second. Their files are sorted instead, and only the
first files are queried. Walking the graph is left to `graph/walks.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keel.stores.sqlite.numbers import SOME, as_list

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from keel.model.rows import Along

FIRST_FILES = 50
"""How many files of a hub are queried first."""


def ends(rows_of: Callable[..., list[Any]], starts: Collection[int], along: Along, most: int) -> list[tuple[int, int]]:
    """The nodes at the other end, each with how many edges lead there; the first so many by root, path and ordinal."""
    this, other = ("source", "target") if along.forward else ("target", "source")
    edges = _condition(this, along)
    given = as_list(starts), along.least
    far = f"edges e CROSS JOIN nodes n ON n.number = e.{other}"
    [(count,)] = rows_of(f"SELECT count(*) FROM (SELECT 1 FROM edges e WHERE {edges} LIMIT ?3)", *given, most + 1)
    if count <= most:
        by_place = f"WHERE {edges} GROUP BY n.number ORDER BY f.root, f.path, n.ordinal"
        return rows_of(f"SELECT n.number, count(*) FROM {far} CROSS JOIN files f ON f.id = n.file {by_place}", *given)
    there = f"(SELECT DISTINCT n.file FROM {far} WHERE {edges}) g"
    files = f"SELECT f.id FROM {there} CROSS JOIN files f ON f.id = g.file ORDER BY f.root, f.path"
    rank = {file: index for index, (file,) in enumerate(rows_of(files, *given))}
    near = (
        f"SELECT n.file, n.ordinal, n.number, count(*) FROM nodes n CROSS JOIN edges e ON e.{other} = n.number"
        f" WHERE n.file IN {SOME.format(3)} AND {_condition(this, along, '+')} GROUP BY 1, 2 ORDER BY 1, 2"
    )
    found: list[tuple[int, int]] = []
    asked, more = 0, FIRST_FILES
    while asked < len(rank) and len(found) < most:
        rows = rows_of(near, *given, as_list(list(rank)[asked : asked + more]))
        found += [row[2:] for row in sorted(rows, key=lambda row: rank[row[0]])]
        asked += more
        more = 1 + asked * (most - len(found)) // len(found)  # if the next ones hold as many as these
    return found[:most]


def _condition(this: str, along: Along, no_index: str = "") -> str:
    """The condition on an edge `e`, with the starts and the confidence as parameters; a plus disables indexes."""
    kinds = ",".join(str(int(kind)) for kind in along.kinds)
    sure = "e.confidence >= ?2" if along.least else "?2 = 0"  # without it, an index has all that is asked
    return f"{no_index}e.{this} IN {SOME.format(1)} AND {no_index}e.kind IN ({kinds}) AND {sure}"
