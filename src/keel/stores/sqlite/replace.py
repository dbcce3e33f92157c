"""Replaces the rows of one file, writing only those that differ.

Nodes keep their numbers by qualified name and occurrence, so that edges into them and their old
hashes live on. Files that are new are left to `write.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from keel.stores.sqlite.read import EDGE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from keel.model.rows import NodeRow

OLD_HASHES = 3
"""How many hashes before the present one still find a node."""

INSERT_EDGE = "INSERT OR REPLACE INTO edges"
INSERT_LOOKUP = "INSERT INTO lookups"


def replace_nodes(connection: sqlite3.Connection, file: int, nodes: list[NodeRow], fresh: int) -> list[int]:
    """Makes a file's nodes these, new ones numbered from `fresh` on; their numbers by ordinal."""
    stored = _stored_nodes(connection, file)
    kept = [(node, stored.pop(_key(node))) for node in nodes if _key(node) in stored]
    delete_nodes(connection, [old.number for old in stored.values()])
    _update(connection, kept)
    numbers = {node.ordinal: old.number for node, old in kept}
    added = list(enumerate((node for node in nodes if node.ordinal not in numbers), fresh))
    _insert(connection, file, added)
    numbers.update((node.ordinal, number) for number, node in added)
    return [numbers[ordinal] for ordinal in range(len(numbers))]


def delete_nodes(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Deletes nodes, with everything that refers to them."""
    rows = [(number,) for number in numbers]
    for statement in (
        "DELETE FROM edges WHERE source = ?",
        "DELETE FROM edges WHERE target = ?",
        "DELETE FROM old_hashes WHERE node = ?",
        "DELETE FROM vectors WHERE node = ?",
        "DELETE FROM attributes WHERE node = ?",
        "DELETE FROM nodes WHERE number = ?",
    ):
        connection.executemany(statement, rows)


def forget_attributes(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Deletes the attributes of nodes."""
    connection.executemany("DELETE FROM attributes WHERE node = ?", [(number,) for number in numbers])


def replace_edges(connection: sqlite3.Connection, file: int, edges: Iterable[tuple[Any, ...]]) -> None:
    """Makes the edges that leave a file's nodes these; of equal keys the last one counts."""
    now = {edge[:4]: edge for edge in edges}
    stored = set(
        connection.execute(
            f"SELECT {EDGE} FROM nodes n CROSS JOIN edges e ON e.source = n.number WHERE n.file = ?",
            (file,),
        )
    )
    connection.executemany(
        "DELETE FROM edges WHERE source = ? AND at = ? AND kind = ? AND target = ?",
        [edge[:4] for edge in stored if edge[:4] not in now],
    )
    connection.executemany(
        f"{INSERT_EDGE} VALUES (?,?,?,?,?,?,?,?)",
        [edge for edge in now.values() if edge not in stored],
    )


def replace_lookups(connection: sqlite3.Connection, file: int, stored: set[int], now: set[int]) -> None:
    """Makes the facts a file's linking looked up these."""
    connection.executemany("DELETE FROM lookups WHERE key = ? AND file = ?", [(key, file) for key in stored - now])
    connection.executemany(f"{INSERT_LOOKUP} VALUES (?,?)", [(key, file) for key in now - stored])


def forget_flows(connection: sqlite3.Connection, file: int, slots: set[int]) -> None:
    """Deletes the values that a file passed to these parameter slots."""
    connection.executemany("DELETE FROM flows WHERE slot = ? AND file = ?", [(slot, file) for slot in slots])


class _Stored(NamedTuple):
    """The columns of a stored node that can change; `place` are those in no index."""

    number: int
    name: str
    hash: int
    place: tuple[int, ...]


_PLACE = ("ordinal", "kind", "parent", "start", "line", "end_line", "body_hash", "flags")


def _stored_nodes(connection: sqlite3.Connection, file: int) -> dict[tuple[str, int], _Stored]:
    place = ", ".join(f"n.{column}" for column in _PLACE)
    rows = connection.execute(
        f"SELECT n.qualified_name, n.occurrence, n.number, n.name, n.hash, {place} FROM nodes n WHERE n.file = ?",
        (file,),
    )
    return {row[:2]: _Stored._make((*row[2:5], row[5:])) for row in rows}


def _key(node: NodeRow) -> tuple[str, int]:
    return node.qualified_name, node.occurrence


def _update(connection: sqlite3.Connection, kept: list[tuple[NodeRow, _Stored]]) -> None:
    """One statement an index: an edit above only moves nodes, which must not touch any index."""
    moved, renamed, changed = [], [], []
    for node, old in kept:
        if (place := _place(node)) != old.place:
            moved.append((*place, old.number))
        if node.name != old.name:
            renamed.append((node.name, old.number))
        if node.hash != old.hash:
            changed.append((node.hash, old.hash, old.number))
    columns = ", ".join(f"{column} = ?" for column in _PLACE)
    connection.executemany(f"UPDATE nodes SET {columns} WHERE number = ?", moved)
    connection.executemany("UPDATE nodes SET name = ? WHERE number = ?", renamed)
    _change_hashes(connection, changed)


def _place(node: NodeRow) -> tuple[int, ...]:
    return (
        node.ordinal,
        node.kind,
        node.parent,
        node.start,
        node.line,
        node.end_line,
        node.body_hash,
        node.flags,
    )


def _change_hashes(connection: sqlite3.Connection, changed: list[tuple[int, int, int]]) -> None:
    """Each (new, old, number): the old one is remembered, the oldest forgotten."""
    for new, old, number in changed:
        connection.execute("UPDATE nodes SET hash = ? WHERE number = ?", (new, number))
        [rank] = connection.execute(
            "SELECT ifnull(max(rank), 0) + 1 FROM old_hashes WHERE node = ?", (number,)
        ).fetchone()
        connection.execute("INSERT INTO old_hashes VALUES (?, ?, ?)", (number, rank, old))
        connection.execute("DELETE FROM old_hashes WHERE node = ? AND rank <= ?", (number, rank - OLD_HASHES))
        connection.execute("DELETE FROM vectors WHERE node = ?", (number,))


def _insert(connection: sqlite3.Connection, file: int, added: list[tuple[int, NodeRow]]) -> None:
    marks = ",".join("?" * 14)
    connection.executemany(
        f"INSERT INTO nodes VALUES ({marks})",
        [(number, file, *node[:-1]) for number, node in added],
    )
