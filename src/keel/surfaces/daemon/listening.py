"""The socket of a workspace, held by one process: it takes the lock, then listens.

A socket that a dead process left behind is replaced, since its lock is free. What is sent over it is left to
`protocol.py`.
"""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from keel.daemon import is_safe, lock_of, runner_of, runtime_folder, socket_of
from keel.errors import WorkspaceError

WAITING = 64
"""How many clients can wait to be accepted."""


class Taken(Exception):
    """Another process serves the workspace already; its process id."""


@contextmanager
def listening(folder: str) -> Iterator[socket.socket]:
    """The socket of a workspace folder, for as long as the block lasts; Taken when another process has it."""
    with _lock(folder), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        path = socket_of(folder)
        with suppress(FileNotFoundError):
            os.remove(path)
        try:
            listener.bind(path)
        except OSError as error:
            raise WorkspaceError(f"cannot listen at {path}: {error.strerror}") from error
        try:
            os.chmod(path, 0o600)
            listener.listen(WAITING)
            yield listener
        finally:
            with suppress(FileNotFoundError):
                os.remove(path)


@contextmanager
def _lock(folder: str) -> Iterator[None]:
    place = runtime_folder()
    with suppress(FileExistsError):
        os.mkdir(place, 0o700)
    if not is_safe(place):
        raise WorkspaceError(f"{place} is not this user's own folder, so that no daemon listens there")
    path = lock_of(folder)
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Taken(runner_of(folder)) from None
        os.ftruncate(lock, 0)
        os.write(lock, b"%d\n" % os.getpid())
        yield
        os.ftruncate(lock, 0)
        os.utime(lock, (0, 0))  # it ended in good order: the next one may begin at once
    finally:
        os.close(lock)
