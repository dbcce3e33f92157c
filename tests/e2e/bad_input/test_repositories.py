"""Git in every state, and no git at all: the files are found, and nothing is taken for gone."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import answer_of, ok, stored
from tests.workspaces import MakeWorkspace, keel_inside, write_files

FILES = {"a.py": "def f(): ...\n", "pkg/b.py": "from a import f\n\n\ndef g(): f()\n"}


def git(folder: Path, *words: str) -> None:
    named = ("-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True)


def test_a_repository_without_commits(workspace: MakeWorkspace) -> None:
    folder = workspace({**FILES, ".gitignore": "ignored.py\n", "ignored.py": "def no(): ...\n"}, "project")
    git(folder, "init", "-q")
    assert answer_of(folder, "map")["files"] == 2


def test_no_git_at_all(workspace: MakeWorkspace) -> None:
    folder = workspace({**FILES, ".gitignore": "ignored.py\n", "ignored.py": "def no(): ...\n"}, "project")
    mapped = answer_of(folder, "map")
    assert (mapped["files"], mapped["warnings"]) == (2, [])


def test_a_worktree_has_a_graph_of_its_own(git_workspace: MakeWorkspace, tmp_path: Path) -> None:
    folder = git_workspace(FILES, "project")
    ok(folder, "map")
    git(folder, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    (tmp_path / "tree/a.py").write_text("def other(): ...\n", encoding="utf-8")
    ok(tmp_path / "tree", "map")
    ok(tmp_path / "tree", "where", "other")
    assert ok(folder, "sync").startswith("up to date: 2 files")
    git(folder, "worktree", "add", "-q", "inside", "-b", "inner")
    assert answer_of(folder, "map")["files"] == 2


def test_a_submodule_is_part_of_the_graph(git_workspace: MakeWorkspace) -> None:
    part = git_workspace({"c.py": "def c(): ...\n"}, "part")
    folder = git_workspace(FILES, "project")
    git(folder, "submodule", "add", "-q", str(part), "vendored")
    assert answer_of(folder, "map")["files"] == 3
    git(folder, "submodule", "deinit", "-q", "-f", "vendored")
    assert answer_of(folder, "sync")["removed"] == 1


def test_a_bare_repository_has_no_files(workspace: MakeWorkspace) -> None:
    folder = workspace({}, "bare.git")
    git(folder, "init", "-q", "--bare")
    assert answer_of(folder, "map")["files"] == 0


def test_what_git_sets_for_its_hooks_does_not_mislead_keel(git_workspace: MakeWorkspace) -> None:
    other = git_workspace({"z.py": "def z(): ...\n"}, "other")
    folder = git_workspace(FILES, "project")
    for location in (str(other / ".git"), "/nonexistent", ".git"):
        astray = {"GIT_DIR": location, "GIT_INDEX_FILE": "/nonexistent", "GIT_WORK_TREE": str(other)}
        assert ok(folder, "map", env=astray).startswith("mapped 2 files")
        assert ok(folder, "sync", env=astray).startswith("up to date: 2 files")


@pytest.mark.parametrize("kind", ["missing", "failing", "not executable"])
def test_a_git_that_does_not_answer_takes_nothing_away(git_workspace: MakeWorkspace, tmp_path: Path, kind: str) -> None:
    folder = git_workspace({**FILES, ".gitignore": "ignored.py\n", "ignored.py": "def no(): ...\n"}, "project")
    ok(folder, "map")
    before = stored(folder)
    programs = tmp_path / "programs"
    programs.mkdir()
    if kind != "missing":
        (programs / "git").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
        (programs / "git").chmod(0o755 if kind == "failing" else 0o644)
    without = {"PATH": str(programs)}
    said = ok(folder, "map", env=without)
    assert f"{folder}: git does not list it (" in said
    assert stored(folder) == before
    assert "does not list" not in ok(folder, "map")


def test_a_repository_of_another_user(git_workspace: MakeWorkspace) -> None:
    """Git refuses to list it, which must not look like a repository without files."""
    if os.geteuid() != 0:
        pytest.skip("giving a folder away needs root")
    folder = git_workspace(FILES, "project")
    ok(folder, "map")
    before = stored(folder)
    os.chown(folder, 12345, 12345)
    os.chown(folder / ".git", 12345, 12345)
    said = ok(folder, "map")
    assert "dubious ownership" in said
    assert stored(folder) == before
    refused = keel_inside(folder, "compile")
    assert (refused.code, "safe.directory" in refused.err) == (2, True)


def test_a_repository_of_another_user_without_a_commit(workspace: MakeWorkspace) -> None:
    if os.geteuid() != 0:
        pytest.skip("giving a folder away needs root")
    folder = workspace(FILES, "project")
    git(folder, "init", "-q")
    os.chown(folder, 12345, 12345)
    os.chown(folder / ".git", 12345, 12345)
    assert "edits cannot be compared with anything" in ok(folder, "map")


def test_a_repository_whose_git_folder_is_damaged(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "project")
    ok(folder, "map")
    before = stored(folder)
    (folder / ".git/index").write_bytes(b"garbage")
    assert "git does not list it (" in ok(folder, "sync")
    assert stored(folder) == before
    shutil.rmtree(folder / ".git")
    ok(folder, "sync")
    assert stored(folder) == before


def test_a_branch_with_other_files(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "project")
    ok(folder, "map")
    before = stored(folder)
    git(folder, "checkout", "-q", "-b", "other")
    write_files(folder, {"a.py": "def changed(): ...\n", "new.py": "def new(): ...\n"})
    (folder / "pkg/b.py").unlink()
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", "other")
    assert ok(folder, "sync").startswith("updated: 2 files, 1 added, 1 changed, 1 removed")
    git(folder, "checkout", "-q", "main")
    ok(folder, "sync")
    assert stored(folder) == before
