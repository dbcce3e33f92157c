"""The tables of the graph, as an append-only list of migrations; `user_version` counts them.

A released migration is never changed, only followed by another. Applying them is left to `connect.py` and `write.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

PAGE_SIZE = 8192


class Migration:
    """One step of the schema. `indexes` is what can wait until the rows of a first load are in.

    A plain class, since readers import it and a named tuple would cost them a millisecond.
    """

    def __init__(self, tables: tuple[str, ...], indexes: tuple[str, ...] = ()) -> None:
        self.tables = tables
        self.indexes = indexes


_FIRST = Migration(
    tables=(
        """CREATE TABLE files (
            id INTEGER PRIMARY KEY,
            root TEXT NOT NULL,
            path TEXT NOT NULL,
            language TEXT NOT NULL,
            module TEXT NOT NULL,
            content BLOB NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            looked_ns INTEGER NOT NULL,
            state INTEGER NOT NULL
        )""",
        """CREATE TABLE facts (
            file INTEGER PRIMARY KEY REFERENCES files DEFERRABLE INITIALLY DEFERRED,
            interface BLOB NOT NULL,
            "references" BLOB NOT NULL
        )""",
        # Apart from the facts, since linking again leaves those alone. `keys` repeats the file's
        # rows of `lookups`, so that these can be found without a second index.
        """CREATE TABLE links (
            file INTEGER PRIMARY KEY REFERENCES files DEFERRABLE INITIALLY DEFERRED,
            reasons BLOB NOT NULL,
            candidates TEXT NOT NULL,
            keys BLOB NOT NULL
        )""",
        """CREATE TABLE nodes (
            number INTEGER PRIMARY KEY,
            file INTEGER NOT NULL REFERENCES files DEFERRABLE INITIALLY DEFERRED,
            ordinal INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            name TEXT NOT NULL,
            qualified_name TEXT NOT NULL,
            occurrence INTEGER NOT NULL,
            parent INTEGER NOT NULL,
            start INTEGER NOT NULL,
            line INTEGER NOT NULL,
            end_line INTEGER NOT NULL,
            hash INTEGER NOT NULL,
            body_hash INTEGER NOT NULL,
            flags INTEGER NOT NULL
        )""",
        """CREATE TABLE edges (
            source INTEGER NOT NULL REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
            at INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            target INTEGER NOT NULL REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
            tier INTEGER NOT NULL,
            confidence INTEGER NOT NULL,
            type_only INTEGER NOT NULL,
            metadata TEXT NOT NULL,
            PRIMARY KEY (source, at, kind, target)
        ) WITHOUT ROWID""",
        # No foreign key: without an index by file, deleting a file would read the whole table.
        """CREATE TABLE lookups (
            key INTEGER NOT NULL,
            file INTEGER NOT NULL,
            PRIMARY KEY (key, file)
        ) WITHOUT ROWID""",
        # A higher rank is a later hash.
        """CREATE TABLE old_hashes (
            node INTEGER NOT NULL REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
            rank INTEGER NOT NULL,
            hash INTEGER NOT NULL,
            PRIMARY KEY (node, rank)
        ) WITHOUT ROWID""",
        "CREATE TABLE notes (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        # Keeps its text: a contentless table that is told a wrong old text keeps stale hits.
        """CREATE VIRTUAL TABLE words USING fts5(
            text, tokenize = "unicode61 remove_diacritics 2 tokenchars '_$'"
        )""",
    ),
    indexes=(
        "CREATE UNIQUE INDEX files_by_path ON files (root, path)",
        "CREATE INDEX nodes_by_file ON nodes (file)",
        "CREATE INDEX nodes_by_name ON nodes (name)",
        # One index is both the key by which nodes keep their numbers and the look-up by name.
        "CREATE UNIQUE INDEX nodes_by_key ON nodes (qualified_name, file, occurrence)",
        "CREATE INDEX nodes_by_hash ON nodes (hash)",
        "CREATE INDEX edges_by_target ON edges (target, kind, source)",
        "CREATE INDEX old_hashes_by_hash ON old_hashes (hash)",
    ),
)

_FLOWS = Migration(
    tables=(
        """CREATE TABLE flows (
            slot INTEGER NOT NULL,
            file INTEGER NOT NULL,
            things BLOB NOT NULL,
            PRIMARY KEY (slot, file)
        ) WITHOUT ROWID""",
        # Repeats the slots of the file's rows of `flows`, as `keys` does for `lookups`.
        "ALTER TABLE links ADD COLUMN slots BLOB NOT NULL DEFAULT x''",
        # Keys were packed in another way; all files are linked again, since their facts are outdated too.
        "DELETE FROM lookups",
        "UPDATE links SET keys = x''",
    ),
)

_RESOLUTION_CACHE = Migration(
    tables=(
        # What a helper such as ty said of a file with this content; `answers` as `model/answers.py` encodes them.
        """CREATE TABLE resolution_cache (
            file INTEGER NOT NULL REFERENCES files DEFERRABLE INITIALLY DEFERRED,
            resolution_tier INTEGER NOT NULL,
            content BLOB NOT NULL,
            answers BLOB NOT NULL,
            disagreements INTEGER NOT NULL,
            PRIMARY KEY (file, resolution_tier)
        ) WITHOUT ROWID""",
    ),
)

_ATTRIBUTES = Migration(
    tables=(
        "ALTER TABLE files ADD COLUMN service TEXT NOT NULL DEFAULT ''",
        # What only some nodes have, such as the method and path of a route.
        """CREATE TABLE attributes (
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            node INTEGER NOT NULL REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
            PRIMARY KEY (name, value, node)
        ) WITHOUT ROWID""",
        """CREATE TABLE open_calls (
            name TEXT NOT NULL,
            file INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (name, file)
        ) WITHOUT ROWID""",
        # They were not counted before: everything is read and linked again.
        "DELETE FROM notes WHERE name = 'versions'",
    ),
    indexes=(
        "CREATE INDEX open_calls_by_file ON open_calls (file)",
        "CREATE INDEX attributes_by_node ON attributes (node)",
        # Modules and classes are looked up among everything that has their name.
        "DROP INDEX nodes_by_name",
        "CREATE INDEX nodes_by_name ON nodes (name, kind)",
    ),
)

_SEARCH = Migration(
    tables=(
        "DROP TABLE words",
        # Without text of its own, which `texts` has at a fifth of the size. FTS5 must be told the old words of a row
        # that goes, word for word, or it keeps stale hits: that is what `texts` is for.
        """CREATE VIRTUAL TABLE words USING fts5(
            name, about, content = '', tokenize = "unicode61 remove_diacritics 2 tokenchars '_$'"
        )""",
        "CREATE VIRTUAL TABLE terms USING fts5vocab(words, row)",
        # What `words` was told of the nodes of a file, as `texts.py` encodes it.
        """CREATE TABLE texts (
            file INTEGER PRIMARY KEY REFERENCES files DEFERRABLE INITIALLY DEFERRED,
            words BLOB NOT NULL
        )""",
        # Made for the node as it is: a row goes with its node, and when the hash of its node changes.
        """CREATE TABLE vectors (
            node INTEGER PRIMARY KEY REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
            vector BLOB NOT NULL
        )""",
        # An older graph has no such words: its files are read again.
        "DELETE FROM notes WHERE name = 'versions'",
    ),
)

_PROFILES = Migration(
    tables=(
        # What a file adds to the profile of its module, as `model/profiles.py` encodes it.
        """CREATE TABLE profiles (
            file INTEGER PRIMARY KEY REFERENCES files DEFERRABLE INITIALLY DEFERRED,
            profile BLOB NOT NULL
        )""",
        # The facts of an older graph are made again, and their profiles with them.
        "DELETE FROM notes WHERE name = 'versions'",
    ),
)

_VOCABULARY = Migration(
    tables=(
        # FTS5 has a table of its words too, but one that counts the nodes of each whenever it is read: of the words
        # that begin with two letters, some are in a third of all nodes.
        "DROP TABLE IF EXISTS terms",
        "CREATE TABLE vocabulary (word TEXT PRIMARY KEY, nodes INTEGER NOT NULL) WITHOUT ROWID",
        # Words were not counted before, nor those of bodies read: all files are read again.
        "INSERT INTO words (words) VALUES ('delete-all')",
        "DELETE FROM texts",
        "DELETE FROM notes WHERE name = 'versions'",
    ),
)

_MADE_FROM_FACTS = (
    *("facts", "links", "edges", "lookups", "flows", "resolution_cache", "attributes", "open_calls", "texts"),
    *("vectors", "profiles", "vocabulary", "old_hashes", "nodes", "files", "notes"),
)
_TWO_HALVES = Migration(
    tables=(
        # Facts have a common and a private half now, and those of an older graph cannot be decoded: it is emptied, and
        # filled again by the next look at the files.
        *(f"DELETE FROM {table}" for table in _MADE_FROM_FACTS),
        "INSERT INTO words (words) VALUES ('delete-all')",
    ),
)

MIGRATIONS: tuple[Migration, ...] = (
    *(_FIRST, _FLOWS, _RESOLUTION_CACHE, _ATTRIBUTES, _SEARCH, _PROFILES, _VOCABULARY, _TWO_HALVES),
)

NO_FTS5 = ("no such module: fts5", "no such table: words")
"""What SQLite says to the statements above where it was built without full-text search: everything else works."""


def known() -> int:
    """The schema this keel writes."""
    return len(MIGRATIONS)


def version(connection: sqlite3.Connection) -> int:
    """The schema of a database; 0 when it holds no graph."""
    [number] = connection.execute("PRAGMA user_version").fetchone()
    return int(number)


def stamp(connection: sqlite3.Connection) -> None:
    """Marks the database as a graph of this schema; the last statement of a build."""
    connection.execute(f"PRAGMA user_version = {known()}")


def create_tables(connection: sqlite3.Connection) -> None:
    """The tables of a new graph, without their indexes."""
    for migration in MIGRATIONS:
        for statement in migration.tables:
            _execute(connection, statement)


def create_indexes(connection: sqlite3.Connection) -> None:
    """The indexes of a new graph, once its rows are in; one that a later migration drops is not made first."""
    wanted: dict[str, str] = {}
    for statement in (statement for migration in MIGRATIONS for statement in migration.indexes):
        name = statement.partition(" ON ")[0].rpartition(" ")[2]
        if statement.startswith("DROP INDEX"):
            del wanted[name]
        else:
            wanted[name] = statement
    for statement in wanted.values():
        connection.execute(statement)


def drop_everything(connection: sqlite3.Connection) -> None:
    """Drops indexes and tables, the last made first: those that refer before those referred to."""
    for kind, name in connection.execute(
        "SELECT m.type, m.name FROM sqlite_master m LEFT JOIN pragma_table_list l USING (name)"
        " WHERE m.sql IS NOT NULL AND ifnull(l.type, '') <> 'shadow'"
        " ORDER BY m.type = 'table', m.rowid DESC"
    ).fetchall():
        connection.execute(f'DROP {kind} "{name}"')


def apply_since(connection: sqlite3.Connection, found: int) -> None:
    """Brings an older graph up to date, within the caller's transaction."""
    for migration in MIGRATIONS[found:]:
        for statement in (*migration.tables, *migration.indexes):
            _execute(connection, statement)
    connection.execute("DELETE FROM notes WHERE name = 'seal'")  # it is another graph now
    stamp(connection)


def _execute(connection: sqlite3.Connection, statement: str) -> None:
    from sqlite3 import OperationalError  # a caller with a connection has it loaded

    try:
        connection.execute(statement)
    except OperationalError as error:
        if not str(error).startswith(NO_FTS5):
            raise
