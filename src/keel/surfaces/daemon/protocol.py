"""The protocol of the daemon's socket: frames of a kind and a length, and lists of bytes in them.

Both sides must be the same version of keel: a frame begins with an identity, and another one gets no answer. What a
request holds is left to `question.py`. Every quick command loads this module, so it imports next to nothing.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

ASK, STATUS = b"A", b"S"
"""Kinds of frames to the daemon: a command; a request for its state."""
ALIVE, ANSWER, ALONE, ASIDE = b".", b"a", b"n", b"p"
"""Kinds of frames from it: a heartbeat; the answer; a refusal, so that the client does the work; progress."""
OUT, ERR = b"o", b"e"
"""The stream that a piece of an answer is written to."""
WORDS = 4
"""Bytes of a length."""
MAX_BYTES = 256 * 1024 * 1024
PRESENTATION = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS")
PLACES = ("HOME", "XDG_CONFIG_HOME", "TMPDIR", "USER_SPACE", "LANG", "TZ")
CHOOSING = ("PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "_CONDA_ROOT", "PYTHONPATH")
"""The variables that decide which programs and packages are found."""
PREFIXES = ("KEEL_", "GIT_", "LC_", "TY_")


def identity() -> bytes:
    """Which keel this is: its version, its code, and the Python that runs it."""
    from keel import __file__, __version__

    return f"1 {__version__} {sys.hexversion:x} {sys.prefix} {__file__}".encode("utf-8", "surrogateescape")


def pack(parts: list[bytes]) -> bytes:
    """A list as bytes."""
    return b"".join(len(part).to_bytes(WORDS, "big") + part for part in parts)


def unpack(data: bytes) -> list[bytes]:
    """The list in these bytes; ValueError when they were not packed."""
    parts, at = [], 0
    while at < len(data):
        begin = at + WORDS
        at = begin + int.from_bytes(data[at:begin], "big")
        if at > len(data):
            raise ValueError("it ends too early")
        parts.append(data[begin:at])
    return parts


def frame(kind: bytes, data: bytes = b"") -> bytes:
    """A frame as bytes."""
    return kind + len(data).to_bytes(WORDS, "big") + data


def receive(connection: socket) -> tuple[bytes, bytes]:
    """The next frame; EOFError when the other side is gone, TimeoutError when it is silent."""
    head = _exactly(connection, 1 + WORDS)
    length = int.from_bytes(head[1:], "big")
    if length > MAX_BYTES:
        raise EOFError
    return head[:1], _exactly(connection, length)


def _exactly(connection: socket, length: int) -> bytes:
    parts = []
    while length:
        part = connection.recv(min(length, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def is_sent(name: str) -> bool:
    """Whether a variable of the environment matters to commands, and so is sent with a request."""
    return name.startswith(PREFIXES) or name in (*PLACES, *CHOOSING, *PRESENTATION)
