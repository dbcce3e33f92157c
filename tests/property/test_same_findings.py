"""The same two trees give the same findings, whichever process compares them, where, and how often.

Random edits come from `tests.edits`. An edit is compiled twice before it is committed; then it is reviewed, compiled
with `--since`, and both once more in a fresh clone, whose graph is built from nothing. The session is one in which no
failed attempts are counted, since these alone may change what is told.
"""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.edits import Author, Tree
from tests.workspaces import commit_all, git, keel_inside, write_files

SEEDS = range(4)
EDITS = 3
UNCOUNTED = ("--session", "ci")
"""Before the circuit breaker, which alone changes a severity with time."""
KEPT = (".git", ".keel")
ROOTS = {".keel/config.toml": '[workspace.roots]\none = "one"\ntwo = "two"\n'}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_trees_give_the_same_findings(seed: int, tmp_path: Path) -> None:
    author = Author(random.Random(seed).randrange)
    tree = author.tree()
    history = [tree]
    here = write_files(tmp_path / "here", {**ROOTS, **tree})
    commit_all(here)
    for number in range(EDITS):
        git(here, "checkout", "-q", "-B", "topic", "main")
        tree = author.edit(tree, history)
        history.append(tree)
        become(here, tree)
        expected = findings(here, "compile", *UNCOUNTED)
        assert findings(here, "compile", *UNCOUNTED) == expected, "asked again"
        commit_all(here)
        assert findings(here, "review", "--base", "main") == expected, "reviewed"
        assert findings(here, "compile", "--since", "main", *UNCOUNTED) == expected, "compiled since"
        git(tmp_path, "clone", "-q", "here", f"clone{number}")
        clone = tmp_path / f"clone{number}"
        assert findings(clone, "compile", "--since", "origin/main", *UNCOUNTED) == expected, "in a fresh clone"
        assert findings(clone, "review", "--base", "origin/main") == expected, "reviewed there"
        git(here, "checkout", "-q", "-B", "main", "topic")


def become(folder: Path, tree: Tree) -> None:
    """Makes the folder hold a tree, and nothing else but what is kept for git and keel."""
    for entry in folder.iterdir():
        if entry.name not in KEPT:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    write_files(folder, tree)


def findings(folder: Path, *words: str) -> dict[str, Any]:
    """What is answered, but for the names of the command and of the base."""
    session = ("--session", "git") if words[0] == "compile" else ()
    said = keel_inside(folder, *words, *session, "--json", "--verbose")
    assert said.code in (0, 1), said.err
    found: dict[str, Any] = json.loads(said.out)
    info = {name: value for name, value in found["info"].items() if name != "base"}
    return {**found, "command": "", "info": info}
