"""An environment that lacks what is usually there: a home, a temporary folder, standard input, a right clock."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import KEEL, answer_of, environment, ok, stored
from tests.workspaces import MakeWorkspace

FILES = {"a.py": "def f(): ...\n", "b.py": "from a import f\nf()\n"}
YEARS = 10**8
"""Seconds; about three years."""


@pytest.fixture
def folder(git_workspace: MakeWorkspace) -> Path:
    return git_workspace(FILES, "project")


@pytest.mark.parametrize(
    "lacking",
    [
        {"HOME": None, "XDG_CONFIG_HOME": None},
        {"HOME": "/nonexistent"},
        {"HOME": "relative"},
        {"TMPDIR": "/nonexistent", "TMP": "/nonexistent", "TEMP": "/nonexistent"},
        {"LC_ALL": "C", "LANG": None, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "xx_YY.nonsense"},
        {"TERM": None, "COLUMNS": "nonsense"},
        {"PYTHONOPTIMIZE": "2"},
    ],
    ids=lambda lacking: " ".join(lacking),
)
def test_what_is_lacking_is_not_missed(folder: Path, lacking: dict[str, str | None]) -> None:
    assert ok(folder, "map", env=lacking).startswith("mapped 2 files")
    assert ok(folder, "where", "f", env=lacking).startswith("a.py:1  function f")
    assert ok(folder, "export", env=lacking) == ok(folder, "export")


def test_a_closed_standard_input(folder: Path) -> None:
    for words in ("map", "sync", "where f"):
        done = subprocess.run(f"{' '.join(KEEL)} {words} <&-", shell=True, cwd=folder, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")


def test_a_current_folder_that_is_gone(folder: Path, tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        gone = tmp_path / "gone"
        gone.mkdir()
        script = 'rmdir "$0" && exec "$@"'
        command = ["sh", "-c", script, str(gone), *KEEL, *words]
        return subprocess.run(command, cwd=gone, env=environment({}), capture_output=True, encoding="utf-8")

    done = run("map")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "keel: the current folder is gone; change to one that is there\n"
    ok(folder, "map")
    done = run("where", "f", "--workspace", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a.py:1  function f")


@pytest.mark.parametrize("stamp", [2**32, 0, -YEARS, 2**33])
def test_times_that_cannot_be(folder: Path, stamp: float) -> None:
    """A clock that went back leaves times in the future: a change of equal size under an equal time is still seen."""
    for path in (folder / "a.py", folder):
        os.utime(path, (stamp, stamp))
    ok(folder, "map")
    assert ok(folder, "sync").startswith("up to date: 2 files")
    (folder / "a.py").write_text("def g(): ...\n", encoding="utf-8")
    if stamp > time.time():
        os.utime(folder / "a.py", (stamp, stamp))
    assert answer_of(folder, "sync")["changed"] == 1
    (folder / "new.py").write_text("def new(): ...\n", encoding="utf-8")
    if stamp > time.time():
        os.utime(folder, (stamp, stamp))
    assert answer_of(folder, "sync")["added"] == 1
    synced = stored(folder)
    ok(folder, "map", "--fresh")
    assert stored(folder) == synced
