"""Two graphs of one project: one kept up to date edit by edit, one made anew; they must never differ.

What is edited is left to `tests.edits`; this writes trees to disk and runs the real write line on them, with the real
store, as `sync` and `map` do.
"""

from __future__ import annotations

import difflib
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from keel.indexing.context import IndexContext
from keel.indexing.pipeline import bring_up_to_date, build
from keel.languages.python import language
from keel.ports.definitions import Helper
from keel.ports.language import Language
from keel.ports.runner import Runner
from keel.runners.inline import InlineRunner
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from keel.stores.sqlite.store import SqliteStore
from tests.edits import Tree
from tests.graphdump import dump
from tests.meaning import FakeEmbedder

ROOTS = ("one", "two")
SOON = time.time_ns() + 3600 * 10**9
"""A time that no look is later than: a file that bears it is told apart by its content alone."""


def inline(_: int) -> Runner:
    """A runner in this process, however many files there are."""
    return InlineRunner()


class Twins:
    """A project on disk below a folder, and the graph that follows it."""

    def __init__(
        self,
        folder: Path,
        same_time: bool = False,
        helpers: Sequence[Helper] = (),
        languages: Sequence[Language] = (language,),
    ) -> None:
        self._folder, self._languages = folder, languages
        self._embedder = None if helpers else FakeEmbedder()
        self._helpers = {language.name: helpers} if helpers else {}
        self._same_time = same_time
        self._tree: Tree = {}
        for root in ROOTS:
            (folder / root).mkdir(parents=True)

    def become(self, tree: Mapping[str, str]) -> None:
        """Makes the files those of the tree, touching only those that differ."""
        for path in self._tree.keys() - tree.keys():
            (self._folder / path).unlink()
        for path in sorted(self._tree.keys() - tree.keys()):
            self._prune((self._folder / path).parent)
        for path, text in tree.items():
            if self._tree.get(path) != text:
                self._write(self._folder / path, text)
        self._tree = dict(tree)

    def _write(self, file: Path, text: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        if self._same_time or len(text) % 3 == 0:
            os.utime(file, ns=(SOON, SOON))

    def _prune(self, folder: Path) -> None:
        while folder.parent != self._folder and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent

    def sync(self, asks: bool = True) -> str:
        """The dump of the graph that lives on, after it was brought up to date; who is in a hurry asks no helper."""
        line = self._line(self._folder / "kept.db", self._folder / "cache.db")
        bring_up_to_date(line, asks=asks)
        with line.store.reading() as graph:
            return dump(graph)

    def map(self) -> str:
        """The dump of a graph made of the files as they are, with no past."""
        fresh = self._folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        line = self._line(fresh / "graph.db", fresh / "cache.db")
        build(line)
        with line.store.reading() as graph:
            return dump(graph)

    def _line(self, graph: Path, cache: Path) -> IndexContext:
        roots = {root: str(self._folder / root) for root in ROOTS}
        return IndexContext(
            roots,
            self._languages,
            SqliteStore(graph),
            SqliteFactsCache(cache),
            inline,
            self._helpers,
            embedder=lambda: self._embedder,
        )


def difference(kept: str, fresh: str) -> str:
    """Where two dumps part, for people: `-` was kept wrongly, `+` is missing."""
    lines = difflib.unified_diff(kept.splitlines(), fresh.splitlines(), "incremental", "full", lineterm="", n=0)
    return "\n".join(lines)
