"""A workspace that is kept open gives the findings, and the graph, of one that is opened anew.

Random edits come from `tests.edits`; between them the tree is committed, checked out, taken back, the graph is deleted,
or another process brings it up to date. What the kept workspace says is compared with a copy of the repository, whose
graph is built from nothing.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.formats.json import plain
from keel.operations import compile as compiling
from tests.edits import Author, Tree
from tests.graphdump import dump
from tests.workspaces import commit_all, git, write_files

SEEDS = range(8)
STEPS = 12
KEPT = (".git", ".keel")
ROOTS = {".keel/config.toml": '[workspace.roots]\none = "one"\ntwo = "two"\n'}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_kept_workspace_says_what_a_fresh_one_says(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEL_NO_TY", "1")
    choose = random.Random(seed).randrange
    author = Author(choose)
    history = [author.tree()]
    here = write_files(tmp_path / "here", {**ROOTS, **history[0]})
    commit_all(here)
    kept = open_workspace(str(here), str(here), stays=True)
    for number in range(STEPS):
        step(here, author, history, choose(10))
        expected = opened_elsewhere(here, tmp_path / f"copy{number}")
        assert (findings(kept), graph(kept)) == expected, f"step {number}"
        assert findings(kept) == expected[0], f"step {number}, asked again"


def step(here: Path, author: Author, history: list[Tree], what: int) -> None:
    """One thing that happens to a repository while somebody keeps it open."""
    if what == 0:
        commit_all(here)
    elif what == 1 and len(history) > 1:
        history.append(history[-2])
    elif what == 2:
        shutil.rmtree(here / ".keel" / "graph.db", ignore_errors=True)
        for path in (here / ".keel").glob("graph.db*"):
            path.unlink()
    elif what == 3:
        git(here, "checkout", "-q", "-f", "HEAD")
        git(here, "clean", "-q", "-fd", "--exclude=.keel")
        return
    else:
        history.append(author.edit(history[-1], history))
    become(here, history[-1])
    if what == 4:
        findings(open_workspace(str(here), str(here)))  # somebody else was here first


def opened_elsewhere(here: Path, copy: Path) -> tuple[Any, str]:
    """What is said in a copy, whose graph is built anew."""
    shutil.copytree(here, copy, ignore=shutil.ignore_patterns("graph.db*", "facts.db*"))
    fresh = open_workspace(str(copy), str(copy))
    found = findings(fresh), graph(fresh)
    shutil.rmtree(copy)
    return found


def findings(workspace: Workspace) -> Any:
    """Everything that compiling finds."""
    result = compiling.run(workspace, compiling.Params(session="ci", verbose=True))
    return plain(result)


def graph(workspace: Workspace) -> str:
    """The graph as text."""
    with workspace.store.reading() as reader:
        return dump(reader)


def become(folder: Path, tree: Tree) -> None:
    """Makes the folder hold a tree, and nothing else but what is kept for git and keel."""
    wanted = set(tree)
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        inside = path.relative_to(folder)
        if inside.parts[0] not in KEPT and inside.as_posix() not in wanted:
            path.unlink()
    for path in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if path.relative_to(folder).parts[0] not in KEPT and not any(path.iterdir()):
            path.rmdir()
    changed = {name: text for name, text in tree.items() if _text(folder / name) != text}
    write_files(folder, changed)


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None
