"""Bootstrap: where a workspace keeps its things, and what it chooses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from keel.bootstrap import FEW_FILES, open_workspace
from keel.errors import WorkspaceError
from keel.operations import sync
from keel.runners.inline import InlineRunner
from keel.runners.pool import PoolRunner
from tests.workspaces import MakeWorkspace

FILES = {"a.py": "def a(): pass\n"}


def changed_twice(folder: Path) -> None:
    """Syncs, changes a file and syncs again, so that old facts go to the cache."""
    for text in ("def a(): pass\n", "def b(): pass\n"):
        (folder / "a.py").write_text(text, encoding="utf-8")
        sync.run(open_workspace(str(folder)), sync.Params())


def test_the_graph_is_in_the_workspace_and_hidden(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    changed_twice(folder)
    assert {"graph.db", ".gitignore", "facts.db"} <= {path.name for path in (folder / ".keel").iterdir()}
    assert "!config.toml" in (folder / ".keel/.gitignore").read_text(encoding="utf-8").splitlines()


def test_working_trees_share_the_facts_cache(git_workspace: MakeWorkspace, tmp_path: Path) -> None:
    folder = git_workspace(FILES)
    other = tmp_path / "other"
    subprocess.run(["git", "worktree", "add", "-q", str(other)], cwd=folder, check=True, stdin=subprocess.DEVNULL)
    changed_twice(other)
    assert (folder / ".git/keel/facts.db").exists()
    assert (other / ".keel/graph.db").exists()
    assert not (folder / ".keel").exists()


def test_few_files_are_read_here_and_many_by_a_pool(workspace: MakeWorkspace) -> None:
    opened = open_workspace(str(workspace(FILES)))
    assert isinstance(opened.runner(FEW_FILES - 1), InlineRunner)
    assert isinstance(opened.runner(FEW_FILES), PoolRunner)


def test_a_workspace_is_found_from_below_and_knows_where_one_is(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace({"pkg/a.py": ""}, "project")
    opened = open_workspace(str(folder / "pkg"))
    assert (opened.folder, opened.here) == (str(folder), str(folder / "pkg"))
    assert (opened.name, dict(opened.roots)) == ("project", {"project": str(folder)})


def test_a_folder_that_cannot_be_made_is_told(workspace: MakeWorkspace) -> None:
    folder = workspace({**FILES, ".keel": "a file in the way"})
    with pytest.raises(WorkspaceError, match="is in the way"):
        open_workspace(str(folder)).prepare()
