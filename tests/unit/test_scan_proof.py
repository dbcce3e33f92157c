"""Scanning in bad circumstances: nothing is taken for gone without proof."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from keel.errors import RootMissing, ScanError
from keel.indexing.scan import listing
from keel.indexing.scan.scan_result import ScannedFile
from tests.scanning import Memory, age, git, repository, settled, write


def paths(found: list[ScannedFile]) -> list[str]:
    return sorted(file.path for file in found)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with an ignored folder."""
    folder = repository(tmp_path / "tree", "a.py", "pkg/b.py", "pkg/c.py")
    write(folder, ".gitignore", text="out/\n")
    write(folder, "out/x.py")
    return folder


class Barred:
    """Files and folders that cannot be opened, as for a user who is not allowed to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paths: set[str] = set()
        access, scandir, lstat = os.access, os.scandir, os.lstat

        def allowed(path: str) -> str:
            if path in self.paths:
                raise PermissionError(13, "Permission denied", path)
            return path

        monkeypatch.setattr(os, "access", lambda path, mode: path not in self.paths and access(path, mode))
        monkeypatch.setattr(os, "scandir", lambda path: scandir(allowed(path)))
        monkeypatch.setattr(os, "lstat", lambda path: (allowed(os.path.dirname(path)), lstat(path))[1])


def test_a_folder_that_cannot_be_opened_keeps_its_files(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    barred = Barred(monkeypatch)
    write(tree, "pkg/untracked.py")
    memory = settled(tree)
    known = memory.paths()
    barred.paths.add(str(tree / "pkg"))
    write(tree, "new.py")
    again = memory.scan()
    assert (again.listed, paths(again.added), again.missing) == (True, ["new.py"], [])
    assert again.unreadable == [("r", "pkg/")]
    assert again.skipped["unreadable"] == {"": 1}
    assert memory.paths() == sorted([*known, "new.py"])
    age(tree)
    memory.scan()
    assert memory.scan().unreadable == [("r", "pkg/")], "a quiet look tells it as well"
    barred.paths.clear()
    write(tree, "pkg/b.py", text="changed = True\n")
    freed = memory.scan()
    assert (freed.listed, freed.missing, freed.unreadable) == (True, [], [])
    assert "pkg/b.py" in paths(freed.suspects)


def test_a_new_file_that_cannot_be_opened_is_added_once_it_can(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    barred = Barred(monkeypatch)
    secret = tree / "secret.py"
    write(tree, "secret.py")
    secret.chmod(stat.S_IWUSR)
    barred.paths.add(str(secret))
    memory = settled(tree)
    assert "secret.py" not in memory.paths()
    assert not memory.scan().listed
    barred.paths.clear()
    assert paths(memory.scan().added) == ["secret.py"]


def test_a_known_file_that_cannot_be_opened_any_more_is_kept(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    barred = Barred(monkeypatch)
    memory = settled(tree)
    write(tree, "a.py", text="changed = True\n")
    (tree / "a.py").chmod(stat.S_IWUSR)
    barred.paths.add(str(tree / "a.py"))
    again = memory.scan()
    assert (again.suspects, again.missing, again.unreadable) == ([], [], [("r", "a.py")])
    write(tree, "new.py")
    again = memory.scan()
    assert (again.listed, again.missing, again.unreadable) == (True, [], [("r", "a.py")])
    assert "a.py" in memory.paths()


def test_a_root_that_holds_nothing_any_more_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, "one/a.py", "two/b.py")
    memory = Memory({"one": tmp_path / "one", "two": tmp_path / "two"})
    memory.scan()
    (tmp_path / "two" / "b.py").unlink()
    with pytest.raises(ScanError, match="root 'two'"):
        memory.scan()
    write(tmp_path, "two/readme")
    assert [row.path for row in memory.scan().missing] == ["b.py"]


def test_a_root_that_is_gone_is_an_error_and_takes_nothing_away(tree: Path) -> None:
    memory = settled(tree)
    tree.rename(tree.with_name("away"))
    with pytest.raises(RootMissing):
        memory.scan()
    tree.with_name("away").rename(tree)
    again = memory.scan()
    assert (again.added, again.missing) == ([], [])


REFUSALS = ["another owner", "failing", "not installed"]


@pytest.fixture(params=REFUSALS)
def refuse(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes git refuse from now on, in each way it can."""

    def now() -> None:
        if request.param == "another owner":
            monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
            return
        folder = tmp_path / "bin"
        folder.mkdir()
        monkeypatch.setenv("PATH", str(folder))
        if request.param == "failing":
            write(folder, "git", text="#!/bin/sh\necho fatal: no >&2\nexit 128\n")
            (folder / "git").chmod(0o755)

    return now


def test_a_git_that_refuses_takes_nothing_away(tree: Path, refuse: Callable[[], None]) -> None:
    write(tree, ".git/info/exclude", text="private.py\n")
    git(tree, "add", "--force", "out/x.py")
    memory = settled(tree)
    assert memory.paths() == ["a.py", "out/x.py", "pkg/b.py", "pkg/c.py"]
    refuse()
    (tree / "pkg" / "c.py").unlink()
    write(tree, "new.py", "private.py", "out/y.py")
    again = memory.scan()
    assert len(again.warnings) == 1
    assert "git does not list it" in again.warnings[0]
    assert [row.path for row in again.missing] == ["pkg/c.py"]
    assert paths(again.added) == ["new.py"]
    assert memory.paths() == ["a.py", "new.py", "out/x.py", "pkg/b.py"]


def test_a_first_scan_without_git_reads_the_ignore_files(tree: Path, refuse: Callable[[], None]) -> None:
    write(tree, "pkg/.gitignore", text="c.py\n")
    refuse()
    memory = Memory(tree / "pkg")
    memory.scan()
    assert memory.paths() == ["b.py"]


def test_a_listing_that_fails_leaves_everything_as_it_was(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = settled(tree)

    def fail(*_: object) -> None:
        raise OSError("the disk is on fire")

    monkeypatch.setattr(listing, "list_files", fail)
    assert not memory.scan().listed
    write(tree, "new.py")
    with pytest.raises(OSError, match="fire"):
        memory.scan()
