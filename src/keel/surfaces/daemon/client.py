"""The client of the daemon: sends it a command and returns the answer, or None when the command must run itself.

Every failure of the daemon gives None: none listens, it is another version of keel, it ends or stops answering midway.
Nothing but progress is shown before the answer is complete. A daemon that sends no heartbeat is killed, so that the
next command starts a new one. Writing the answer is left to `cli/through.py`.
"""

from __future__ import annotations

import os

from keel.daemon import is_off, socket_of
from keel.surfaces.daemon.protocol import (
    ALIVE,
    ANSWER,
    ASIDE,
    ASK,
    frame,
    identity,
    is_sent,
    pack,
    receive,
    unpack,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Callable, Sequence

SILENCE = 3.0
"""Seconds without a heartbeat; one is sent every half second."""
PATIENCE = 240.0
"""Seconds that it may send heartbeats and nothing else."""
HOOK, HOOK_PATIENCE = "hook", 8.0
"""A hook waits less: it must have time left to do the work itself before the agent gives up on it."""


def workspace_above(folder: str) -> str:
    """The workspace with a graph that a folder seems to lie in; nothing when there is none.

    A guess without asking git: the daemon finds the workspace as every command does, and declines one that is not its
    own.
    """
    while True:
        if os.path.isfile(f"{folder}/.keel/graph.db"):
            return folder
        above = os.path.dirname(folder)
        # Where there is a configuration without a graph, or the repository ends, nothing further up counts.
        ends = os.path.isfile(f"{folder}/.keel/config.toml") or os.path.lexists(f"{folder}/.git")
        if ends or above == folder:
            return ""
        folder = above


def ask(words: Sequence[str], given: bytes, looks: Sequence[int], aside: Callable[[bytes], None]) -> list[bytes] | None:
    """The exit code and the pieces of an answer, each behind where it goes; None when there is none.

    `given` is the standard input, `looks` are the columns of the terminals behind the three streams, 0 for none.
    Progress goes to `aside`.
    """
    if is_off():
        return None
    try:
        here = os.path.realpath(".")
    except OSError:
        return None
    workspace = workspace_above(here)
    connection = connect(workspace) if workspace else None
    if connection is None:
        return None
    try:
        connection.sendall(frame(ASK, _question(here, words, given, looks)))
        return _answer(connection, aside, HOOK_PATIENCE if words[0] == HOOK else PATIENCE)
    except TimeoutError:
        _end(connection)
        return None
    except (OSError, EOFError, ValueError):
        return None
    finally:
        connection.close()


def tell(workspace: str, what: bytes) -> bytes | None:
    """The daemon's reply to a frame that is no command; None when there is no reply."""
    connection = connect(workspace)
    if connection is None:
        return None
    try:
        connection.sendall(frame(what, pack([identity()])))
        return receive(connection)[1]
    except (OSError, EOFError):
        return None
    finally:
        connection.close()


def connect(workspace: str) -> socket | None:
    """The daemon of a workspace, if it listens and belongs to this user."""
    try:
        import _socket  # without the conveniences of `socket`, which take longer than the question
    except ImportError:
        return None
    if not hasattr(_socket, "AF_UNIX") or not hasattr(_socket, "SO_PEERCRED"):
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(SILENCE)
        connection.connect(socket_of(workspace))
        if peer_of(connection)[1] == os.getuid():
            return connection
    except OSError:
        pass
    connection.close()
    return None


def peer_of(connection: socket) -> tuple[int, int]:
    """The process and the user on the other side of a socket."""
    import _socket

    said = memoryview(connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)).cast("i")
    return said[0], said[1]


def _question(here: str, words: Sequence[str], given: bytes, looks: Sequence[int]) -> bytes:
    environment = [os.fsencode(f"{name}={value}") for name, value in os.environ.items() if is_sent(name)]
    columns = " ".join(map(str, looks)).encode()
    typed = [os.fsencode(word) for word in words]
    return pack([identity(), os.fsencode(here), columns, pack(typed), pack(environment), given])


def _answer(connection: socket, aside: Callable[[bytes], None], patience: float) -> list[bytes] | None:
    from time import monotonic

    until = monotonic() + patience
    while monotonic() < until:
        kind, data = receive(connection)
        if kind == ASIDE:
            aside(data)
        elif kind != ALIVE:
            return unpack(data) if kind == ANSWER else None
    return None


def _end(connection: socket) -> None:
    from _signal import SIGKILL  # type: ignore[import-not-found]  # part of the interpreter, without a stub

    try:  # noqa: SIM105  `contextlib` takes longer to load than the rest
        os.kill(peer_of(connection)[0], SIGKILL)
    except OSError:
        pass
