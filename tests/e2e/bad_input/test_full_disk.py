"""A disk that is full, at every step that writes: the graph is the old one, can still be read, and heals with space."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import fill_up, ok, refused, small_disk, stored
from tests.workspaces import write_files

FILES = {f"m{n}.py": f"import m{n + 1}\n" + f"def f(): return m{n + 1}.f()\n" * 20 for n in range(30)}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A project on a disk of its own, with room for its graph."""
    folder = tmp_path / "small"
    with small_disk(folder, "4m"):
        yield write_files(folder, FILES)


def test_a_first_map(disk: Path) -> None:
    filler = fill_up(disk)
    assert "No space left on device" in refused(disk, "map")
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - 100_000)  # room to begin with, but not for all of it
    assert refused(disk, "map").startswith(f"cannot write {disk}/.keel/graph.db: ")
    assert ok(disk, "status").startswith("missing: ")
    filler.unlink()
    assert ok(disk, "map").startswith("mapped 30 files")


@pytest.mark.parametrize("left", [0, 100_000])
def test_a_later_write(disk: Path, left: int) -> None:
    ok(disk, "map")
    before = stored(disk)
    write_files(disk, {name: text.replace("def f", "def g") for name, text in FILES.items()})
    filler = fill_up(disk)
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - left)
    for words in (("sync",), ("map",), ("map", "--fresh"), ("stats",)):
        said = refused(disk, *words)
        assert said.startswith(f"cannot write {disk}/.keel/graph.db: ")
        assert "full" in said
        assert said.endswith("the graph is as it was before")
    assert ok(disk, "status").startswith("stale: ")
    filler.unlink()
    assert stored(disk) == before
    assert ok(disk, "sync").startswith("updated: 30 files, 0 added, 30 changed")


def test_questions_need_no_space(disk: Path) -> None:
    ok(disk, "map")
    filler = fill_up(disk)
    for words in (("where", "m3.py"), ("status",), ("stats",), ("export",), ("sync",)):
        ok(disk, *words)
    filler.unlink()


def test_an_export_to_a_file(disk: Path, tmp_path: Path) -> None:
    ok(disk, "map")
    with small_disk(tmp_path / "tiny", "16k"):
        target = tmp_path / "tiny/graph.jsonl"
        assert refused(disk, "export", "--output", str(target)) == f"cannot write {target}: No space left on device"


def test_temporary_folders_are_not_needed(disk: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "temporary", "16k"):
        fill_up(tmp_path / "temporary")
        full = {"TMPDIR": str(tmp_path / "temporary"), "SQLITE_TMPDIR": str(tmp_path / "temporary")}
        ok(disk, "map", env=full)
        shutil.rmtree(disk / ".keel")
        ok(disk, "map", env=full)
        ok(disk, "export", env=full)
