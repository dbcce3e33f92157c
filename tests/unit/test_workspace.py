"""The workspace: which folder a command is about, and what its roots are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keel.config import Config, Workspace
from keel.errors import WorkspaceError
from keel.indexing.workspace import find_workspace, roots_of, workspace_name
from tests.scanning import git, repository, write


def found(start: Path, explicit: Path | None = None) -> Path:
    return Path(find_workspace(str(start), None if explicit is None else str(explicit)))


@pytest.mark.parametrize("marker", [".keel/config.toml", ".keel/graph.db"])
def test_the_nearest_configuration_or_graph_above_wins(tmp_path: Path, marker: str) -> None:
    repository(tmp_path)
    write(tmp_path, "a/b/c/", marker, f"a/{marker}")
    assert found(tmp_path / "a" / "b" / "c") == tmp_path / "a"
    assert found(tmp_path / "a") == tmp_path / "a"
    assert found(tmp_path) == tmp_path


def test_a_keel_folder_without_either_is_passed_by(tmp_path: Path) -> None:
    repository(tmp_path)
    write(tmp_path, "a/b/", "a/.keel/log")
    assert found(tmp_path / "a" / "b") == tmp_path


def test_the_search_ends_at_the_git_top_level(tmp_path: Path) -> None:
    write(tmp_path, ".keel/config.toml", "clone/src/")
    repository(tmp_path / "clone")
    assert found(tmp_path / "clone" / "src") == tmp_path / "clone"


def test_a_worktree_and_a_submodule_are_their_own_top_level(tmp_path: Path) -> None:
    lib = repository(tmp_path / "lib", "l.py")
    main = repository(tmp_path / "main", "pkg/a.py", ".keel/config.toml")
    git(main, "submodule", "add", "-q", str(lib), "sub")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"), "HEAD")
    assert found(main / "sub") == main / "sub"
    assert found(tmp_path / "tree" / "pkg") == tmp_path / "tree"


def test_outside_git_the_search_goes_up_and_else_stays(tmp_path: Path) -> None:
    write(tmp_path, "a/b/", "elsewhere/", "a/.keel/graph.db")
    assert found(tmp_path / "a" / "b") == tmp_path / "a"
    assert found(tmp_path / "elsewhere") == tmp_path / "elsewhere"


def test_a_named_workspace_is_taken_as_it_is(tmp_path: Path) -> None:
    repository(tmp_path)
    write(tmp_path, "a/", ".keel/config.toml")
    assert found(tmp_path, tmp_path / "a") == tmp_path / "a"


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_named_workspace_that_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, "file")
    with pytest.raises(WorkspaceError, match="no folder"):
        found(tmp_path, tmp_path / name)


def test_one_folder_is_one_workspace_by_whatever_name(tmp_path: Path) -> None:
    write(tmp_path, "real/")
    (tmp_path / "link").symlink_to("real")
    assert found(tmp_path / "link") == tmp_path / "real"


def test_the_default_root_is_named_after_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    write(folder, "./")
    assert roots_of(str(folder), Config()) == {"shop": str(folder)}
    assert workspace_name(str(folder), Config()) == "shop"


@pytest.mark.parametrize(
    ("name", "expected"), [("/", "root"), ("/a:b", "a_b"), (os.fsdecode(b"/caf\xe9"), "caf%E9"), ("/a\nb", "a%0Ab")]
)
def test_a_root_name_is_fit_for_ids(name: str, expected: str) -> None:
    assert list(roots_of(name, Config())) == [expected]


def test_roots_are_relative_to_the_workspace_and_keep_their_order(tmp_path: Path) -> None:
    write(tmp_path, "home/", "z/", "a/")
    config = Config(workspace=Workspace(name="both", roots=(("zet", "../z"), ("ay", "../a"))))
    roots = roots_of(str(tmp_path / "home"), config)
    assert list(roots.items()) == [("zet", str(tmp_path / "z")), ("ay", str(tmp_path / "a"))]
    assert workspace_name(str(tmp_path / "home"), config) == "both"
