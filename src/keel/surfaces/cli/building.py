"""Building the graph in the background: `keel map` in a process of its own, one at a time for a workspace.

Hooks use it, since an agent must not wait for a build. Building is left to `keel map`; its result is in the log of the
workspace.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from keel.bootstrap import BUILDING

if TYPE_CHECKING:
    from keel.bootstrap import Workspace

STALE = 600
"""Seconds after which, without locks, a build is taken to be over."""


def build(workspace: Workspace) -> bool:
    """Starts a build unless one is running; whether it was started."""
    workspace.prepare()
    lock = os.open(workspace.own_path(BUILDING), os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        if not _is_free(lock):
            return False
        # The child holds the lock as long as it lives, however it ends: nothing has to be cleaned up.
        _start(workspace.folder, (lock,))
        return True
    finally:
        os.close(lock)


def _is_free(lock: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows: there a lock is not handed on, and the time of the last start must do
        is_free = os.fstat(lock).st_size == 0 or time.time() - os.fstat(lock).st_mtime > STALE
        if is_free:
            os.truncate(lock, 0)
            os.write(lock, b"building\n")
        return is_free
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _start(folder: str, held: tuple[int, ...]) -> None:
    posix = {"pass_fds": held, "start_new_session": True} if os.name == "posix" else {}
    subprocess.Popen(
        [sys.executable, "-m", "keel", "map", "--quiet", "--workspace", folder],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **posix,  # type: ignore[call-overload]  # the names and types are those that it takes
    )
