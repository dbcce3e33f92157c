"""Running keel where things are bad: as a user who may not read everything, in another environment, on a small disk.

What is bad about a workspace is each test's own business.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from keel.stores.sqlite.store import SqliteStore
from tests.graphdump import dump
from tests.workspaces import PATIENCE

KEEL = (sys.executable, "-m", "keel")
ORDINARY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""What root runs a command with, so that permissions hold for it as for anybody."""


def start(folder: Path, *words: str, env: Mapping[str, str | None] | None = None, ordinary: bool = False) -> Any:
    """Starts a command; `env` is laid over the environment, None takes a name out of it."""
    lead: Sequence[str] = _ordinary() if ordinary else ()
    return subprocess.Popen(
        [*lead, *KEEL, *words],
        cwd=folder,
        env=environment(env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="surrogateescape",
    )


def finished(running: Any) -> tuple[int, str, str]:
    """Exit code, answer and complaint of a command; one that hangs is a failure."""
    try:
        answer, complaint = running.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        running.kill()
        running.communicate()
        pytest.fail("keel hangs")
    return running.returncode, answer, complaint


def ok(folder: Path, *words: str, env: Mapping[str, str | None] | None = None, ordinary: bool = False) -> str:
    """What a command that succeeds says; it complains of nothing."""
    code, answer, complaint = finished(start(folder, *words, env=env, ordinary=ordinary))
    assert (code, complaint) == (0, "")
    return answer


def refused(
    folder: Path, *words: str, code: int = 2, env: Mapping[str, str | None] | None = None, ordinary: bool = False
) -> str:
    """The one line of a command that fails; it answers nothing, and it is no fault of keel."""
    ended, answer, complaint = finished(start(folder, *words, env=env, ordinary=ordinary))
    assert (ended, answer) == (code, ""), complaint
    [line] = complaint.splitlines()
    assert line.startswith("keel: ")
    assert "fault of keel" not in line
    return line.removeprefix("keel: ")


def answer_of(folder: Path, *words: str, ordinary: bool = False) -> Any:
    """A command's answer for programs."""
    return json.loads(ok(folder, *words, "--json", ordinary=ordinary))


def stored(folder: Path) -> str:
    """The graph as it lies on disk, whatever the files say by now; empty when there is none."""
    store = SqliteStore(folder / ".keel/graph.db")
    if not store.exists():
        return ""
    with store.reading() as reader:
        return dump(reader)


def names_in(folder: Path) -> set[str]:
    """All qualified names of the graph."""
    lines = map(json.loads, ok(folder, "export").splitlines())
    return {line["qualified_name"] for line in lines if line["type"] == "node"}


def environment(changes: Mapping[str, str | None]) -> dict[str, str]:
    """The environment with changes."""
    laid_over = {**os.environ, **changes}
    return {name: value for name, value in laid_over.items() if value is not None}


def _ordinary() -> Sequence[str]:
    if os.geteuid() != 0:
        return ()
    if not _can_lay_down_rights():
        pytest.skip("root may read everything here, and setpriv does not take that from it")
    return ORDINARY


@cache
def _can_lay_down_rights() -> bool:
    return bool(shutil.which(ORDINARY[0])) and subprocess.run([*ORDINARY, "true"], check=False).returncode == 0


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    """A file system of this size in the place of a folder; skips where none may be mounted."""
    folder.mkdir(exist_ok=True)
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={size}", "keel-test", str(folder)]
    if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(mounting, capture_output=True).returncode:
        pytest.skip("mounting a small disk needs Linux and the right to mount")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill_up(folder: Path) -> Path:
    """Takes all the space that is left on the disk of a folder; deleting the file gives it back."""
    path = folder / "filler"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(descriptor, b"\0" * 4096)
    except OSError:
        return path
    finally:
        os.close(descriptor)
