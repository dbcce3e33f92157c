"""`kill -9` and Ctrl-C at any moment: the graph is the old one or the new one, and the next run makes it right.

The moments are drawn from the time that an undisturbed run takes, so that they fall everywhere in it.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import KEEL, ok, stored
from tests.workspaces import PATIENCE, MakeWorkspace, write_files

MOMENTS = 20
FILES = 160
"""Enough for a pool of processes."""


def _texts(version: int) -> dict[str, str]:
    """Two states of a project in which half of the files differ, some come and some go."""
    texts = {}
    for n in range(FILES):
        turn = version if n % 2 else 0
        body = f"def f{turn}(x):\n    return m{(n + 1) % FILES}.f0(x)\n"
        texts[f"p/m{n}.py"] = f"from p import m{(n + 1) % FILES}\n\n\n{body}"
    texts[f"p/only{version}.py"] = f"from p import m1\nm1.f{version}(1)\n"
    return texts


def _become(folder: Path, version: int) -> None:
    write_files(folder, _texts(version))
    (folder / f"p/only{1 - version}.py").unlink(missing_ok=True)


@pytest.mark.parametrize("verb", ["map", "sync"])
def test_a_kill_at_twenty_moments(workspace: MakeWorkspace, verb: str) -> None:
    folder = workspace(_texts(0), "project")
    graphs = {}
    for version in (1, 0):
        _become(folder, version)
        began = time.monotonic()
        ok(folder, verb)
        whole = time.monotonic() - began
        graphs[version] = stored(folder)
    assert graphs[0] != graphs[1]
    chance = random.Random(verb)
    ended_early = 0
    for turn in range(MOMENTS):
        now = 1 - turn % 2
        _become(folder, now)
        ended_early += _killed(folder, verb, chance.uniform(0, whole))
        assert stored(folder) in graphs.values(), "neither the old graph nor the new one"
        ok(folder, "sync")
        assert stored(folder) == graphs[now]
    assert ended_early, "no kill came before the end"


def test_a_kill_of_the_first_map_leaves_none_or_all(workspace: MakeWorkspace) -> None:
    folder = workspace(_texts(0), "project")
    began = time.monotonic()
    ok(folder, "map")
    whole = time.monotonic() - began
    complete = stored(folder)
    chance = random.Random(0)
    for _ in range(6):
        for name in os.listdir(folder / ".keel"):
            (folder / ".keel" / name).unlink()
        _killed(folder, "map", chance.uniform(whole / 4, whole))
        assert stored(folder) in ("", complete)
        ok(folder, "sync")
        assert stored(folder) == complete


def test_an_interrupt_at_any_moment_is_told_in_a_line(workspace: MakeWorkspace) -> None:
    folder = workspace(_texts(0), "project")
    ok(folder, "map")
    before = stored(folder)
    chance = random.Random(1)
    for _ in range(6):
        running = _started(folder, "map", "--fresh")
        # Not while Python itself begins, which is not keel's to answer for.
        while running.poll() is None and not (folder / ".keel/graph.db-wal").exists():
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.3))
        with suppress(ProcessLookupError):  # it may have ended by now
            os.killpg(running.pid, signal.SIGINT)
        said, complained = running.communicate(timeout=PATIENCE)
        assert running.returncode in (0, 130, -signal.SIGINT)
        assert complained in (b"", b"keel: interrupted\n")
        assert said or running.returncode
        assert stored(folder) == before
    assert ok(folder, "sync").startswith("up to date")


def _killed(folder: Path, verb: str, moment: float) -> bool:
    """Kills the command, but none of its workers, at a moment; whether it had not ended before."""
    running = _started(folder, verb)
    time.sleep(moment)
    running.kill()
    running.communicate(timeout=PATIENCE)  # the end of the pipes: no worker holds them any more
    return running.returncode == -signal.SIGKILL


def _started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*KEEL, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
