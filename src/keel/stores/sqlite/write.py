"""Writes the graph: the GraphWriter socket over one open transaction, in bulk or file by file.

While a graph is being built its indexes wait, and a node's number is its file's first number plus
its ordinal; afterwards a file is compared with what is stored (`replace.py`). Beginning and ending
the transaction is left to `connect.py`.
"""

from __future__ import annotations

from array import array
from collections import Counter
from operator import itemgetter
from os import urandom
from typing import TYPE_CHECKING, Any

from keel.stores.sqlite import schema
from keel.stores.sqlite.load import Load
from keel.stores.sqlite.packing import pack, unpack
from keel.stores.sqlite.read import SEAL, SqliteReader
from keel.stores.sqlite.replace import (
    INSERT_EDGE,
    INSERT_LOOKUP,
    delete_nodes,
    forget_attributes,
    forget_flows,
    replace_edges,
    replace_lookups,
    replace_nodes,
)
from keel.stores.sqlite.squeeze import squeezed
from keel.stores.sqlite.texts import add_texts, can_search, count_words, replace_texts, texts_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from keel.model.rows import Amendment, EdgeRow, FileLinks, FileRow, FileUpdate, HelperAnswers

PUT_FILE = """INSERT INTO files VALUES (?,?,?,?,?,?,?,?,?,?,?)
    ON CONFLICT (id) DO UPDATE SET root = excluded.root, path = excluded.path,
        language = excluded.language, module = excluded.module, content = excluded.content,
        size = excluded.size, mtime_ns = excluded.mtime_ns, looked_ns = excluded.looked_ns,
        state = excluded.state, service = excluded.service"""
PUT_ATTRIBUTE = "INSERT OR IGNORE INTO attributes VALUES (?,?,?)"
SEAL_BYTES = 12
PUT_FACTS = "INSERT OR REPLACE INTO facts VALUES (?,?,?)"
PUT_PROFILE = "INSERT OR REPLACE INTO profiles VALUES (?,?)"
LOT = 20_000
"""So many look-ups are sorted rows at a time: a large project has half a million."""
SELDOM_READ = 200
"""From so many bytes on, answers of helpers are compressed: they are read only when their file is linked again."""
FORGET_OPEN_CALLS = "DELETE FROM open_calls WHERE file = ?"
PUT_LINKS = "INSERT OR REPLACE INTO links VALUES (?,?,?,?,?)"


class SqliteWriter(SqliteReader):
    """A GraphWriter on a connection with an open transaction; `finish` comes before the commit."""

    def __init__(self, connection: sqlite3.Connection, *, empty: bool) -> None:
        super().__init__(connection)
        self.empty = empty
        self.next_seal = urandom(SEAL_BYTES)
        self._loading = empty
        """Whether there are no indexes yet, and no files but those in `_first`."""
        self._first: dict[int, int] = {}
        """Of files added while loading: the number of their first node."""
        self._numbers: dict[int, list[int]] = {}
        """Of other files: node numbers by ordinal, as far as they have been asked for."""
        self._unlinked: set[int] = set()
        """Files added in this transaction that have no edges to compare with."""
        self._lookups = array("q"), array("q")
        """Keys and their files; while loading they wait, since sorted rows make a small and quick table."""
        self._more_words: Counter[str] = Counter()
        """How many nodes more have each word: counted at the end, since files have many words in common."""
        if empty:
            schema.create_tables(connection)
        self._searches = can_search(connection)

    def put(self, updates: Iterable[FileUpdate]) -> None:
        """Adds files or replaces their facts and nodes."""
        nodes = Load(self._connection, "INSERT INTO nodes", 14)
        fresh = self._fresh_number()
        for update in updates:
            if self._is_stored(update.row.id):
                nodes.flush()
                fresh = self._replace(update, fresh)
            else:
                fresh = self._add(update, nodes, fresh)
        nodes.flush()

    def link(self, links: Iterable[FileLinks]) -> None:
        """Replaces what the linking of files found."""
        edges = Load(self._connection, INSERT_EDGE, 8)
        for found in links:
            if found.file in self._unlinked:
                self._unlinked.remove(found.file)
                edges.add(self._edge_rows(found.file, found.edges))
                self._add_links(found)
            else:
                edges.flush()
                self._settle()
                replace_edges(self._connection, found.file, self._edge_rows(found.file, found.edges))
                self._replace_links(found)
        edges.flush()

    def amend(self, amendments: Iterable[Amendment]) -> None:
        """Replaces edges and reasons of files that are linked; their lookups and passed values are kept, and added
        to."""
        for made in amendments:
            self._settle()
            replace_edges(self._connection, made.file, self._edge_rows(made.file, made.edges))
            known = self._keys(made.file)
            keys = known | made.keys
            if keys != known:
                replace_lookups(self._connection, made.file, known, keys)
            candidates = _as_json(made.candidates) if made.candidates else ""
            self._connection.execute(
                "UPDATE links SET reasons = ?, candidates = ?, keys = ? WHERE file = ?",
                (made.reasons, candidates, pack(keys), made.file),
            )
            self._connection.execute(FORGET_OPEN_CALLS, (made.file,))
            self._put_open_calls(made.file, made.open_calls)

    def keep_answers(self, answers: Iterable[HelperAnswers]) -> None:
        """Stores the answers of a helper about files, replacing earlier ones."""
        rows = (one._replace(answers=squeezed(one.answers, SELDOM_READ)) for one in answers)
        self._connection.executemany("INSERT OR REPLACE INTO resolution_cache VALUES (?,?,?,?,?)", rows)

    def forget_answers(self, files: Iterable[int] | None = None, tier: int | None = None) -> None:
        """Deletes the answers of helpers about these files, or about all; of one tier, if one is given."""
        forget = "DELETE FROM resolution_cache WHERE (?1 IS NULL OR resolution_tier = ?1)"
        if files is None:
            self._connection.execute(forget, (tier,))
        else:
            self._connection.executemany(f"{forget} AND file = ?2", [(tier, file) for file in files])

    def keep_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Stores the vectors of nodes, each until its node changes."""
        self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?,?)", vectors)

    def forget_vectors(self) -> None:
        """Forgets all vectors."""
        self._connection.execute("DELETE FROM vectors")

    def touch(self, rows: Iterable[FileRow]) -> None:
        """Updates the rows of files whose facts stay as they are."""
        self._connection.executemany(PUT_FILE, (row for row in rows if self._is_stored(row.id)))

    def remove(self, files: Iterable[int]) -> None:
        """Deletes files with everything they hold, and the edges into them."""
        for file in files:
            self._settle()
            numbers = self._rows("SELECT number FROM nodes WHERE file = ?", file)
            if self._searches:
                self._more_words.update(replace_texts(self._connection, file, {}))
            delete_nodes(self._connection, [number for (number,) in numbers])
            replace_lookups(self._connection, file, self._keys(file), set())
            forget_flows(self._connection, file, self.slots([file]))
            for statement in (
                "DELETE FROM links WHERE file = ?",
                FORGET_OPEN_CALLS,
                "DELETE FROM resolution_cache WHERE file = ?",
                "DELETE FROM facts WHERE file = ?",
                "DELETE FROM profiles WHERE file = ?",
                "DELETE FROM files WHERE id = ?",
            ):
                self._connection.execute(statement, (file,))
            self._numbers.pop(file, None)
            self._unlinked.discard(file)

    def set_note(self, name: str, value: bytes) -> None:
        """Stores a small value about the whole graph."""
        self._connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, value))

    def clear(self) -> None:
        """Empties the graph, so that it is built as if there had been none."""
        self._lookups = array("q"), array("q")
        self._first.clear()
        self._numbers.clear()
        self._unlinked.clear()
        self._more_words.clear()
        schema.drop_everything(self._connection)
        schema.create_tables(self._connection)
        self._loading = True

    def finish(self) -> None:
        """Completes the graph and marks it as valid."""
        self._settle()
        self._words()
        self.set_note(SEAL, self.next_seal)
        if self.empty:
            schema.stamp(self._connection)

    def _words(self) -> sqlite3.Connection:
        self._settle()
        count_words(self._connection, self._more_words)
        self._more_words.clear()
        return self._connection

    def _found(self, sql: str, *values: object) -> list[Any]:
        self._settle()
        return self._rows(sql, *values)

    def _settle(self) -> None:
        """Ends the loading: rows that wait go in, then the indexes."""
        if not self._loading:
            return
        self._loading = False
        lookups = Load(self._connection, INSERT_LOOKUP, 2)
        keys, files = self._lookups
        order = sorted(range(len(keys)), key=keys.__getitem__)
        for start in range(0, len(order), LOT):
            lookups.add([(keys[index], files[index]) for index in order[start : start + LOT]])
        lookups.flush()
        self._lookups = array("q"), array("q")
        schema.create_indexes(self._connection)

    def _fresh_number(self) -> int:
        [(number,)] = self._rows("SELECT ifnull(max(number), 0) + 1 FROM nodes")
        return int(number)

    def _is_stored(self, file: int) -> bool:
        if self._loading:
            return file in self._first
        return bool(self._rows("SELECT 1 FROM files WHERE id = ?", file))

    def _add(self, update: FileUpdate, nodes: Load, fresh: int) -> int:
        """Adds a new file; the next free number."""
        file = update.row.id
        self._put_file(update)
        nodes.add([(fresh + node[0], file, *node[:-1]) for node in update.nodes])
        if self._searches:
            texts = texts_of((fresh + node[0], node) for node in update.nodes)
            self._more_words.update(add_texts(self._connection, file, texts))
        if update.attributes:
            rows = [(name, value, fresh + ordinal) for ordinal, name, value in update.attributes]
            self._connection.executemany(PUT_ATTRIBUTE, rows)
        if self._loading:
            self._first[file] = fresh
        self._unlinked.add(file)
        return fresh + len(update.nodes)

    def _replace(self, update: FileUpdate, fresh: int) -> int:
        """Replaces an existing file; the next free number."""
        self._settle()
        self._put_file(update)
        numbers = replace_nodes(self._connection, update.row.id, update.nodes, fresh)
        self._numbers[update.row.id] = numbers
        if self._searches:
            texts = texts_of(zip(numbers, update.nodes, strict=True))
            self._more_words.update(replace_texts(self._connection, update.row.id, texts))
        forget_attributes(self._connection, numbers)
        rows = [(name, value, numbers[ordinal]) for ordinal, name, value in update.attributes]
        self._connection.executemany(PUT_ATTRIBUTE, rows)
        return max(fresh, 1 + max(numbers, default=0))

    def _put_file(self, update: FileUpdate) -> None:
        self._connection.execute(PUT_FILE, update.row)
        self._connection.execute(PUT_FACTS, (update.row.id, squeezed(update.interface), update.references))
        self._connection.execute(PUT_PROFILE, (update.row.id, squeezed(update.profile)))

    def _edge_rows(self, own: int, edges: list[EdgeRow]) -> Iterable[tuple[Any, ...]]:
        """The edges of a file with node numbers in place of files and ordinals."""
        if self._loading:
            return _loaded_edges(own, edges, self._first)
        sources = self._numbers_of(own)
        numbers = {file: self._numbers_of(file) for file in set(map(_TARGET_FILE, edges))}
        return [
            (sources[source], at, kind, numbers[file][target], tier, confidence, only, metadata)
            for source, at, kind, file, target, tier, confidence, only, metadata in edges
        ]

    def _numbers_of(self, file: int) -> list[int]:
        numbers = self._numbers.get(file)
        if numbers is None:
            rows = self._found("SELECT number FROM nodes WHERE file = ? ORDER BY ordinal", file)
            numbers = self._numbers[file] = [number for (number,) in rows]
        return numbers

    def _add_links(self, found: FileLinks) -> None:
        if self._loading:
            self._lookups[0].extend(found.keys)
            self._lookups[1].extend([found.file] * len(found.keys))
        else:
            lookups = [(key, found.file) for key in found.keys]
            self._connection.executemany(f"{INSERT_LOOKUP} VALUES (?,?)", lookups)
        self._put_links(found)

    def _replace_links(self, found: FileLinks) -> None:
        replace_lookups(self._connection, found.file, self._keys(found.file), found.keys)
        forget_flows(self._connection, found.file, self.slots([found.file]) - found.flows.keys())
        self._put_links(found)

    def _put_links(self, found: FileLinks) -> None:
        candidates = _as_json(found.candidates) if found.candidates else ""
        slots = pack(set(found.flows))
        self._connection.execute(PUT_LINKS, (found.file, found.reasons, candidates, pack(found.keys), slots))
        if not self._loading:
            self._connection.execute(FORGET_OPEN_CALLS, (found.file,))
        self._put_open_calls(found.file, found.open_calls)
        if found.flows:
            rows = [(slot, found.file, things) for slot, things in found.flows.items()]
            self._connection.executemany("INSERT OR REPLACE INTO flows VALUES (?,?,?)", rows)

    def _put_open_calls(self, file: int, open_calls: Mapping[str, int]) -> None:
        rows = [(name, file, count) for name, count in open_calls.items()]
        self._connection.executemany("INSERT OR REPLACE INTO open_calls VALUES (?,?,?)", rows)

    def _keys(self, file: int) -> set[int]:
        rows = self._rows("SELECT keys FROM links WHERE file = ?", file)
        return unpack(rows[0][0]) if rows else set()


_TARGET_FILE = itemgetter(3)


def _loaded_edges(linked: int, edges: list[EdgeRow], first: dict[int, int]) -> list[tuple[Any, ...]]:
    """The same by adding alone, which a bulk load notices."""
    own = first[linked]
    return [
        (own + source, at, kind, first[file] + target, tier, confidence, only, metadata)
        for source, at, kind, file, target, tier, confidence, only, metadata in edges
    ]


def _as_json(candidates: dict[int, list[str]]) -> str:
    from json import dumps  # only here: few files have any

    return dumps(candidates, ensure_ascii=False, separators=(",", ":"))
