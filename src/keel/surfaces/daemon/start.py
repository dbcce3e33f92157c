"""Starts the daemon as a detached process: the command that starts it neither waits for it nor shares its streams.

That only one runs is left to its lock. Whether one is wanted is read from the environment and the configuration.
"""

from __future__ import annotations

import os
import sys
import time

from keel.daemon import is_off, is_safe, lock_of, runtime_folder
from keel.surfaces.daemon.client import workspace_above

PAUSE = 5.0
"""Seconds before another start is tried: one may be under way, or has just failed."""


def start_where_wanted(folder: str = "") -> bool:
    """Starts one for a workspace folder, or the one around it, unless it is turned off or was just tried."""
    from keel import config
    from keel.errors import ConfigError

    if is_off():
        return False
    try:
        mapped = workspace_above(folder or os.path.realpath("."))
        return bool(mapped) and config.load(mapped).daemon.enabled and not _is_tried(mapped) and start(mapped)
    except (ConfigError, OSError):
        return False


def start(folder: str) -> bool:
    """Starts the daemon of a workspace folder; whether it could be."""
    if sys.platform != "linux" or not sys.executable or not _has_place():
        return False
    # Not `-m` alone: that would import keel and its dependencies from the current folder.
    words = [sys.executable, "-P", "-m", "keel", "serve", "--detached", "--workspace", folder]
    nothing = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    try:
        os.posix_spawn(sys.executable, words, os.environ, file_actions=nothing, setsid=True)
    except (OSError, NotImplementedError):
        return False
    return True


def _has_place() -> bool:
    """Whether the folder of sockets is usable, or can be made."""
    place = runtime_folder()
    return is_safe(place) or not os.path.lexists(place)


def _is_tried(folder: str) -> bool:
    try:
        return abs(time.time() - os.stat(lock_of(folder)).st_mtime) < PAUSE
    except OSError:
        return False
