"""Watching: what was written before the question is in the answer, unless that is to look at everything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from keel.indexing.watch import inotify as watching
from keel.indexing.watch.inotify import Watch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is watched")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two folders, one in the other, and a file that decides which files count."""
    (tmp_path / "tree" / "inner").mkdir(parents=True)
    (tmp_path / "tree" / "a.py").write_text("a = 1\n")
    (tmp_path / "tree" / ".gitignore").write_text("out/\n")
    return tmp_path / "tree"


@pytest.fixture
def watch(tree: Path) -> Iterator[Watch]:
    """A watch over the tree, to which nothing has happened yet."""
    found = Watch([str(tree)])
    if found.problem:
        pytest.skip(found.problem)
    found.follow(*followed(tree))
    assert found.changed() is None  # the beginning: look at everything
    assert found.changed() == set()
    yield found
    found.close()


def followed(tree: Path) -> tuple[list[str], list[str]]:
    """The folders that are there, and the file that decides."""
    return [path for path, _, _ in os.walk(tree)], [str(tree / ".gitignore")]


def relative(tree: Path, touched: set[str] | None) -> set[str] | None:
    return touched if touched is None else {os.path.relpath(path, tree) for path in touched}


def test_a_write_of_another_process_that_is_over_is_seen_at_once(tree: Path, watch: Watch) -> None:
    for text in ("a = 2", "a = 3", "a = 4"):
        subprocess.run(["sh", "-c", f"echo '{text}' > a.py"], cwd=tree, check=True)
        assert relative(tree, watch.changed()) == {"a.py"}
        assert watch.changed() == set()


@pytest.mark.parametrize(
    ("command", "touched"),
    [
        ("echo b > inner/b.py", {"inner/b.py"}),
        ("mv a.py c.py", {"a.py", "c.py"}),
        ("mv a.py inner/a.py", {"a.py", "inner/a.py"}),
        ("rm a.py", {"a.py"}),
        ("touch -d 2001-01-01 a.py", {"a.py"}),
        ("chmod 000 a.py", {"a.py"}),
        ("mkdir new && echo d > new/d.py", {"new"}),
        ("rm -r inner", {"inner"}),
        ("mv inner other", {"inner", "other"}),
    ],
)
def test_whatever_is_done_is_told(command: str, touched: set[str], tree: Path, watch: Watch) -> None:
    subprocess.run(["sh", "-c", command], cwd=tree, check=True)
    assert relative(tree, watch.changed()) == touched


def test_a_new_folder_is_told_again_once_it_is_followed_since_it_was_not_watched_meanwhile(
    tree: Path, watch: Watch
) -> None:
    (tree / "new").mkdir()
    assert relative(tree, watch.changed()) == {"new"}
    (tree / "new" / "early.py").write_text("")
    watch.follow(*followed(tree))
    assert relative(tree, watch.changed()) == {"new"}
    (tree / "new" / "late.py").write_text("")
    assert relative(tree, watch.changed()) == {"new/late.py"}


def test_a_folder_that_was_moved_is_told_by_its_new_name(tree: Path, watch: Watch) -> None:
    (tree / "inner").rename(tree / "moved")
    watch.changed()
    watch.follow(*followed(tree))
    watch.changed()
    (tree / "moved" / "b.py").write_text("")
    assert relative(tree, watch.changed()) == {"moved/b.py"}


def test_when_what_counts_may_be_other_files_everything_is_to_be_looked_at(tree: Path, watch: Watch) -> None:
    (tree / ".gitignore").write_text("")
    assert watch.changed() is None
    (tree / "new-ignore").write_text("x/\n")
    (tree / "new-ignore").replace(tree / ".gitignore")
    assert watch.changed() is None


def test_when_the_root_is_another_folder_everything_is_to_be_looked_at(tree: Path, watch: Watch) -> None:
    tree.parent.rename(tree.parent.with_name("away"))
    (tree / "inner").mkdir(parents=True)
    (tree / ".gitignore").write_text("")
    assert watch.changed() is None
    watch.follow(*followed(tree))
    watch.changed()
    (tree / "b.py").write_text("")
    assert relative(tree, watch.changed()) == {"b.py"}


def test_lost_notices_are_not_taken_for_silence(tree: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    real = watching._notices

    def overflowing(queue: int) -> Iterator[watching._Notice]:
        yield from real(queue)
        yield watching._Notice(-1, watching.OVERFLOW, "")

    monkeypatch.setattr(watching, "_notices", overflowing)
    assert watch.changed() is None
    monkeypatch.undo()
    watch.follow(*followed(tree))
    watch.changed()
    (tree / "a.py").write_text("a = 5\n")
    assert relative(tree, watch.changed()) == {"a.py"}


def test_a_disk_of_the_network_is_not_watched(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 0:9 / {tree} rw - nfs4 server:/x rw\n")
    monkeypatch.setattr(watching, "MOUNTS", str(mounts))
    watch = Watch([str(tree)])
    assert "nfs4" in watch.problem
    assert watch.changed() is None
    assert not watch.wait(0)


def test_with_too_many_folders_it_says_so_and_nothing_else(
    tree: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno

    class Full:
        def inotify_add_watch(self, *_: object) -> int:
            return -1

    monkeypatch.setattr(watching, "_system", Full)
    monkeypatch.setattr(watching, "_last_error", lambda: errno.ENOSPC)
    (tree / "new").mkdir()
    watch.follow(*followed(tree))
    assert "max_user_watches" in watch.problem
    assert watch.changed() is None
    assert watch.changed() is None
