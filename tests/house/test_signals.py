"""The tests pass wherever they are started: also where a shell ignores signals, as in the background or under nohup."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.repository import TOP
from tests.workspaces import PATIENCE

ABOUT_SIGNALS = [
    "tests/unit/test_pool.py::test_ctrl_c_ends_all_workers_quietly[fork]",
    "tests/unit/test_lsp_outlive.py::test_no_server_outlives_a_killed_keel[1-sound]",  # 1 is SIGHUP
]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not ignored like this on Windows")
def test_processes_of_tests_can_be_interrupted_although_the_tests_cannot() -> None:
    ignoring = ["sh", "-c", 'trap "" INT HUP; exec "$@"', "sh"]
    running = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *ABOUT_SIGNALS]
    done = subprocess.run(
        [*ignoring, *running],
        cwd=TOP,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
