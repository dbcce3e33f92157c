"""The daemon of a workspace as its clients see it: its socket, its lock, whether it runs, and how to end it.

All processes of a user use the same private folder, whatever their environment. In it a workspace has a socket and a
lock, named by the hash of its path since the name of a socket is limited to about a hundred bytes. The process that
holds the lock is the daemon; the lock file holds its process id. What the daemon does is left to `surfaces/daemon`. The
command line loads this module before anything else, so it imports next to nothing.
"""

from __future__ import annotations

import os
import stat

OFF = "KEEL_NO_DAEMON"
"""When this is set in the environment, the daemon is neither used nor started."""
BUILD = "CI"
"""Set in CI, where a daemon would be thrown away after one command."""
NOT_SET = ("", "0", "false")
FEW_SECONDS = 10.0
"""Seconds that the daemon gets to end before it is killed."""


def is_off() -> bool:
    """Whether the environment turns the daemon off."""
    return any(os.environ.get(name, "").lower() not in NOT_SET for name in (OFF, BUILD))


def runtime_folder() -> str:
    """A folder of this user with a short name; whether it exists and is safe is left to `is_safe`."""
    user = os.getuid()
    given = f"/run/user/{user}"
    return f"{given}/keel" if _is_private(given) else f"/tmp/keel-{user}"


def is_safe(folder: str) -> bool:
    """Whether no other user can write to a folder."""
    return _is_private(folder)


def socket_of(workspace: str) -> str:
    """The socket that the daemon of a workspace folder listens on."""
    return f"{runtime_folder()}/{_name(workspace)}.socket"


def lock_of(workspace: str) -> str:
    """The file that the daemon locks, and that holds its process id."""
    return f"{runtime_folder()}/{_name(workspace)}.lock"


def runner_of(workspace: str) -> int:
    """The process id of the running daemon, or 0."""
    import fcntl

    try:
        lock = os.open(lock_of(workspace), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return 0
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        said = os.read(lock, 20).strip()
        return int(said) if said.isdigit() else 0
    finally:
        os.close(lock)
    return 0


def end(workspace: str, seconds: float = FEW_SECONDS) -> int:
    """Ends the daemon: by a signal, and by force when that takes too long; its process id, or 0 when none ran."""
    import signal
    import time

    running = runner_of(workspace)
    if not running:
        return 0
    until = time.monotonic() + seconds
    _kill(running, signal.SIGTERM)
    while runner_of(workspace) == running:
        if time.monotonic() > until:
            _kill(running, signal.SIGKILL)  # nothing is lost: what it writes is written whole or not at all
            until += seconds
        time.sleep(0.01)
    return running


def _kill(process: int, how: int) -> None:
    try:  # noqa: SIM105  `contextlib` takes longer to load than the rest
        os.kill(process, how)
    except ProcessLookupError:
        pass


def _name(workspace: str) -> str:
    from _blake2 import blake2b  # `hashlib` would load a library of ciphers

    return blake2b(os.fsencode(workspace), digest_size=10).hexdigest()


def _is_private(folder: str) -> bool:
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
