"""What may not be read or written: what is stored about it is kept, it is named, and the rest goes on.

Root may read everything; `running` takes that right from the commands here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import answer_of, ok, refused, stored
from tests.workspaces import MakeWorkspace

FILES = {
    "a.py": "def f(): ...\n",
    "b.py": "from a import f\nf()\n",
    "pkg/c.py": "from a import f\n\ndef g(): f()\n",
    "pkg/d.py": "def h(): ...\n",
}


@pytest.fixture
def folder(workspace: MakeWorkspace) -> Iterator[Path]:
    """A mapped project in which a test may forbid what it likes."""
    made = workspace(FILES, "project")
    ok(made, "map")
    yield made
    for path in (made, *made.rglob("*")):
        path.chmod(0o755)


def test_a_file_that_cannot_be_read_keeps_its_facts(folder: Path) -> None:
    before = stored(folder)
    (folder / "a.py").write_text("def changed(): ...\n", encoding="utf-8")
    (folder / "a.py").chmod(0)
    for verb in ("sync", "sync", "map", "status"):
        assert answer_of(folder, verb, ordinary=True)["unreadable"][0].startswith("project/a.py")
    assert ok(folder, "where", "f", ordinary=True).startswith("a.py:1  function f")
    assert before.replace('"state": 0', "") == stored(folder).replace('"state": 0', "").replace('"state": 1', "")
    (folder / "a.py").chmod(0o644)
    synced = answer_of(folder, "sync", ordinary=True)
    assert (synced["changed"], synced["unreadable"]) == (1, [])


def test_a_new_file_that_cannot_be_read_is_told_by_every_command_that_looks(folder: Path) -> None:
    (folder / "new.py").write_text("def new(): ...\n", encoding="utf-8")
    (folder / "new.py").chmod(0)
    for verb in ("sync", "sync", "map", "sync", "status"):
        assert answer_of(folder, verb, ordinary=True)["unreadable"] == ["project/new.py"]
    (folder / "new.py").chmod(0o644)
    assert answer_of(folder, "sync", ordinary=True)["added"] == 1


def test_a_folder_that_cannot_be_opened_keeps_its_files(folder: Path) -> None:
    before = stored(folder)
    (folder / "pkg").chmod(0)
    for verb in ("map", "sync", "status", "sync"):
        assert answer_of(folder, verb, ordinary=True)["unreadable"] == ["project/pkg/"]
    ok(folder, "where", "h", ordinary=True)
    (folder / "pkg").chmod(0o755)
    assert answer_of(folder, "map", ordinary=True)["unreadable"] == []
    assert stored(folder) == before


def test_a_root_that_cannot_be_opened_is_an_error(folder: Path) -> None:
    before = stored(folder)
    inner = folder / "pkg"
    config = f'[workspace.roots]\nproject = "{inner}"\n'
    outer = folder.parent / "outer"
    (outer / ".keel").mkdir(parents=True)
    (outer / ".keel/config.toml").write_text(config, encoding="utf-8")
    inner.chmod(0)
    assert refused(outer, "map", ordinary=True) == f"cannot list {inner}: Permission denied"
    assert stored(folder) == before


READS = (("stats",), ("export",), ("sync",), ("status",), ("where", "f"), ("describe", "g"))


@pytest.mark.parametrize("age", ["right after the map", "later"])
def test_a_read_only_project_is_read(folder: Path, age: str) -> None:
    """Right after a map, the times of files leave doubt whether they changed, and nothing can be noted about it."""
    if age == "later":
        ok(folder, "sync")
    before = stored(folder)
    _make_read_only(folder)
    for words in READS:
        assert ok(folder, *words, ordinary=True)
    assert stored(folder) == before


def test_a_read_only_project_that_changed_is_told(folder: Path) -> None:
    (folder / "a.py").write_text("def other(): ...\n", encoding="utf-8")
    _make_read_only(folder)
    for words in (("stats",), ("sync",), ("where", "f"), ("map",), ("map", "--fresh")):
        said = refused(folder, *words, ordinary=True)
        assert said.startswith(f"cannot write {folder}/.keel/graph.db: ")
        assert said.endswith("the graph is as it was before")
    assert answer_of(folder, "status", ordinary=True)["changed"] == ["project/a.py"]


def test_a_read_only_project_without_a_graph_cannot_get_one(workspace: MakeWorkspace) -> None:
    made = workspace(FILES, "unmapped")
    made.chmod(0o555)
    for words in (("map",), ("sync",)):
        assert refused(made, *words, ordinary=True) == f"cannot make {made}/.keel: Permission denied"
    assert ok(made, "status", ordinary=True).startswith("missing: ")
    made.chmod(0o755)


def _make_read_only(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
