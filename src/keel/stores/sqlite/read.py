"""Reads the graph: each method of the GraphReader socket as one statement.

The fastest commands use it, so it imports sqlite3's rows and nothing heavy. Opening the database is left to
`connect.py`, the meaning of rows to the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keel.model.rows import EXPORTED, EdgeEnds, EdgeRow, FileRow, HelperAnswers, StoredEdge, StoredNode
from keel.stores.sqlite.squeeze import loosened

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from keel.model.rows import Along, FoundNode, Hop, NodeFilter, Words

FILE = "id, root, path, language, module, content, size, mtime_ns, looked_ns, state, service"
FILE_OF_F = ", ".join(f"f.{field}" for field in FileRow._fields)
NODE = ", ".join(f"n.{field}" for field in StoredNode._fields)
EDGE = ", ".join(f"e.{field}" for field in StoredEdge._fields)

ANSWERS = "file, resolution_tier, content, answers, disagreements"

# CROSS JOIN keeps the order as written: from the few rows asked for to the files they are in.
NODES = f"SELECT {NODE} FROM nodes n CROSS JOIN files f ON f.id = n.file"
BY_PLACE = "ORDER BY f.root, f.path, n.ordinal"

# What an id begins with is told by the kind, as in `model/ids.py`.
ID = """CASE n.kind WHEN 0 THEN 'file:' || f.root || ':' || f.path
    ELSE CASE n.kind WHEN 20 THEN 'route:' WHEN 21 THEN 'client:' WHEN 22 THEN 'producer:' ELSE 'sym:' END
        || f.root || ':' || f.path || ':' || n.qualified_name
        || CASE WHEN n.occurrence > 1 THEN '#' || n.occurrence ELSE '' END
    END"""

LAST_LETTER = "\U0010ffff"
"""Behind every other letter, as SQLite sorts them."""

SEAL = "seal"
"""The note that every commit changes."""
MANY = 500
"""Values of one statement."""


class SqliteReader:
    """A GraphReader on a connection that its caller opens and closes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def files(self) -> list[FileRow]:
        """All files, by root and path."""
        rows = self._rows(f"SELECT {FILE} FROM files ORDER BY root, path")
        return list(map(FileRow._make, rows))

    def file(self, number: int) -> FileRow | None:
        """One file by its number."""
        rows = self._rows(f"SELECT {FILE} FROM files WHERE id = ?", number)
        return FileRow._make(rows[0]) if rows else None

    def files_with(self, flag: int) -> list[FileRow]:
        """Files whose own node has this flag, by root and path."""
        return self._files_where("f.id IN (SELECT file FROM nodes WHERE kind = 0 AND flags & ?)", flag)

    def files_into(self, file: int) -> list[FileRow]:
        """Other files with an edge into this one, by root and path."""
        return self._files_beside("source", "target", file)

    def files_from(self, file: int) -> list[FileRow]:
        """Other files that an edge of this one points into, by root and path."""
        return self._files_beside("target", "source", file)

    def files_around(self, file: int) -> tuple[int, int]:
        """How many other files have an edge into this one, and into how many it has one."""
        count = (
            "SELECT count(*) FROM (SELECT DISTINCT o.file FROM nodes n CROSS JOIN edges e ON e.{} = n.number"
            " CROSS JOIN nodes o ON o.number = e.{} WHERE n.file = ?1) WHERE file <> ?1"
        )
        [(into,)] = self._found(count.format("target", "source"), file)
        [(out,)] = self._found(count.format("source", "target"), file)
        return into, out

    def interface(self, file: int) -> bytes | None:
        """The encoded interface of a file."""
        rows = self._rows("SELECT interface FROM facts WHERE file = ?", file)
        return loosened(rows[0][0]) if rows else None

    def references(self, file: int) -> bytes | None:
        """The encoded references of a file."""
        rows = self._rows('SELECT "references" FROM facts WHERE file = ?', file)
        return rows[0][0] if rows else None

    def open_calls(self, name: str) -> int:
        """How many calls have no edge and may be of anything with this last name."""
        [(count,)] = self._found("SELECT ifnull(sum(count), 0) FROM open_calls WHERE name = ?", name)
        return int(count)

    def links(self, file: int) -> tuple[bytes, dict[int, list[str]]]:
        """The reason byte of each reference of a file, and the candidates of the ambiguous ones."""
        rows = self._rows("SELECT reasons, candidates FROM links WHERE file = ?", file)
        if not rows:
            return b"", {}
        [(reasons, candidates)] = rows
        return reasons, _candidates(candidates) if candidates else {}

    def nodes(self, file: int) -> list[StoredNode]:
        """The nodes of a file by ordinal."""
        sql = f"SELECT {NODE} FROM nodes n WHERE n.file = ? ORDER BY n.ordinal"
        return list(map(StoredNode._make, self._found(sql, file)))

    def node(self, number: int) -> StoredNode | None:
        """One node by its number."""
        rows = self._rows(f"SELECT {NODE} FROM nodes n WHERE n.number = ?", number)
        return StoredNode._make(rows[0]) if rows else None

    def placed(self, numbers: Collection[int]) -> list[tuple[StoredNode, FileRow]]:
        """Nodes by their numbers, each with its file; in no particular order."""
        from keel.stores.sqlite.numbers import SOME, as_list

        both = f"{NODE}, {FILE_OF_F} FROM nodes n CROSS JOIN files f ON f.id = n.file"
        rows = self._rows(f"SELECT {both} WHERE n.number IN {SOME.format(1)}", as_list(numbers))
        width = len(StoredNode._fields)
        return [(StoredNode._make(row[:width]), FileRow._make(row[width:])) for row in rows]

    def with_hash(self, value: int) -> list[StoredNode]:
        """Nodes whose hash is this now."""
        return self._nodes_where("n.hash = ?", value)

    def with_old_hash(self, value: int) -> list[StoredNode]:
        """Nodes that had this hash among their last three before now."""
        return self._nodes_where("n.number IN (SELECT node FROM old_hashes WHERE hash = ?)", value)

    def with_name(self, name: str) -> list[StoredNode]:
        """Nodes by their last name, exactly."""
        return self._nodes_where("n.name = ?", name)

    def best_named(self, name: str, first: Collection[int], limit: int) -> list[StoredNode]:
        """So many nodes by their last name, those of some kinds first, then the shortest dotted names."""
        kinds = ",".join("?" * len(first))
        rows = self._found(
            f"{NODES} WHERE n.name = ? ORDER BY n.kind NOT IN ({kinds}),"
            f" length(f.module) - length(replace(f.module, '.', ''))"
            f" + length(n.qualified_name) - length(replace(n.qualified_name, '.', '')),"
            f" f.root, f.path, n.ordinal LIMIT ?",
            name,
            *first,
            limit,
        )
        return list(map(StoredNode._make, rows))

    def with_name_and_kind(self, name: str, kind: int) -> list[StoredNode]:
        """Nodes of a kind by their last name, exactly."""
        return self._nodes_where("n.name = ? AND n.kind = ?", name, kind)

    def with_owner(self, owner: str, name: str) -> list[StoredNode]:
        """Nodes by their last name, and that of what they are defined in."""
        # By way of the owners: half a per cent of all nodes can have one name, such as `__init__`.
        rows = self._found(
            f"SELECT {NODE} FROM nodes o CROSS JOIN nodes n ON n.file = o.file AND n.parent = o.ordinal"
            f" CROSS JOIN files f ON f.id = n.file WHERE o.name = ? AND n.name = ? {BY_PLACE}",
            owner,
            name,
        )
        return list(map(StoredNode._make, rows))

    def named(self, name: str, limit: int) -> list[StoredNode]:
        """So many nodes by their last name, exactly."""
        rows = self._found(f"SELECT {NODE} FROM nodes n WHERE n.name = ? LIMIT ?", name, limit)
        return list(map(StoredNode._make, rows))

    def with_qualified_name(self, name: str) -> list[StoredNode]:
        """Nodes by qualified name, exactly."""
        return self._nodes_where("n.qualified_name = ?", name)

    def with_attribute(self, name: str, value: str) -> list[StoredNode]:
        """Nodes that have a value for an attribute, exactly."""
        return self._nodes_where("n.number IN (SELECT node FROM attributes WHERE name = ? AND value = ?)", name, value)

    def attributes(self, node: int) -> dict[str, list[str]]:
        """What else a node has: values by name, both sorted."""
        found: dict[str, list[str]] = {}
        for name, value in self._found("SELECT name, value FROM attributes WHERE node = ? ORDER BY 1, 2", node):
            found.setdefault(name, []).append(value)
        return found

    def found_by(self, wanted: NodeFilter, limit: int, offset: int) -> tuple[int, list[StoredNode]]:
        """How many nodes a filter leaves, and so many of them."""
        from keel.stores.sqlite.filters import condition_of  # only here and below: no part of the fastest answers

        condition, values = condition_of(wanted)
        # There are fewer files than nodes, and few are of a module.
        few = "files f CROSS JOIN nodes n" if wanted.modules or wanted.services else "nodes n JOIN files f"
        source = f"FROM {few} ON f.id = n.file WHERE {condition}"
        [(total,)] = self._found(f"SELECT count(*) {source}", *values)
        rows = self._found(f"SELECT {NODE} {source} {BY_PLACE} LIMIT ? OFFSET ?", *values, limit, offset)
        return total, list(map(StoredNode._make, rows))

    def names_like(self, text: str, limit: int) -> list[str]:
        """Distinct node names found by full-text search over split names, best first."""
        from keel.stores.sqlite.matching import names_like

        words = list(dict.fromkeys(text.replace("\0", " ").split()))
        return names_like(self._words(), words, limit) if words and self.can_search() else []

    def can_search(self) -> bool:
        """Whether there is an index of words, and this SQLite can use it."""
        from keel.stores.sqlite.texts import can_search

        return can_search(self._connection)

    def word_counts(self, words: Sequence[str]) -> dict[str, int]:
        """How many nodes have each of the words, counted to `COMMON`."""
        from keel.stores.sqlite.matching import word_counts

        return word_counts(self._words(), words)

    def matching(self, counts: Mapping[str, int], limit: int) -> list[FoundNode]:
        """Nodes that have some of the words, those that fit best first."""
        from keel.stores.sqlite.matching import matching

        return matching(self._words(), counts, limit)

    def known_words(self, beginning: str, limit: int) -> dict[str, int]:
        """Words that nodes are found by and that begin so, each with the number of nodes that have it."""
        from keel.stores.sqlite.matching import known_words

        return known_words(self._words(), beginning, limit)

    def words(self, file: int) -> dict[int, Words]:
        """What nodes of a file are found by, by node number."""
        from keel.stores.sqlite.texts import stored_texts

        return stored_texts(self._connection, file)

    def vectors(self) -> Iterator[tuple[int, bytes]]:
        """Node numbers with their vectors, by number; streamed."""
        yield from self._connection.execute("SELECT node, vector FROM vectors ORDER BY node")

    def without_vector(self) -> list[StoredNode]:
        """Nodes that have no vector, by file and ordinal."""
        rows = self._found(
            f"SELECT {NODE} FROM nodes n WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.node = n.number)"
            " ORDER BY n.file, n.ordinal"
        )
        return list(map(StoredNode._make, rows))

    def names_beginning(self, text: str, limit: int) -> list[str]:
        """Distinct names that begin with a text, sorted: qualified ones when there is a dot in it, else last names."""
        column = "qualified_name" if "." in text else "name"
        rows = self._found(
            f"SELECT DISTINCT {column} FROM nodes WHERE {column} >= ? AND {column} < ? ORDER BY {column} LIMIT ?",
            text,
            f"{text}{LAST_LETTER}",
            limit,
        )
        return [name for (name,) in rows]

    def edges_from(self, node: int) -> list[StoredEdge]:
        """Derived edges that leave a node, by position, kind and target."""
        return self._edges("target", "source", "ORDER BY e.at, e.kind, f.root, f.path, n.ordinal", node)

    def edges_to(self, node: int) -> list[StoredEdge]:
        """Derived edges that reach a node, by source, position and kind."""
        return self._edges("source", "target", f"{BY_PLACE}, e.at, e.kind", node)

    def edges_between(self, sources: Collection[int], targets: Collection[int]) -> list[StoredEdge]:
        """Derived edges from any of some nodes to any of others, in no particular order."""
        from keel.stores.sqlite.numbers import SOME, as_list

        # The plus keeps SQLite from starting at the targets: a node can have very many callers, but few callees.
        between = f"e.source IN {SOME.format(1)} AND +e.target IN {SOME.format(2)}"
        rows = self._found(f"SELECT {EDGE} FROM edges e WHERE {between}", as_list(sources), as_list(targets))
        return list(map(StoredEdge._make, rows))

    def ends(self, starts: Collection[int], along: Along, most: int) -> list[tuple[int, int]]:
        """The nodes that edges of the starts point to, each with their number; the first so many of them."""
        from keel.stores.sqlite.ends import ends

        return ends(self._found, starts, along, most)

    def edge_counts(self, node: int, kinds: Collection[int] = ()) -> tuple[dict[int, int], dict[int, int]]:
        """How many derived edges reach a node, and how many leave it, by kind; of these kinds, if any are given."""
        some = f" AND kind IN ({','.join(map(str, map(int, kinds)))})" if kinds else ""
        count = f"SELECT kind, count(*) FROM edges WHERE {{}} = ?{some} GROUP BY kind ORDER BY kind"
        return dict(self._found(count.format("target"), node)), dict(self._found(count.format("source"), node))

    def hop(self, wanted: Hop, limit: int, offset: int) -> tuple[int, list[StoredEdge]]:
        """How many edges a hop has, and so many of them."""
        from keel.stores.sqlite.filters import condition_of

        this, other = ("source", "target") if wanted.forward else ("target", "source")
        condition, values = condition_of(wanted.other)
        edges = f"e.{this} = ? AND e.kind IN ({','.join('?' * len(wanted.kinds))})"
        given: list[Any] = [wanted.node, *sorted(wanted.kinds)]
        if wanted.least:
            edges, given = f"{edges} AND e.confidence >= ?", [*given, wanted.least]
        near = f"FROM edges e CROSS JOIN nodes n ON n.number = e.{other}"
        far = f"{near} CROSS JOIN files f ON f.id = n.file WHERE {edges} AND {condition}"
        # For a hub, indexes give the number of edges in each file; the page lies in few files.
        counted = far if values else f"{near} WHERE {edges}"
        by_file = self._found(
            f"SELECT g.file, g.count FROM (SELECT n.file, count(*) AS count {counted} GROUP BY n.file) g"
            " CROSS JOIN files f ON f.id = g.file ORDER BY f.root, f.path",
            *(*given, *(values if counted is far else ())),
        )
        files, skipped = _window(by_file, limit, offset)
        keys = self._found(
            f"SELECT e.source, e.at, e.kind, e.target FROM nodes n CROSS JOIN edges e ON e.{other} = n.number"
            f" CROSS JOIN files f ON f.id = n.file WHERE {edges} AND {condition}"
            f" AND n.file IN ({','.join(map(str, files))}) {BY_PLACE}, e.at, e.kind LIMIT ? OFFSET ?",
            *(*given, *values, limit, offset - skipped),
        )
        whole = f"SELECT {EDGE} FROM edges e WHERE source = ? AND at = ? AND kind = ? AND target = ?"
        return sum(count for _, count in by_file), [StoredEdge._make(self._rows(whole, *key)[0]) for key in keys]

    def users(self, node: int, kinds: Collection[int], most: int) -> list[StoredNode]:
        """Nodes with an edge of one of these kinds into a node, at most so many; by root, path and ordinal."""
        marks = ",".join("?" * len(kinds))
        some = f"SELECT DISTINCT source FROM edges WHERE target = ? AND kind IN ({marks}) LIMIT ?"
        joined = f"({some}) e CROSS JOIN nodes n ON n.number = e.source CROSS JOIN files f ON f.id = n.file"
        rows = self._found(f"SELECT {NODE} FROM {joined} {BY_PLACE}", node, *kinds, most)
        return list(map(StoredNode._make, rows))

    def edges_of(self, file: int) -> list[EdgeRow]:
        """Derived edges that leave the nodes of a file, by source, position, kind and target."""
        rows = self._found(
            "SELECT n.ordinal, e.at, e.kind, t.file, t.ordinal, e.tier, e.confidence, e.type_only, e.metadata"
            " FROM nodes n CROSS JOIN edges e ON e.source = n.number CROSS JOIN nodes t ON t.number = e.target"
            " CROSS JOIN files f ON f.id = t.file WHERE n.file = ?"
            " ORDER BY n.ordinal, e.at, e.kind, f.root, f.path, t.ordinal",
            file,
        )
        return list(map(EdgeRow._make, rows))

    def edge_ends(self) -> Iterator[EdgeEnds]:
        """What every derived edge connects; streamed, in no particular order."""
        rows = self._connection.execute(
            "SELECT e.kind, e.source, s.file, e.target, t.file FROM edges e"
            " CROSS JOIN nodes s ON s.number = e.source CROSS JOIN nodes t ON t.number = e.target"
        )
        yield from map(EdgeEnds._make, rows)

    def all_nodes(self) -> Iterator[tuple[str, StoredNode]]:
        """Every node with its id, in order of the id as text; streamed."""
        # Colons and marks within names can make two ids equal; path and name tell them apart.
        rows = self._connection.execute(
            f"SELECT {ID}, {NODE} FROM nodes n CROSS JOIN files f ON f.id = n.file ORDER BY 1, f.path, n.qualified_name"
        )
        for row in rows:
            yield row[0], StoredNode._make(row[1:])

    def dependents(self, keys: Collection[int]) -> set[int]:
        """Files whose linking looked up one of these facts."""
        asked = list(keys)
        files: set[int] = set()
        for start in range(0, len(asked), MANY):
            some = asked[start : start + MANY]
            marks = ",".join("?" * len(some))
            rows = self._found(f"SELECT file FROM lookups WHERE key IN ({marks})", *some)
            files.update(file for (file,) in rows)
        return files

    def flows(self, slot: int) -> dict[int, bytes]:
        """The values that each file passes to a parameter slot."""
        return dict(self._found("SELECT file, things FROM flows WHERE slot = ? ORDER BY file", slot))

    def slots(self, files: Iterable[int]) -> set[int]:
        """All parameter slots that files pass values to."""
        from keel.stores.sqlite.packing import unpack  # only here: it is no part of the fastest answers

        rows = (row for file in files for row in self._found("SELECT slots FROM links WHERE file = ?", file))
        return {slot for (packed,) in rows for slot in unpack(packed)}

    def profiles(self) -> dict[int, bytes]:
        """The encoded profile of every file that has one."""
        return {file: loosened(profile) for file, profile in self._rows("SELECT * FROM profiles WHERE profile <> x''")}

    def helper_answers(self, file: int, tier: int) -> HelperAnswers | None:
        """The answers of a helper about a file, if it was asked."""
        rows = self._rows(f"SELECT {ANSWERS} FROM resolution_cache WHERE file = ? AND resolution_tier = ?", file, tier)
        return HelperAnswers._make(rows[0])._replace(answers=loosened(rows[0][3])) if rows else None

    def helped(self, tier: int) -> dict[int, int]:
        """The files that a helper was asked about, each with how often linking had found something else."""
        return dict(self._rows("SELECT file, disagreements FROM resolution_cache WHERE resolution_tier = ?", tier))

    def counts(self) -> dict[str, dict[str, int]]:
        """How many files by language, nodes by kind, exported nodes, edges by kind, tier and confidence."""
        from keel.model.kinds import EdgeKind, NodeKind, Tier  # only here: enum costs start-up

        nodes = self._rows("SELECT kind, count(*) FROM nodes GROUP BY kind ORDER BY kind")
        edges = self._rows("SELECT kind, tier, confidence, count(*) FROM edges GROUP BY kind, tier, confidence")
        [(exported,)] = self._rows("SELECT count(*) FROM nodes WHERE flags & ?", EXPORTED)
        return {
            "files": dict(self._rows("SELECT language, count(*) FROM files GROUP BY language ORDER BY language")),
            "nodes": {NodeKind(kind).word: count for kind, count in nodes},
            "exported": {"exported": exported} if exported else {},
            "edges": {EdgeKind(kind).word: count for kind, count in _sums(edges, 0)},
            "tiers": {Tier(tier).word: count for tier, count in _sums(edges, 1)},
            "confidence": {f"{share / 100:.2f}": count for share, count in _sums(edges, 2)},
        }

    def note(self, name: str) -> bytes | None:
        """A small value about the whole graph."""
        rows = self._rows("SELECT value FROM notes WHERE name = ?", name)
        return rows[0][0] if rows else None

    def seal(self) -> bytes:
        """What the last commit sealed the graph with."""
        return self.note(SEAL) or b""

    def _files_where(self, condition: str, *values: object) -> list[FileRow]:
        sql = f"SELECT {FILE_OF_F} FROM files f WHERE {condition} ORDER BY f.root, f.path"
        return list(map(FileRow._make, self._found(sql, *values)))

    def _files_beside(self, other: str, this: str, file: int) -> list[FileRow]:
        beside = (
            f"SELECT o.file FROM nodes n CROSS JOIN edges e ON e.{this} = n.number"
            f" CROSS JOIN nodes o ON o.number = e.{other} WHERE n.file = ? AND o.file <> n.file"
        )
        return self._files_where(f"f.id IN ({beside})", file)

    def _nodes_where(self, condition: str, *values: object) -> list[StoredNode]:
        return list(map(StoredNode._make, self._found(f"{NODES} WHERE {condition} {BY_PLACE}", *values)))

    def _edges(self, other: str, this: str, order: str, node: int) -> list[StoredEdge]:
        rows = self._found(
            f"SELECT {EDGE} FROM edges e CROSS JOIN nodes n ON n.number = e.{other}"
            f" CROSS JOIN files f ON f.id = n.file WHERE e.{this} = ? {order}",
            node,
        )
        return list(map(StoredEdge._make, rows))

    def _words(self) -> sqlite3.Connection:
        """Called before queries of words; a writer that has deferred counting them does it first."""
        return self._connection

    def _found(self, sql: str, *values: object) -> list[Any]:
        """Rows that an index leads to; a writer that has put off its indexes makes them first."""
        return self._rows(sql, *values)

    def _rows(self, sql: str, *values: object) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()


def _window(counts: list[tuple[int, int]], limit: int, offset: int) -> tuple[list[int], int]:
    """Of files with their counts, in order: those that a page lies in, and how many are counted before them."""
    files: list[int] = []
    skipped = seen = 0
    for file, count in counts:
        if seen + count <= offset:
            skipped += count
        elif seen < offset + limit:
            files.append(file)
        else:
            break
        seen += count
    return files, skipped


def _candidates(text: str) -> dict[int, list[str]]:
    from json import loads  # only here: few files have any

    return {int(index): ids for index, ids in loads(text).items()}


def _sums(rows: list[Any], column: int) -> list[tuple[int, int]]:
    """How many edges there are of each value in a column, by value."""
    totals: dict[int, int] = {}
    for row in rows:
        totals[row[column]] = totals.get(row[column], 0) + row[-1]
    return sorted(totals.items())
