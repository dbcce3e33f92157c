"""A graph that is damaged, newer, locked or another user's: it is told how to get out, and that way works."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import finished, ok, refused, start, stored
from tests.workspaces import MakeWorkspace

FILES = {f"m{n}.py": f"import m{n + 1}\n\ndef f{n}():\n    return m{n + 1}.f{n + 1}()\n" * 5 for n in range(30)}
COMMANDS = (("status",), ("where", "f3"), ("stats",), ("export",), ("sync",), ("map",))


@pytest.fixture
def folder(workspace: MakeWorkspace) -> Path:
    made = workspace(FILES, "project")
    ok(made, "map")
    return made


@pytest.fixture
def graph(folder: Path) -> Path:
    return folder / ".keel/graph.db"


def _text(data: bytes) -> bytes:
    return b"no database at all\n" * 100


def _half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _no_header(data: bytes) -> bytes:
    return bytes(100) + data[100:]


def _zeros(data: bytes) -> bytes:
    return bytes(len(data))


@pytest.mark.parametrize("damage", [_text, _half, _no_header, _zeros])
def test_damage_is_told_with_the_way_out(folder: Path, graph: Path, damage: object) -> None:
    assert callable(damage)
    before = stored(folder)
    damaged = damage(graph.read_bytes())
    graph.write_bytes(damaged)
    for words in COMMANDS:
        said = refused(folder, *words)
        assert said.startswith(f"{graph} is damaged (")
        assert said.endswith("run `keel map --fresh` to rebuild it from source")
    assert graph.read_bytes() == damaged
    ok(folder, "map", "--fresh")
    assert stored(folder) == before


@pytest.mark.parametrize("seed", range(8))
def test_scattered_damage_is_never_a_fault_of_keel(folder: Path, graph: Path, seed: int) -> None:
    """Which of the commands meet it depends on where it is; none may take it for a mistake of its own."""
    before = stored(folder)
    chance = random.Random(seed)
    data = bytearray(graph.read_bytes())
    for _ in range(60):
        data[chance.randrange(100, len(data))] = chance.randrange(256)
    graph.write_bytes(data)
    (folder / "m3.py").write_text(FILES["m3.py"] + "# \n", encoding="utf-8")
    for words in (("export",), ("describe", "m5.py"), ("sync",)):
        code, _, complaint = finished(start(folder, *words))
        assert (code == 0) == (complaint == "")
        assert code == 0 or "keel map --fresh" in complaint or "no symbol is called" in complaint
    (folder / "m3.py").write_text(FILES["m3.py"], encoding="utf-8")
    ok(folder, "map", "--fresh")
    assert stored(folder) == before


def test_a_newer_graph_is_left_alone(folder: Path, graph: Path) -> None:
    with closing(sqlite3.connect(graph)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for words in COMMANDS:
        assert "has schema 99, this keel knows up to" in refused(folder, *words)
    ok(folder, "map", "--fresh")
    ok(folder, "where", "f3#1")


def test_the_database_of_something_else_is_left_alone(folder: Path, graph: Path) -> None:
    graph.unlink()
    with closing(sqlite3.connect(graph)) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    for words in (("map",), ("sync",)):
        assert "it is a database of another program" in refused(folder, *words)


def test_a_locked_graph_can_be_read_and_is_waited_for(folder: Path, graph: Path) -> None:
    (folder / "m3.py").write_text("def late(): ...\n", encoding="utf-8")
    with closing(sqlite3.connect(graph, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert ok(folder, "status").startswith("stale: ")
        waiting = start(folder, "sync")
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(timeout=1)
        writer.execute("ROLLBACK")
    code, said, complaint = finished(waiting)
    assert (code, complaint) == (0, "")
    assert said.startswith("updated: 30 files, 0 added, 1 changed")


def test_a_lock_that_stays_is_told(folder: Path, graph: Path) -> None:
    (folder / "m3.py").write_text("def late(): ...\n", encoding="utf-8")
    impatient = (
        "import sys; from keel.stores.sqlite import store; store.SqliteStore.__init__.__defaults__ = (0.3, False)\n"
        "from keel.surfaces.cli import main; sys.exit(main(['sync']))"
    )
    with closing(sqlite3.connect(graph, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        done = subprocess.run([sys.executable, "-c", impatient], cwd=folder, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"keel: {graph} is being written by another keel (database is locked); try again\n"


def test_two_fresh_maps_of_a_damaged_graph_both_succeed(folder: Path, graph: Path) -> None:
    before = stored(folder)
    for _ in range(3):
        graph.write_bytes(b"no database at all\n" * 100)
        for one in [start(folder, "map", "--fresh") for _ in range(3)]:
            code, said, complaint = finished(one)
            assert (code, complaint) == (0, "")
            assert said.startswith("mapped 30 files")
        assert stored(folder) == before


@pytest.mark.parametrize("data", [b"garbage" * 1000, b""])
def test_a_damaged_facts_cache_costs_nothing(folder: Path, data: bytes) -> None:
    (folder / "m3.py").write_text("def other(): ...\n", encoding="utf-8")
    ok(folder, "sync")
    cache = folder / ".keel/facts.db"
    assert cache.is_file()
    cache.write_bytes(data)
    (folder / "m3.py").write_text(FILES["m3.py"], encoding="utf-8")
    ok(folder, "sync")
    ok(folder, "where", "f3#1")
