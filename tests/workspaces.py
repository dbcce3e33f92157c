"""Small projects on disk, and keel run on them: what the shared fixtures hand out.

The fixtures are in `conftest`; what a project should contain is each test's own business.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

PATIENCE = 300
"""Seconds after which a test gives up on a process: reached only where something is broken, on busy machines too."""


class MakeWorkspace(Protocol):
    """Writes the files into a folder of the test's own, and returns the folder."""

    def __call__(self, files: Mapping[str, str], name: str = "workspace") -> Path: ...


class RunKeel(Protocol):
    """Runs `keel` with these words in this folder, as a user would."""

    def __call__(self, args: Sequence[str], cwd: Path) -> subprocess.CompletedProcess[str]: ...


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write each text under its relative path, making folders on the way."""
    folder.mkdir(parents=True, exist_ok=True)
    for relative, text in files.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def commit_all(folder: Path) -> None:
    """Make the folder a git repository, if it is none yet, and commit everything in it."""
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "config", "user.name", "Test")
    _git(folder, "config", "user.email", "test@example.com")
    _git(folder, "add", "--all")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "state of the test")


def run_keel(args: Sequence[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own; a failure is for the test to judge."""
    return subprocess.run(
        [sys.executable, "-m", "keel", *args],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )


class CommandResult(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


def keel_inside(folder: Path, *words: str) -> CommandResult:
    """Run a command in this process, as if from a folder: for tests that ask often."""
    from keel.surfaces.cli.main import run

    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return CommandResult(code, out.getvalue(), err.getvalue())


def git(folder: Path, *words: str) -> str:
    """Run git, and give what it says."""
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def _git(folder: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=folder, stdin=subprocess.DEVNULL, check=True)
