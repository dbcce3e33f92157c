"""What befalls a graph in a file: kills, other processes, damage, other schemas, full disks.

What it shares with every other store is in `tests/contract/test_store.py`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Timer

import pytest

from keel.errors import GraphMissing, StoreDamaged, StoreError, StoreFull, StoreNewer
from keel.ports.store import GraphReader
from keel.stores.sqlite import schema
from keel.stores.sqlite.schema import Migration
from keel.stores.sqlite.store import SqliteStore
from tests.graphs import a_file, all_edges, an_edge, fill, fill_much, names, some_links
from tests.repository import TOP

posix = pytest.mark.skipif(os.name != "posix", reason="limits and users of POSIX")

# What a second process does before its own lines.
PRELUDE = """
import os, sys
from keel.errors import KeelError
from keel.stores.sqlite.store import SqliteStore
import keel.stores.sqlite.write
from tests.graphs import a_file, fill, fill_much
path, *words = sys.argv[1:]
store = SqliteStore(path, wait_seconds=0.2)
def say(text):
    print(text, flush=True)
def tell(work):
    try:
        say(work())
    except KeelError as error:
        say(type(error).__name__)
def read():
    with store.reading() as graph:
        return len(graph.files())
def write():
    with store.writing() as graph:
        graph.put([a_file(50, "other")])
        return "written"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.db"


@pytest.fixture
def store(path: Path) -> SqliteStore:
    return SqliteStore(path, wait_seconds=30)


@pytest.fixture
def filled(store: SqliteStore) -> SqliteStore:
    with store.writing() as graph:
        fill(graph)
    return store


@contextmanager
def process(lines: str, *words: object) -> Iterator[subprocess.Popen[str]]:
    """A second process that runs these lines; it is gone at the end of the block."""
    running = subprocess.Popen(
        [sys.executable, "-c", PRELUDE + lines, *map(str, words)],
        cwd=TOP,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with running:
        try:
            yield running
        finally:
            running.kill()


def said(running: subprocess.Popen[str]) -> str:
    assert running.stdout
    return running.stdout.readline().strip()


def answer(lines: str, *words: object) -> str:
    with process(lines, *words) as running:
        return said(running)


def content(graph: GraphReader) -> object:
    return [node_id for node_id, _ in graph.all_nodes()], all_edges(graph), graph.dependents({11, 12, 13})


def raw(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def value(path: Path, sql: str) -> object:
    with raw(path) as connection:
        [found] = connection.execute(sql).fetchone()
        return found


def assert_sound(path: Path) -> None:
    """SQLite's own checks find nothing, those of foreign keys and of the word index included."""
    with raw(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")


# The file


def test_the_file_is_as_agreed(filled: SqliteStore, path: Path) -> None:
    assert value(path, "PRAGMA page_size") == 8192
    assert value(path, "PRAGMA journal_mode") == "wal"
    assert value(path, "PRAGMA user_version") == schema.known()
    assert_sound(path)


def test_nothing_lies_beside_the_file_when_all_is_done(filled: SqliteStore, path: Path) -> None:
    with filled.reading() as graph:
        graph.files()
    assert [one.name for one in path.parent.iterdir()] == ["graph.db"]


def test_later_writes_leave_it_sound(filled: SqliteStore, path: Path) -> None:
    with filled.writing() as graph:
        graph.put([a_file(1, "b", "new", hashes={"b": 4}), a_file(3, "d", "e")])
        graph.link([some_links(3, an_edge(1, 1, 2), keys={5}), some_links(1, an_edge(1, 3, 2), keys={11})])
    with filled.writing() as graph:
        graph.remove([2])
        graph.put([a_file(3, "e", "f")])
    assert_sound(path)
    assert value(path, "SELECT count(*) FROM lookups") == 2
    assert value(path, "SELECT count(*) FROM words") == value(path, "SELECT count(*) FROM nodes") == 6


def test_a_rebuilt_graph_has_the_same_schema(filled: SqliteStore, path: Path) -> None:
    def described() -> object:
        with raw(path) as connection:
            return sorted(connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))

    before = described()
    with filled.writing() as graph:
        graph.clear()
        fill(graph)
    assert described() == before
    assert_sound(path)


def test_an_edge_into_nowhere_is_not_committed(filled: SqliteStore) -> None:
    with filled.reading() as graph:
        before = content(graph)
    with pytest.raises(sqlite3.IntegrityError), filled.writing() as graph:
        graph._connection.execute("UPDATE edges SET target = 999 WHERE target = (SELECT max(target) FROM edges)")
    with filled.reading() as graph:
        assert content(graph) == before


@pytest.mark.parametrize("name", ["a b.db", "what?mode=ro", "x#y", "50%25", "größe.db", "it's"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    store = SqliteStore(tmp_path / "new folder" / name)
    assert not store.exists()
    with store.writing() as graph:
        fill(graph)
    with store.reading() as graph:
        assert names(graph, 1) == ["a", "b"]
    assert [one.name for one in (tmp_path / "new folder").iterdir()] == [name]


def test_a_relative_path_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = SqliteStore("graph.db")
    with store.writing() as graph:
        fill(graph)
    assert store.exists()


def test_a_question_does_not_load_what_only_writing_needs() -> None:
    lines = "import sys, keel.stores.sqlite.store\nprint(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {[str(TOP / 'src')]!r}\n{lines}"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.split()
    heavy = {"msgspec", "xxhash", "pathlib", "json", "struct", "keel.ports.store", "keel.stores.sqlite.write"}
    assert heavy.isdisjoint(loaded)


# Kills


@pytest.mark.parametrize("work", ["fill(graph)", "fill_much(graph)", "fill_much(graph); graph.finish()"])
def test_a_first_load_that_is_killed_leaves_no_graph(store: SqliteStore, path: Path, work: str) -> None:
    with process(f"with store.writing() as graph:\n {work}\n say('ready')\n sys.stdin.read()", path) as running:
        assert said(running) == "ready"
    assert not store.exists()
    with pytest.raises(GraphMissing), store.reading():
        pass
    with store.writing() as graph:
        assert graph.empty
        fill(graph)
    with store.reading() as graph:
        assert len(graph.files()) == 2
    assert_sound(path)


@pytest.mark.parametrize("first", ["pass", "graph.clear()", "graph.remove([1])"])
def test_a_later_write_that_is_killed_leaves_the_old_graph(filled: SqliteStore, path: Path, first: str) -> None:
    with filled.reading() as graph:
        before = content(graph)
    lines = (
        f"with store.writing() as graph:\n {first}; fill_much(graph); graph.finish()\n say('ready')\n sys.stdin.read()"
    )
    with process(lines, path) as running:
        assert said(running) == "ready"
        with filled.reading() as graph:
            assert content(graph) == before
    with filled.reading() as graph:
        assert content(graph) == before
    assert_sound(path)


def test_what_was_committed_survives_a_kill(filled: SqliteStore, path: Path) -> None:
    with process("write(); say('ready'); os.kill(os.getpid(), 9)", path) as running:
        assert said(running) == "ready"
    with filled.reading() as graph:
        assert names(graph, 50) == ["other"]


# Other processes


def test_a_first_load_hides_behind_its_lock(store: SqliteStore, path: Path) -> None:
    """Also from this process, whose look at the locked file must not open it to others."""
    with store.writing() as graph:
        fill_much(graph)
        assert path.stat().st_size > 0
        assert not store.exists()
        assert answer("tell(read)", path) == "GraphMissing"
        assert answer("tell(write)", path) == "StoreBusy"
        assert not store.exists()
        assert answer("tell(write)", path) == "StoreBusy"
    assert answer("tell(read)", path) == "300"
    assert_sound(path)


def test_readers_pass_a_writer(filled: SqliteStore, path: Path) -> None:
    with filled.writing() as graph:
        fill_much(graph)
        assert answer("tell(read)", path) == "2"
    assert answer("tell(read)", path) == "302"


def test_a_writer_passes_readers(filled: SqliteStore, path: Path) -> None:
    with filled.reading() as graph:
        assert answer("tell(write)", path) == "written"
        assert len(graph.files()) == 2
        with filled.writing() as writer:
            writer.remove([1])
        assert len(graph.files()) == 2
    assert answer("tell(read)", path) == "2"


@pytest.mark.parametrize("first", [True, False])
def test_writers_queue(store: SqliteStore, path: Path, first: bool) -> None:
    if not first:
        with store.writing() as graph:
            fill(graph)
    lines = "with store.writing() as graph:\n graph.put([a_file(60, 'theirs')])\n say('ready')\n sys.stdin.readline()"
    with process(f"{lines}\nsay('done')", path) as running:
        assert said(running) == "ready"
        assert running.stdin
        release = Timer(0.3, lambda: print(file=running.stdin, flush=True))
        release.start()
        with store.writing() as graph:
            assert not graph.empty
            assert names(graph, 60) == ["theirs"]
            graph.put([a_file(70, "ours")])
        assert said(running) == "done"
        release.join()
    with store.reading() as graph:
        assert {60, 70} <= {row.id for row in graph.files()}
    assert_sound(path)


def test_many_writers_lose_nothing(store: SqliteStore, path: Path) -> None:
    lines = """
store = SqliteStore(path, wait_seconds=60)
for n in range(10):
    with store.writing() as graph:
        graph.put([a_file(int(words[0]) * 100 + n, "f")])
"""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", PRELUDE + lines, str(path), str(n)],
            cwd=TOP,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for n in range(1, 4)
    ]
    assert [worker.wait() for worker in workers] == [0, 0, 0]
    with store.reading() as graph:
        assert len(graph.files()) == 30
    assert_sound(path)


def test_a_graph_that_missed_its_turn_to_wal_is_turned_by_the_next_writer(filled: SqliteStore, path: Path) -> None:
    assert value(path, "PRAGMA journal_mode = DELETE") == "delete"
    with filled.reading() as graph:
        assert len(graph.files()) == 2
    with filled.writing():
        pass
    assert value(path, "PRAGMA journal_mode") == "wal"


# Damage


@pytest.mark.parametrize(
    "garbage", [b"xx", b"not a database " * 500, bytes(20000), b"SQLite format 3\0" + b"\7" * 9000]
)
def test_what_is_no_database_is_damaged(store: SqliteStore, path: Path, garbage: bytes) -> None:
    path.write_bytes(garbage)
    for use in (store.exists, lambda: store.reading().__enter__(), lambda: store.writing().__enter__()):
        with pytest.raises(StoreDamaged) as caught:
            use()
        assert caught.value.path == str(path)
    assert path.read_bytes() == garbage
    store.discard()
    with store.writing() as graph:
        fill(graph)
    assert store.exists()


@pytest.mark.parametrize("left", [0.5, 0.9])
def test_a_truncated_file_is_damaged(filled: SqliteStore, path: Path, left: float) -> None:
    os.truncate(path, int(path.stat().st_size * left))
    with pytest.raises(StoreDamaged):
        filled.exists()
    with pytest.raises(StoreDamaged), filled.writing():
        pass


def test_an_empty_file_is_no_graph_yet(store: SqliteStore, path: Path) -> None:
    path.touch()
    assert not store.exists()
    with store.writing() as graph:
        fill(graph)
    assert store.exists()


def test_damage_in_the_middle_is_told_where_it_is_met(store: SqliteStore, path: Path) -> None:
    with store.writing() as graph:
        fill_much(graph)
    with path.open("r+b") as file:
        for page in range(1, path.stat().st_size // 8192):
            file.seek(page * 8192)
            file.write(b"\xff" * 100)
    assert store.exists()
    with pytest.raises(StoreDamaged), store.reading() as graph:
        list(graph.all_nodes())
    with pytest.raises(StoreDamaged), store.writing() as graph:
        graph.put([a_file(100, "f0")])


def test_a_table_that_is_missing_is_damage(filled: SqliteStore, path: Path) -> None:
    with raw(path) as connection:
        connection.execute("DROP TABLE lookups")
    with pytest.raises(StoreDamaged), filled.reading() as graph:
        graph.dependents({1})


def test_the_database_of_something_else_is_left_alone(store: SqliteStore, path: Path) -> None:
    with raw(path) as connection:
        connection.execute("CREATE TABLE files (mine)")
    with pytest.raises(StoreDamaged), store.writing():
        pass
    assert value(path, "SELECT count(*) FROM sqlite_master") == 1


# Schemas


def test_a_newer_schema_is_refused(filled: SqliteStore, path: Path) -> None:
    with raw(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    for use in (filled.exists, lambda: filled.reading().__enter__(), lambda: filled.writing().__enter__()):
        with pytest.raises(StoreNewer) as caught:
            use()
        assert (caught.value.found, caught.value.known) == (99, schema.known())
    assert value(path, "PRAGMA user_version") == 99
    filled.discard()
    assert not filled.exists()


SECOND = Migration(
    tables=("CREATE TABLE extras (node INTEGER PRIMARY KEY REFERENCES nodes, text TEXT)",),
    indexes=("CREATE INDEX nodes_by_body ON nodes (body_hash)",),
)


def described(path: Path) -> list[tuple[str, str]]:
    with raw(path) as connection:
        return sorted(connection.execute("SELECT type, name FROM sqlite_master"))


@pytest.mark.parametrize("how", ["reading", "writing"])
def test_an_older_schema_is_migrated(
    filled: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    with filled.reading() as graph:
        before = content(graph)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, SECOND))
    with filled.reading() if how == "reading" else filled.writing() as graph:
        assert content(graph) == before
    assert value(path, "PRAGMA user_version") == schema.known()
    fresh = SqliteStore(path.with_name("fresh.db"))
    with fresh.writing() as graph:
        fill(graph)
    assert described(path.with_name("fresh.db")) == described(path)
    with filled.writing() as graph:
        graph.clear()
    assert described(path.with_name("fresh.db")) == described(path)
    monkeypatch.undo()
    with pytest.raises(StoreNewer):
        filled.exists()


def test_a_graph_whose_facts_have_another_form_is_emptied(path: Path) -> None:
    """Facts of the first schema cannot be decoded any more; what is put in from then on is kept."""
    with raw(path) as connection:
        for statement in (*schema.MIGRATIONS[0].tables, *schema.MIGRATIONS[0].indexes):
            connection.execute(statement)
        connection.execute("INSERT INTO files VALUES (1, 'app', 'm.py', 'python', 'm', x'00', 1, 2, 3, 0)")
        connection.execute("INSERT INTO facts VALUES (1, x'01', x'02')")
        connection.execute("INSERT INTO links VALUES (1, x'00', '{}', x'')")
        connection.execute("PRAGMA user_version = 1")
    store = SqliteStore(path)
    with store.writing() as graph:
        assert graph.files() == []
        assert (graph.interface(1), graph.references(1)) == (None, None)
        graph.put([a_file(1, "a")])
        graph.link([some_links(1, flows={5: b"one"})])
    with store.writing() as graph:
        assert graph.flows(5) == {1: b"one"}
    assert value(path, "PRAGMA user_version") == schema.known()
    assert_sound(path)


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("CREATE TABLE nodes (again)", sqlite3.OperationalError),
        ("UPDATE nodes SET file = 12345", StoreDamaged),
    ],
)
def test_a_migration_that_fails_did_not_happen(
    filled: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, error: type[Exception]
) -> None:
    failing = Migration(tables=(*SECOND.tables, statement))
    before = described(path)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, failing))
        with pytest.raises(error), filled.writing():
            pass
    assert described(path) == before
    with filled.reading() as graph:
        assert names(graph, 1) == ["a", "b"]


# Disks

LIMITED = """
import resource
def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    with store.writing() as graph:
        fill_much(graph)
    return "written"
tell(limited)
"""


@posix
def test_a_first_load_on_a_full_disk_leaves_no_graph(store: SqliteStore, path: Path) -> None:
    assert answer(LIMITED, path) == "StoreFull"
    assert not store.exists()
    with store.writing() as graph:
        fill(graph)
    assert_sound(path)


@posix
def test_a_later_write_on_a_full_disk_leaves_the_old_graph(filled: SqliteStore, path: Path) -> None:
    with filled.reading() as graph:
        before = content(graph)
    assert answer(LIMITED, path) == "StoreFull"
    with filled.reading() as graph:
        assert content(graph) == before
    assert_sound(path)


def test_a_database_that_may_not_grow_is_full(filled: SqliteStore, path: Path) -> None:
    def grow() -> None:
        with filled.writing() as graph:
            graph._connection.execute("PRAGMA max_page_count = 1")
            fill_much(graph)

    with pytest.raises(StoreFull) as caught:
        grow()
    assert "full" in caught.value.problem
    with filled.reading() as graph:
        assert len(graph.files()) == 2


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    store = SqliteStore(tmp_path / "taken" / "graph.db")
    assert not store.exists()
    with pytest.raises(StoreFull), store.writing():
        pass


def test_a_folder_in_the_place_of_the_file_is_told(store: SqliteStore, path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError):
        store.exists()
    with pytest.raises(StoreFull), store.writing():
        pass


@pytest.fixture
def locked_away() -> Iterator[Path]:
    """A folder that anybody can reach; pytest's own are closed to other users."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


@posix
def test_a_read_only_folder_can_be_read_but_not_written(locked_away: Path) -> None:
    path = locked_away / "graph.db"
    with SqliteStore(path).writing() as graph:
        fill(graph)
    path.chmod(0o444)
    locked_away.chmod(0o555)
    lines = "if os.geteuid() == 0: os.seteuid(65534)  # root may write anywhere\n"
    assert answer(f"{lines}tell(read)", path) == "2"
    assert answer(f"{lines}tell(write)", path) == "StoreFull"
