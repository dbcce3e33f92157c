"""Encodes and decodes messages: a header with the length of the body, then the body, which is JSON.

Headers are read tolerantly (any further fields, any case); invalid bytes are refused, since the beginning of the next
message would be unknown. The meaning of messages is left to `client`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Json = Any
"""A value that a server sends: its type is checked before use."""

MAX_HEAD_BYTES = 8_192
MAX_BODY_BYTES = 64 * 1024 * 1024
"""The largest body: a server that announces more is broken, and must not exhaust memory."""


class NoMessage(ValueError):
    """Bytes that are no message; the text says why."""


def framed(message: dict[str, Json]) -> bytes:
    """A message as it goes over the wire."""
    # Lone surrogates, as in names of files that are no UTF-8, are escaped: the body is always ASCII.
    body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Frames:
    """Assembles messages from bytes as they arrive."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._length: int | None = None
        """Of the body, once the head was read."""

    def feed(self, data: bytes) -> Iterator[dict[str, Json]]:
        """The messages that are whole with these bytes; NoMessage when there is something else."""
        self._bytes += data
        while True:
            if self._length is None:
                self._length = self._head()
            if self._length is None or len(self._bytes) < self._length:
                return
            body = bytes(self._bytes[: self._length])
            del self._bytes[: self._length]
            self._length = None
            yield _decoded(body)

    def _head(self) -> int | None:
        """Takes a head off the bytes, and gives the length it says; None when it is not whole yet."""
        length = None
        begin = 0
        while (end := self._bytes.find(b"\n", begin, MAX_HEAD_BYTES)) >= 0:
            line = bytes(self._bytes[begin:end]).strip()
            begin = end + 1
            if line:
                length = _length(line, length)
            else:
                del self._bytes[:begin]
                if length is None:
                    raise NoMessage("a head without Content-Length")
                return length
        if len(self._bytes) > MAX_HEAD_BYTES:
            raise NoMessage(f"no head in {MAX_HEAD_BYTES} bytes, which begin with {_shown(self._bytes)}")
        return None


def _length(line: bytes, known: int | None) -> int | None:
    """The length that one line of a head says, or what is known when it is about something else."""
    name, colon, value = line.partition(b":")
    if not colon:
        raise NoMessage(f"{_shown(line)} is no line of a head")
    if name.strip().lower() != b"content-length":
        return known
    try:
        length = int(value)
    except ValueError:
        length = -1
    if length < 0:
        raise NoMessage(f"{_shown(value.strip())} is no length")
    if length > MAX_BODY_BYTES:
        raise NoMessage(f"a message of {length} bytes, and the most is {MAX_BODY_BYTES}")
    return length


def _decoded(body: bytes) -> dict[str, Json]:
    try:
        message = json.loads(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise NoMessage(f"a message that is not UTF-8: {_shown(body)}") from None
    except ValueError:
        raise NoMessage(f"a message that is not JSON: {_shown(body)}") from None
    except RecursionError:
        raise NoMessage("a message that is nested too deeply") from None
    if not isinstance(message, dict):
        raise NoMessage(f"a message that is no object: {_shown(body)}")
    return message


def _shown(data: bytes | bytearray, most: int = 40) -> str:
    """The beginning of some bytes, fit for a message to people."""
    return repr(bytes(data[:most]))[1:] + ("…" if len(data) > most else "")
