"""Files and folders that come, go and change while they are read, and roots that are not there."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import answer_of, ok, refused, stored
from tests.workspaces import MakeWorkspace, write_files

FILES = {f"p{n % 5}/m{n}.py": f"def f{n}(): ...\n" * 30 for n in range(100)}


@contextmanager
def meanwhile(act: Callable[[int], None]) -> Iterator[None]:
    """Does something over and over while the block runs."""
    over = threading.Event()

    def again() -> None:
        turn = 0
        while not over.is_set():
            act(turn)
            turn += 1

    thread = threading.Thread(target=again)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _rewrite(folder: Path, turn: int) -> None:
    """In place, so that a reader can see a half of it."""
    path = folder / f"p1/m{turn % 20 * 5 + 1}.py"
    path.write_text(f"def g{turn}(): ...\n" * (turn % 50), encoding="utf-8")


def _come_and_go(folder: Path, turn: int) -> None:
    if turn % 2:
        shutil.rmtree(folder / "p2", ignore_errors=True)
    else:
        write_files(folder, {name: text for name, text in FILES.items() if name.startswith("p2/")})


def _become_a_pipe(folder: Path, turn: int) -> None:
    path = folder / "p3/m3.py"
    path.unlink(missing_ok=True)
    if turn % 2:
        os.mkfifo(path)
    else:
        path.write_text("def plain(): ...\n", encoding="utf-8")


@pytest.mark.parametrize("act", [_rewrite, _come_and_go, _become_a_pipe])
def test_what_moves_is_right_once_it_is_at_rest(workspace: MakeWorkspace, act: Callable[[Path, int], None]) -> None:
    folder = workspace(FILES, "project")
    with meanwhile(lambda turn: act(folder, turn)):
        for words in (("map",), ("sync",), ("sync",), ("map",)):
            ok(folder, *words)
    ok(folder, "sync")
    synced = stored(folder)
    ok(folder, "map", "--fresh")
    assert stored(folder) == synced


@pytest.fixture
def two_roots(workspace: MakeWorkspace) -> tuple[Path, Path]:
    """A mapped workspace, and the second of its roots."""
    config = '[workspace.roots]\nmain = "."\nother = "../other"\n'
    folder = workspace({"a.py": "def f(): ...\n", ".keel/config.toml": config}, "project")
    other = workspace({"x.py": "def x(): ...\n"}, "other")
    ok(folder, "map")
    return folder, other


def test_a_missing_root_is_an_error_and_no_deletion(two_roots: tuple[Path, Path]) -> None:
    folder, other = two_roots
    before = stored(folder)
    shutil.rmtree(other)
    for words in (("sync",), ("status",), ("stats",), ("where", "x"), ("map",), ("map", "--fresh")):
        assert refused(folder, *words).startswith(f"root 'other' is missing: there is no folder {other} (")
    other.write_text("a file now\n", encoding="utf-8")
    assert refused(folder, "sync").startswith("root 'other' is missing")
    other.unlink()
    assert stored(folder) == before
    write_files(other, {"x.py": "def x(): ...\n"})
    assert ok(folder, "sync").startswith("up to date: 2 files")


def test_a_root_that_holds_nothing_any_more_is_an_error(two_roots: tuple[Path, Path]) -> None:
    folder, other = two_roots
    before = stored(folder)
    (other / "x.py").unlink()
    for verb in ("sync", "status", "map"):
        assert "the folder is empty, but files of root 'other' are known" in refused(folder, verb)
    assert stored(folder) == before
    assert answer_of(folder, "map", "--fresh")["files"] == 1


def test_a_root_inside_another_is_refused(two_roots: tuple[Path, Path]) -> None:
    folder, _ = two_roots
    (folder / "inner").mkdir()
    config = folder / ".keel/config.toml"
    config.write_text('[workspace.roots]\nmain = "."\ninner = "inner"\n', encoding="utf-8")
    assert refused(folder, "map") == f"{config}:3: workspace.roots.inner: lies inside root 'main'"
