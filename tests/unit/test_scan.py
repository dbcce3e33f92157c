"""Scanning again: what changed is seen, and what did not change costs no listing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from keel.indexing.scan.scan_result import ScannedFile
from keel.model.rows import UNREADABLE
from tests.scanning import Memory, age, git, repository, settled, write


def paths(found: list[ScannedFile]) -> list[str]:
    return sorted(file.path for file in found)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with an ignored folder and an empty one."""
    folder = repository(tmp_path / "tree", "a.py", "pkg/b.py", "pkg/c.py", "pyproject.toml")
    write(folder, ".gitignore", text="out/\n")
    write(folder, "out/x.py", "empty/deep/")
    return folder


def test_when_nothing_changed_nothing_is_listed_and_nothing_is_to_be_remembered(tree: Path) -> None:
    memory = settled(tree)
    before = memory.folders
    again = memory.scan()
    assert (again.listed, again.added, again.suspects, again.missing) == (False, [], [], [])
    assert again.folders is before
    assert again.manifest_files == [("r", "pyproject.toml")]
    assert not again.manifests_changed


def test_when_nothing_changed_no_process_is_started_and_nothing_heavy_imported(tree: Path) -> None:
    settled(tree)
    code = """
import sys, time
from keel.model.rows import FileRow
from keel.indexing.scan.scan import scan
folder, now = sys.argv[1], time.time_ns()
found = scan({"r": folder}, (".py",), [], None, now)
rows = [FileRow(0, f.root, f.path, "", "", b"", f.size, f.mtime_ns, now) for f in found.added]
for name in [name for name in sys.modules if name.startswith(("keel", "subprocess", "xxhash", "msgspec"))]:
    del sys.modules[name]
from keel.indexing.scan.scan import scan
assert not scan({"r": folder}, (".py",), rows, found.folders, time.time_ns()).listed
heavy = {"subprocess", "xxhash", "msgspec", "tomllib", "pathlib", "keel.indexing.scan.listing", "keel.model.ids"}
sys.exit(str(sorted(heavy & set(sys.modules)) or ""))
"""
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-c", code, str(tree)],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.strip() == ""


def test_an_edit_in_place_is_suspected_without_a_listing(tree: Path) -> None:
    memory = settled(tree)
    write(tree, "pkg/b.py", text="y = 2\n")
    again = memory.scan()
    assert (again.listed, paths(again.suspects)) == (False, ["pkg/b.py"])
    assert again.suspects[0].on_disk == str(tree / "pkg" / "b.py")


def test_a_save_by_rename_is_suspected_without_a_listing(tree: Path) -> None:
    memory = settled(tree)
    before = memory.folders
    write(tree, "pkg/.b.py.tmp", text="y = 2\n")
    (tree / "pkg" / ".b.py.tmp").replace(tree / "pkg" / "b.py")
    again = memory.scan()
    assert (again.listed, paths(again.suspects)) == (False, ["pkg/b.py"])
    assert again.folders != before


def test_files_of_no_language_come_and_go_without_a_listing(tree: Path) -> None:
    memory = settled(tree)
    write(tree, "pkg/.b.py.swp", "notes.txt", "pkg/__pycache__/b.pyc")
    assert not memory.scan().listed


Change = Callable[[Path], object]

APPEARANCES: dict[str, tuple[Change, list[str]]] = {
    "new file": (lambda tree: write(tree, "pkg/new.py"), ["pkg/new.py"]),
    "in an empty folder": (lambda tree: write(tree, "empty/deep/new.py"), ["empty/deep/new.py"]),
    "in a new folder": (lambda tree: write(tree, "one/two/new.py"), ["one/two/new.py"]),
    "no longer ignored": (lambda tree: write(tree, ".gitignore", text="none/\n"), ["out/x.py"]),
    "added by force": (lambda tree: git(tree, "add", "--force", "out/x.py"), ["out/x.py"]),
    "a link made a file": (lambda tree: _unlinked(tree / "pkg" / "link.py"), ["pkg/link.py"]),
}


def _unlinked(path: Path) -> None:
    path.unlink()
    path.write_text("x = 1\n")


@pytest.mark.parametrize(("change", "expected"), APPEARANCES.values(), ids=APPEARANCES.keys())
def test_what_appears_is_found(tree: Path, change: Change, expected: list[str]) -> None:
    (tree / "pkg" / "link.py").symlink_to("b.py")
    memory = settled(tree)
    change(tree)
    again = memory.scan()
    assert (again.listed, paths(again.added), again.missing) == (True, expected, [])


DISAPPEARANCES: dict[str, Change] = {
    "deleted": lambda tree: (tree / "pkg" / "c.py").unlink(),
    "moved away": lambda tree: (tree / "pkg" / "c.py").rename(tree / "pkg" / "c.txt"),
    "made a link": lambda tree: _linked(tree / "pkg" / "c.py"),
    "made a folder": lambda tree: _opened(tree / "pkg" / "c.py"),
    "ignored by keel": lambda tree: write(tree, "pkg/.keelignore", text="c.py\n"),
    "too large": lambda tree: os.truncate(tree / "pkg" / "c.py", 10_000_000),
}


def _linked(path: Path) -> None:
    path.unlink()
    path.symlink_to("b.py")


def _opened(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("change", DISAPPEARANCES.values(), ids=DISAPPEARANCES.keys())
def test_what_disappears_is_missing(tree: Path, change: Change) -> None:
    memory = settled(tree)
    change(tree)
    again = memory.scan()
    assert [row.path for row in again.missing] == ["pkg/c.py"]
    assert (again.added, again.suspects) == ([], [])
    assert memory.scan().missing == []


def test_a_tracked_file_that_was_made_ignored_stays_until_it_is_untracked(tree: Path) -> None:
    memory = settled(tree)
    write(tree, ".git/info/exclude", text="c.py\n")
    again = memory.scan()
    assert (again.listed, again.missing) == (True, [])
    age(tree)
    memory.scan()
    git(tree, "rm", "-q", "--cached", "pkg/c.py")
    assert [row.path for row in memory.scan().missing] == ["pkg/c.py"]


def test_a_folder_moved_is_all_missing_and_all_added(tree: Path) -> None:
    memory = settled(tree)
    (tree / "pkg").rename(tree / "lib")
    again = memory.scan()
    assert sorted(row.path for row in again.missing) == ["pkg/b.py", "pkg/c.py"]
    assert paths(again.added) == ["lib/b.py", "lib/c.py"]


def test_a_file_that_was_too_large_is_found_when_it_shrinks(tree: Path) -> None:
    os.truncate(tree / "a.py", 10_000_000)
    memory = settled(tree)
    assert memory.paths() == ["pkg/b.py", "pkg/c.py"]
    os.truncate(tree / "a.py", 10)
    assert paths(memory.scan().added) == ["a.py"]


def test_the_global_excludes_are_watched(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    write(tree, "new.py")
    memory = settled(tree)
    write(tmp_path, ".config/git/ignore", text="new.py\n")
    assert [row.path for row in memory.scan().missing] == ["new.py"]


def test_a_file_as_young_as_the_last_look_is_suspected(tree: Path) -> None:
    memory = settled(tree)
    now = time.time_ns()
    os.utime(tree / "a.py", ns=(now, now - 1_000_000))
    assert paths(memory.scan(now).suspects) == ["a.py"]
    # Same time, same size, other content: only the closeness to the look gives it away.
    later = now + 10**9
    assert paths(memory.scan(later).suspects) == ["a.py"]
    assert memory.scan(later + 10**9).suspects == []


def test_whole_seconds_are_taken_for_a_coarse_clock(tree: Path) -> None:
    memory = settled(tree)
    now = time.time_ns() // 10**9 * 10**9
    os.utime(tree / "a.py", ns=(now, now - 10**9))
    assert paths(memory.scan(now).suspects) == ["a.py"]
    assert paths(memory.scan(now + 3 * 10**9).suspects) == ["a.py"]
    assert memory.scan(now + 4 * 10**9).suspects == []


def test_a_folder_that_changed_during_the_listing_is_listed_again(tree: Path) -> None:
    memory = settled(tree)
    write(tree, "pkg/new.py")
    now = time.time_ns()
    os.utime(tree / "pkg", ns=(now, now))
    assert memory.scan(now).listed
    assert memory.scan(now + 10**9).listed
    assert not memory.scan(now + 2 * 10**9).listed


def test_a_folder_as_young_as_the_look_is_looked_into(tree: Path) -> None:
    memory = settled(tree)
    now = time.time_ns()
    os.utime(tree / "pkg", ns=(now, now))
    assert not memory.scan(now).listed
    write(tree, "pkg/new.py")
    os.utime(tree / "pkg", ns=(now, now))
    assert paths(memory.scan(now + 10**9).added) == ["pkg/new.py"]


def test_a_change_of_a_manifest_file_is_told_once(tree: Path) -> None:
    memory = Memory(tree)
    age(tree)
    assert memory.scan().manifests_changed
    write(tree, "pyproject.toml", text="[project]\nname = 'x'\n")
    changed = memory.scan(time.time_ns() + 10**9)
    assert (changed.listed, changed.manifests_changed, changed.suspects) == (False, True, [])
    assert not memory.scan(time.time_ns() + 2 * 10**9).manifests_changed


def test_manifest_files_that_come_and_go_are_told(tree: Path) -> None:
    memory = settled(tree)
    write(tree, "pkg/pyproject.toml")
    came = memory.scan()
    assert (sorted(came.manifest_files), came.manifests_changed) == (
        [("r", "pkg/pyproject.toml"), ("r", "pyproject.toml")],
        True,
    )
    age(tree)
    memory.scan()
    (tree / "pyproject.toml").unlink()
    went = memory.scan()
    assert (went.manifest_files, went.manifests_changed) == ([("r", "pkg/pyproject.toml")], True)


def test_a_root_taken_out_of_the_configuration_takes_its_files_along(tmp_path: Path) -> None:
    write(tmp_path, "one/a.py", "two/b.py")
    memory = Memory({"one": tmp_path / "one", "two": tmp_path / "two"})
    memory.scan()
    del memory.roots["two"]
    assert [row.path for row in memory.scan().missing] == ["b.py"]
    assert memory.paths() == ["a.py"]


def test_other_suffixes_mean_a_new_listing(tree: Path) -> None:
    write(tree, "pkg/d.pyi")
    memory = settled(tree)
    memory.suffixes = (".py", ".pyi")
    assert paths(memory.scan().added) == ["pkg/d.pyi"]


def test_a_graph_that_lost_files_gets_them_back(tree: Path) -> None:
    memory = settled(tree)
    memory.known = memory.known[1:]
    assert len(memory.scan().added) == 1
    assert not memory.scan().listed


def test_what_could_not_be_read_is_tried_again(tree: Path) -> None:
    memory = settled(tree)
    memory.known = [row._replace(state=UNREADABLE if row.path == "a.py" else row.state) for row in memory.known]
    assert paths(memory.scan().suspects) == ["a.py"]
