"""A map with one lethal file, in a process of its own: `python -m benchmarks.poison TREE` prints JSON.

Starting it and judging what it found is left to `survival`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from keel.indexing.context import IndexContext
from keel.indexing.pipeline import build
from keel.indexing.report import Report
from keel.languages.python import Python
from keel.languages.python.facts import Facts
from keel.runners.pool import PoolRunner
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from keel.stores.sqlite.store import SqliteStore

ROOT = "tree"
MANY = 10
"""Nodes of a file that is worth killing for: an empty one kills no process."""

Contents = dict[str, list[tuple[str, int, int]]]
"""Each file's nodes: qualified name, line and hash."""


class Poisoned(Python):
    """Python, but for one file: its reader dies as by a fault of the parser or for want of memory."""

    def __init__(self, path: str) -> None:
        self.path = path

    def extract(self, source: bytes, path: str) -> Facts:
        """The facts of any file but the lethal one, whose content it is that kills: an empty one does not."""
        if path == self.path and source:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().extract(source, path)


def main(tree: Path) -> None:
    """Maps the tree without and with poison, and prints what differs."""
    with tempfile.TemporaryDirectory() as folder:
        _, clean = _mapped(tree, Python(), Path(folder, "clean"))
        rich = sorted(path for path, nodes in clean.items() if len(nodes) >= MANY)
        lethal = rich[len(rich) // 2]
        report, poisoned = _mapped(tree, Poisoned(lethal), Path(folder, "poisoned"))
    others = clean.keys() - {lethal}
    found = {
        "named": len(report.lost) == 1 and lethal in report.lost[0],
        "lost": report.lost,
        "files": len(others),
        "different": sum(1 for path in others if poisoned.get(path) != clean[path]),
    }
    print(json.dumps(found))


def _mapped(tree: Path, language: Python, folder: Path) -> tuple[Report, Contents]:
    folder.mkdir()
    store = SqliteStore(folder / "graph.db")
    cache = SqliteFactsCache(folder / "facts.db")
    report = build(IndexContext({ROOT: str(tree)}, [language], store, cache, lambda files: PoolRunner()))
    with store.reading() as reader:
        return report, {
            file.path: [(node.qualified_name, node.line, node.hash) for node in reader.nodes(file.id)]
            for file in reader.files()
        }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
