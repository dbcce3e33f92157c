"""Listing: which files of a root count, in every shape a working tree comes in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from keel.errors import RootMissing, ScanError
from tests.scanning import Memory, git, listed, repository, write


def test_git_lists_tracked_and_new_files_but_not_ignored_ones(tmp_path: Path) -> None:
    repository(tmp_path, "a.py", "pkg/b.py", "gone.py")
    write(tmp_path, "new.py", "pkg/out/c.py", "pkg/d.py", "top.py")
    write(tmp_path, ".gitignore", text="/top.py\n")
    write(tmp_path, "pkg/.gitignore", text="out/\n")
    (tmp_path / "gone.py").unlink()
    assert listed(tmp_path) == ["a.py", "new.py", "pkg/b.py", "pkg/d.py"]


def test_a_repository_without_commits_is_listed(tmp_path: Path) -> None:
    repository(tmp_path)
    write(tmp_path, "a.py", "b.py")
    git(tmp_path, "add", "a.py")
    assert listed(tmp_path) == ["a.py", "b.py"]


def test_global_and_private_excludes_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = repository(tmp_path / "tree", "a.py")
    write(tree, "mine.py", "everywhere.py")
    write(tree, ".git/info/exclude", text="mine.py\n")
    write(tmp_path, "ignore", text="everywhere.py\n")
    write(tmp_path, "config", text=f"[core]\n\texcludesFile = {tmp_path}/ignore\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    assert listed(tree) == ["a.py"]


def test_a_tracked_file_counts_although_ignored(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", text="gen/\n")
    repository(tmp_path, "gen/a.py")
    write(tmp_path, "gen/b.py")
    assert listed(tmp_path) == ["gen/a.py"]


def test_a_root_below_the_top_obeys_the_rules_above_it(tmp_path: Path) -> None:
    repository(tmp_path, "sub/a.py", "other.py")
    write(tmp_path, "sub/tmp.py")
    write(tmp_path, ".gitignore", text="sub/tmp.py\n")
    assert listed(tmp_path / "sub") == ["a.py"]


def test_a_root_that_the_repository_around_ignores_is_listed_by_its_own_rules(tmp_path: Path) -> None:
    repository(tmp_path, "a.py")
    write(tmp_path, ".gitignore", text="scratch/\n")
    write(tmp_path, "scratch/b.py", "scratch/c.py")
    write(tmp_path, "scratch/.gitignore", text="c.py\n")
    assert listed(tmp_path / "scratch") == ["b.py"]


def test_submodules_are_listed_with_what_is_new_in_them(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner", "deep.py")
    lib = repository(tmp_path / "lib", "l.py")
    git(lib, "submodule", "add", "-q", str(inner), "inner")
    git(lib, "commit", "-q", "-m", "inner")
    main = repository(tmp_path / "main", "a.py")
    git(main, "submodule", "add", "-q", str(lib), "libs/sub")
    git(main, "submodule", "update", "--init", "--recursive", "-q")
    write(main, "libs/sub/new.py", "libs/sub/no.py")
    write(main, "libs/sub/.gitignore", text="no.py\n")
    assert listed(main) == ["a.py", "libs/sub/inner/deep.py", "libs/sub/l.py", "libs/sub/new.py"]


def test_a_submodule_that_is_not_checked_out_is_empty(tmp_path: Path) -> None:
    lib = repository(tmp_path / "lib", "l.py")
    main = repository(tmp_path / "main", "a.py", "out/b.py")
    git(main, "submodule", "add", "-q", str(lib), "sub")
    git(main, "submodule", "deinit", "-q", "--force", "sub")
    write(main, "sub/stray/", "empty/deep/")
    write(main, ".gitignore", text="ignored/\n")
    write(main, "ignored/")
    memory = Memory(main)
    assert memory.scan().warnings == []
    assert memory.paths() == ["a.py", "out/b.py"]


def test_repositories_inside_are_listed_by_their_own_rules(tmp_path: Path) -> None:
    repository(tmp_path, "a.py")
    inner = repository(tmp_path / "inner", "b.py")
    write(inner, "c.py", "no.py")
    write(inner, ".gitignore", text="no.py\n")
    write(repository(tmp_path / "unborn"), "d.py")
    write(tmp_path, "broken/.git/", "broken/e.py")
    assert listed(tmp_path) == ["a.py", "broken/e.py", "inner/b.py", "inner/c.py", "unborn/d.py"]


def test_clones_side_by_side_in_a_plain_folder_are_listed_by_git(tmp_path: Path) -> None:
    write(repository(tmp_path / "one", "a.py"), "b.py")
    write(tmp_path / "one", ".git/info/exclude", text="b.py\n")
    repository(tmp_path / "two", "c.py")
    assert listed(tmp_path) == ["one/a.py", "two/c.py"]


def test_a_worktree_is_listed_but_not_again_inside_the_main_one(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", "a.py")
    write(main, ".git/info/exclude", text="private.py\n")
    git(main, "worktree", "add", "-q", "trees/side", "HEAD")
    write(main / "trees" / "side", "new.py", "private.py")
    assert listed(main / "trees" / "side") == ["a.py", "new.py"]
    assert listed(main) == ["a.py"]


def test_what_git_tells_its_hooks_does_not_lead_astray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository(tmp_path / "other", "o.py")
    tree = repository(tmp_path / "tree", "a.py")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert listed(tree) == ["a.py"]


@pytest.mark.parametrize("under_git", [True, False])
def test_keelignore_applies_on_top(tmp_path: Path, under_git: bool) -> None:
    if under_git:
        repository(tmp_path, "a.py", "old/b.py", "pkg/gen.py", "pkg/keep/gen.py")
    write(tmp_path, "a.py", "old/b.py", "pkg/gen.py", "pkg/keep/gen.py", "no.py")
    write(tmp_path, ".gitignore", text="no.py\n")
    write(tmp_path, ".keelignore", text="# generated\n/old/\ngen.py\n!no.py\n")
    write(tmp_path, "pkg/keep/.keelignore", text="!gen.py\n")
    assert listed(tmp_path) == ["a.py", "pkg/keep/gen.py"]


@pytest.mark.parametrize("under_git", [True, False])
def test_environments_and_output_are_never_source(tmp_path: Path, under_git: bool) -> None:
    if under_git:
        repository(tmp_path)
    write(tmp_path, "pyproject.toml", "a.py", "lib/build/b.py", "lib/venv/__init__.py")
    write(tmp_path, "build/c.py", "dist/c.py", "target/c.py", ".tox/c.py", "x.egg-info/c.py")
    write(tmp_path, "node_modules/m/c.py", "lib/__pycache__/c.py", ".mypy_cache/c.py", ".keel/c.py")
    write(tmp_path, ".venv/c.py", "venv/c.py", "env/pyvenv.cfg", "env/lib/c.py", "conda/conda-meta/", "conda/c.py")
    assert listed(tmp_path) == ["a.py", "lib/build/b.py", "lib/venv/__init__.py"]


def test_output_that_git_tracks_is_source(tmp_path: Path) -> None:
    repository(tmp_path, "setup.py", "build/a.py", "dist/deep/b.py", "venv/c.py", "node_modules/d.py")
    write(tmp_path, "target/e.py")
    assert listed(tmp_path) == ["build/a.py", "dist/deep/b.py", "setup.py", "venv/c.py"]


def test_a_root_that_is_an_environment_itself_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "pyvenv.cfg", "a.py", "lib/python3.13/site-packages/b.py")
    assert listed(tmp_path) == ["a.py"]


@pytest.mark.parametrize("under_git", [True, False])
def test_only_regular_files_count_and_links_are_not_followed(tmp_path: Path, under_git: bool) -> None:
    tree = tmp_path / "tree"
    write(tmp_path, "outside/o.py")
    write(tree, "a.py", "pkg/b.py", "was/c.py")
    if under_git:
        repository(tree, "was/c.py")
    (tree / "was" / "c.py").unlink()
    (tree / "was").rmdir()
    (tree / "was").symlink_to("pkg")
    (tree / "to_file.py").symlink_to("a.py")
    (tree / "to_nothing.py").symlink_to("nothing.py")
    (tree / "to_outside").symlink_to(tmp_path / "outside")
    (tree / "pkg" / "loop").symlink_to(tree)
    os.mkfifo(tree / "pipe.py")
    os.mkfifo(tree / "pkg" / ".keelignore")
    assert listed(tree) == ["a.py", "pkg/b.py"]


@pytest.mark.parametrize("under_git", [True, False])
def test_odd_names_survive(tmp_path: Path, under_git: bool) -> None:
    folder = os.fsencode(tmp_path)
    names = [b"caf\xe9.py", "naïve.py".encode(), b"new\nline.py", b"100%.py", b":colon.py", b"-dash.py", b'"q".py']
    for name in names:
        with open(os.path.join(folder, name), "wb"):
            pass
    os.mkdir(os.path.join(folder, b":odd\xff"))
    if under_git:
        repository(tmp_path)
    memory = Memory(tmp_path)
    found = memory.scan().added
    assert {os.fsencode(file.on_disk) for file in found} == {os.path.join(folder, name) for name in names}
    expected = ['"q".py', "-dash.py", "100%25.py", ":colon.py", "caf%E9.py", "naïve.py", "new%0Aline.py"]
    assert memory.paths() == expected
    again = memory.scan()
    assert (again.added, again.missing) == ([], [])


def test_what_is_not_read_is_counted_by_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keel.indexing.scan.listing.MAX_SIZE", 100)
    write(tmp_path, "a.py", "n.ipynb", "b.md", "docs/c.md", "Makefile", ".hidden", "pyproject.toml")
    write(tmp_path, "big.py", text="#" * 101)
    (tmp_path / "link.py").symlink_to("a.py")
    os.mkfifo(tmp_path / "pipe")
    assert Memory(tmp_path).scan().skipped == {
        "suffix": {".md": 2, "": 2},
        "notebook": {".ipynb": 1},
        "large": {".py": 1},
        "link": {".py": 1},
        "special": {"": 1},
    }


def test_a_missing_root_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, "here/a.py", "file")
    for gone in ("gone", "file"):
        with pytest.raises(RootMissing) as caught:
            Memory({"one": tmp_path / "here", "two": tmp_path / gone}).scan()
        assert (caught.value.root, caught.value.path) == ("two", str(tmp_path / gone))


def test_several_roots_keep_their_files_apart(tmp_path: Path) -> None:
    write(tmp_path, "one/a.py", "two/a.py")
    memory = Memory({"one": tmp_path / "one", "two": tmp_path / "two"})
    assert sorted((file.root, file.path) for file in memory.scan().added) == [("one", "a.py"), ("two", "a.py")]


class Refusing:
    """`os.scandir`, but for some folders that raise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.errors: dict[str, OSError] = {}
        self.real = os.scandir
        monkeypatch.setattr(os, "scandir", self)

    def __call__(self, path: str) -> Iterator[os.DirEntry[str]]:
        if path in self.errors:
            raise self.errors[path]
        return self.real(path)


def test_a_folder_that_vanishes_in_mid_walk_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.py", "sub/b.py")
    Refusing(monkeypatch).errors[str(tmp_path / "sub")] = FileNotFoundError(2, "gone")
    assert listed(tmp_path) == ["a.py"]


def test_a_root_that_cannot_be_opened_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.py")
    refusing = Refusing(monkeypatch)
    refusing.errors[str(tmp_path)] = PermissionError(13, "Permission denied")
    with pytest.raises(ScanError, match="Permission denied"):
        listed(tmp_path)
    refusing.errors[str(tmp_path)] = FileNotFoundError(2, "gone")
    with pytest.raises(RootMissing):
        listed(tmp_path)
