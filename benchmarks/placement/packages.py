"""The packages that functions are moved in, mapped once each without a type checker.

They are chosen for their structure: several directories, each about something. The threshold is read off some of them
and reported on the others.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpora import corpus
from benchmarks.measure import Failed, environment
from keel.ports.store import GraphReader
from keel.stores.sqlite.store import SqliteStore

READ_OFF = {
    "celery": "celery/",
    "django": "django/",
    "networkx": "networkx/",
    "scrapy": "scrapy/",
    "wagtail": "wagtail/",
}
"""Packages that the threshold is read off, each with the folder of its source."""
HELD_OUT = {
    "ansible-core": "lib/ansible/",
    "pip": "src/pip/_internal/",
    "sphinx": "sphinx/",
    "sqlalchemy": "lib/sqlalchemy/",
    "twisted": "src/twisted/",
}
"""Those that it is reported on: nothing was chosen for their sake."""
MORE = {
    "apache-airflow-core": "src/airflow/",
    "apache-superset": "superset/",
    "buildbot": "buildbot/",
    "checkov": "checkov/",
    "cinder": "cinder/",
    "mlflow": "mlflow/",
    "nltk": "nltk/",
    "nova": "nova/",
    "prefect": "src/prefect/",
}
"""Further packages for duplicates alone, large applications most of them, since well-structured packages have few of
them; their tests are not read."""
COMPILED = ("celery", "pip", "scrapy", "sphinx")
"""Packages in which some of the moves are made as real edits: smaller ones, since each is a whole `keel compile`."""
SOURCES = {**READ_OFF, **HELD_OUT, **MORE}


def mapped(name: str) -> Path:
    """The tree of a package, with a graph of it as it was released."""
    tree = corpus(name)
    if name in MORE:
        (tree / ".keelignore").write_text("tests/\n", encoding="utf-8")
    run_keel(tree, "sync" if (tree / ".keel" / "graph.db").exists() else "map", "--quiet")
    return tree


def run_keel(tree: Path, *words: str) -> str:
    """What keel says in a tree, without a type checker; findings are no failure."""
    done = subprocess.run(
        [sys.executable, "-m", "keel", "--workspace", str(tree), *words],
        cwd=tree,
        env={**environment(), "KEEL_NO_TY": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode > 1:
        raise Failed(f"keel {words[0]} in {tree.name}: {done.stderr.strip()}")
    return done.stdout


@contextmanager
def graph_of(tree: Path) -> Iterator[GraphReader]:
    """The graph of a mapped tree."""
    with SqliteStore(str(tree / ".keel" / "graph.db")).reading() as reader:
        yield reader
