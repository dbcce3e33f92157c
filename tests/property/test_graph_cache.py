"""A workspace that is kept open gives the findings, and the graph, of one that is opened for every question.

Random edits come from `tests.edits`; between them the tree is committed, checked out, taken back, the graph is deleted,
or another process brings it up to date. The same happens to a twin of the repository, in which every question opens the
workspace anew; the graph is also compared with one that is built from nothing.
"""

from __future__ import annotations

import random
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.formats.json import plain
from keel.operations import compile as compiling
from keel.ports.definitions import Definition, Position
from tests.edits import Author, Tree
from tests.graphdump import dump
from tests.helping import FakeHelper
from tests.property.test_helped import Fickle
from tests.workspaces import commit_all, git, write_files

SEEDS, HELPED = range(6), range(2)
STEPS = 12
KEPT = (".git", ".keel")
ROOTS = {".keel/config.toml": '[workspace.roots]\none = "one"\ntwo = "two"\n'}


@pytest.mark.parametrize(("seed", "is_helped"), [*product(SEEDS, [False]), *product(HELPED, [True])])
def test_a_kept_workspace_says_what_a_fresh_one_says(
    seed: int, is_helped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEL_NO_TY", "1")
    opened = _helped if is_helped else _opened
    choose = random.Random(seed).randrange
    author = Author(choose)
    history = [author.tree()]
    here, twin = (write_files(tmp_path / name, {**ROOTS, **history[0]}) for name in ("here", "twin"))
    commit_all(here)
    commit_all(twin)
    kept = opened(here, persistent=True)
    for number in range(STEPS):
        what = choose(10)
        if what > 3:
            history.append(author.edit(history[-1], history))
        elif what == 1 and len(history) > 1:
            history.append(history[-2])
        for folder in (here, twin):
            step(folder, history[-1], what)
        if what == 4:
            findings(opened(here))  # another process was here first
        expected = findings(opened(twin))
        assert findings(kept) == expected, f"step {number}"
        assert findings(kept) == expected, f"step {number}, asked again"
        assert graph(kept) == graph(opened(twin)), f"step {number}"
    if not is_helped:  # a compile does not ask, so that a graph that is built anew has more answers
        shutil.rmtree(twin / ".keel")
        write_files(twin, ROOTS)
        findings(opened(twin))
        assert graph(kept) == graph(opened(twin))


def step(folder: Path, tree: Tree, what: int) -> None:
    """One thing that happens to a repository while a process keeps it open."""
    if what == 0:
        commit_all(folder)
    elif what == 2:
        for path in (folder / ".keel").glob("graph.db*"):
            path.unlink()
    elif what == 3:
        git(folder, "checkout", "-q", "-f", "HEAD")
        git(folder, "clean", "-q", "-fd", "--exclude=.keel")
        return
    become(folder, tree)


def _opened(folder: Path, persistent: bool = False) -> Workspace:
    """The workspace of a folder, as a command opens it."""
    return open_workspace(str(folder), str(folder), persistent=persistent)


def _helped(folder: Path, persistent: bool = False) -> Workspace:
    """The same with a helper, which is asked when the graph is built, and not by a compile."""
    workspace = _opened(folder, persistent)
    oracle = Fickle(folder)
    seen: list[object] = [None]

    def says(position: Position, second_opinion: bool) -> tuple[Definition, ...]:
        now = {path: path.read_bytes() for path in folder.rglob("*.py*")}
        if seen[0] != now:
            seen[0] = now
            oracle.look()
        return oracle(position, second_opinion)

    workspace.helpers = {language.name: [FakeHelper(says).helper] for language in workspace.languages}
    return workspace


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
