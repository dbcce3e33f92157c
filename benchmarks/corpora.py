"""The code that is measured: pinned source packages, fetched once, each in a git repository of its own.

What is done to them is left to `house` and `peer`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from benchmarks.measure import environment

PINS = {
    "ansible-core": "2.19.14",
    "apache-airflow-core": "3.3.2",
    "apache-superset": "6.1.0",
    "buildbot": "4.3.0",
    "celery": "5.7.0",
    "checkov": "3.3.30",
    "cinder": "29.0.0",
    "django": "5.2.8",
    "django-ninja": "1.7.1",
    "docutils": "0.23",
    "fastapi": "0.162.4",
    "httpx": "0.28.1",
    "mlflow": "3.18.0",
    "networkx": "3.6.1",
    "nltk": "3.10.4",
    "nova": "34.0.0",
    "pip": "26.3",
    "prefect": "3.9.0",
    "pytest": "9.2.0",
    "scrapy": "2.19.0",
    "sphinx": "9.0.4",
    "sqlalchemy": "2.1.8",
    "twisted": "26.10.0",
    "wagtail": "8.0.1",
}
LEFT_BY_TOOLS = (".keel", ".codegraph", ".git/keel")
"""Folders that a measured tool makes in a corpus, caches of what it knew before among them: no part of it."""


class CorpusMissing(Exception):
    """A corpus could not be fetched or unpacked; the message says why."""


def cache_folder() -> Path:
    """Where corpora are kept: `KEEL_CORPORA`, else a git-ignored folder beside this file."""
    named = os.environ.get("KEEL_CORPORA")
    return Path(named).absolute() if named else Path(__file__).resolve().parent / ".corpora"


@cache
def corpus(name: str) -> Path:
    """The source tree of a pinned package, under git and as it was released."""
    folder = cache_folder() / f"{name}-{PINS[name]}"
    if not folder.is_dir():
        with _workshop() as room:
            _keep(_unpacked(_fetched(name, Path(room)), Path(room)), folder)
    git(folder, "checkout", "--quiet", "--", ".")  # a run that was killed may have left an edit
    return folder


def twice(name: str) -> Path:
    """Two copies of a corpus side by side in one repository."""
    folder = cache_folder() / f"{name}-{PINS[name]}-twice"
    if not folder.is_dir():
        original = corpus(name)
        with _workshop() as room:
            both = Path(room) / "both"
            for copy in ("one", "two"):
                ignored = shutil.ignore_patterns(".git", *LEFT_BY_TOOLS)
                shutil.copytree(original, both / copy, symlinks=True, ignore=ignored)
            _keep(both, folder)
    return folder


def forget(tree: Path) -> None:
    """Takes away everything that tools have made in a corpus."""
    for name in LEFT_BY_TOOLS:
        shutil.rmtree(tree / name, ignore_errors=True)


def _workshop() -> tempfile.TemporaryDirectory[str]:
    """A folder on the cache's own disk, so that what is finished is moved in whole."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(prefix="making-", dir=cache_folder())


def _fetched(name: str, room: Path) -> Path:
    # Only this package is held to source: `--no-binary :all:` would build its build tools from source too.
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name]
    done = subprocess.run(
        [*command, "--dest", str(room), f"{name}=={PINS[name]}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    archives = list(room.glob("*.tar.gz"))
    if done.returncode or len(archives) != 1:
        said = done.stderr.strip().splitlines() or ["pip gave no source package"]
        raise CorpusMissing(f"{name}=={PINS[name]} could not be fetched: {said[-1]}")
    return archives[0]


def _unpacked(archive: Path, room: Path) -> Path:
    with tarfile.open(archive) as tar:
        tar.extractall(room / "unpacked", filter="data")
    tops = list((room / "unpacked").iterdir())
    if len(tops) != 1:
        raise CorpusMissing(f"{archive.name} has {len(tops)} entries at its top instead of one folder")
    return tops[0]


def _keep(tree: Path, folder: Path) -> None:
    """Puts a tree under git and moves it to its place."""
    git(tree, "init", "--quiet")
    with (tree / ".git" / "info" / "exclude").open("a", encoding="utf-8") as exclude:
        exclude.writelines(f"/{name}/\n" for name in LEFT_BY_TOOLS)
    git(tree, "add", "--all")
    author = ("-c", "user.name=bench", "-c", "user.email=bench@example.com")
    git(tree, *author, "commit", "--quiet", "--message", "As released")
    with suppress(FileExistsError):  # another run was faster
        tree.rename(folder)


def git(folder: Path, *arguments: str) -> str:
    """What git says in a repository."""
    done = subprocess.run(
        ["git", "-c", "gc.auto=0", "-c", "core.autocrlf=false", *arguments],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        raise CorpusMissing(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout
