"""What the graph remembers of the last commit is what git says of it, through edits, commits, branches and stashes.

That findings follow from it is tested elsewhere; here the remembered differences are held against those git is asked
for anew.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from keel.indexing.base.accepted_tree import accepted_tree
from keel.indexing.base.baseline import recall
from keel.indexing.base.differences import look_up
from keel.indexing.context import IndexContext
from keel.indexing.pipeline import bring_up_to_date
from keel.languages.python import language
from keel.model.hashing import content_hash
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from keel.stores.sqlite.store import SqliteStore
from tests.scanning import git
from tests.twins import inline

SEEDS = range(6)
STEPS = 14
NAMES = ("a.py", "b.py", "pkg/c.py", "pkg/d.py", "pyproject.toml")


class Hand:
    """A person at work in a repository."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder, self._dice = folder, dice
        self._number = 0
        self.deeds: tuple[Callable[[], None], ...] = (
            *(self.edit, self.edit, self.edit, self.remove, self.revert),
            *(self.commit, self.branch, self.stash, self.nothing),
        )

    def edit(self) -> None:
        self._number += 1
        file = self.folder / self._dice.choice(NAMES)
        file.parent.mkdir(exist_ok=True)
        is_source = file.suffix == ".py"
        where = f"[tool.setuptools.packages.find]\nwhere = ['s{self._number % 3}']\n"
        text = f"def f{self._number % 4}(): ...\n" if is_source else where
        file.write_text(text, encoding="utf-8")

    def remove(self) -> None:
        (self.folder / self._dice.choice(NAMES)).unlink(missing_ok=True)

    def revert(self) -> None:
        git(self.folder, "checkout", "-q", "HEAD", "--", ".")

    def commit(self) -> None:
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "--allow-empty", "-m", f"step {self._number}")

    def branch(self) -> None:
        self.commit()
        git(self.folder, "checkout", "-q", "-B", f"b{self._number % 3}", "HEAD~1")

    def stash(self) -> None:
        git(self.folder, "stash", "-q", "-u")

    def nothing(self) -> None: ...


@pytest.mark.parametrize("seed", SEEDS)
def test_remembered_is_looked_up(seed: int, tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "-q")
    hand = Hand(folder, random.Random(seed))
    for _ in range(2):
        hand.edit()
        hand.commit()
    graph, cache = SqliteStore(tmp_path / "graph.db"), SqliteFactsCache(tmp_path / "cache.db")
    line = IndexContext({"tree": str(folder)}, [language], graph, cache, inline)
    recalled = 0
    for step in range(STEPS):
        random.Random(f"{seed} {step}").choice(hand.deeds)()
        bring_up_to_date(line)
        for _ in range(2):  # the second time it is remembered, if it can be
            with line.store.reading() as reader:
                files = reader.files()
                recalled += recall(line, reader, files) is not None
                found = accepted_tree(line, files, None, "", reader)
                told = look_up(line, files, None, "")
            assert dict(found.sources.contents) == dict(told.sources.contents)
            assert found.manifest_files == told.manifest_files
            assert {place: data and content_hash(data) for place, data in found.sources.items()} == dict(
                found.sources.contents
            )
    assert recalled > STEPS // 2
