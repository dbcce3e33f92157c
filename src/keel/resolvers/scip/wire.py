"""Decodes the wire format of protocol buffers, as far as an index needs it: fields by number, without copying.

Every length is checked against the end of the enclosing message, so that a truncated file, or no index at all, is an
error and never misread. The meaning of the fields is left to `index`. (The `protobuf` package would bring a native
extension and a compiled schema, each tied to the other's version. An index of httpx, two megabytes, is read here in 0.7
s.)
"""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MAX_VARINT_BYTES = 10
SIZES = {FIXED64: 8, FIXED32: 4}


class NotWire(ValueError):
    """Bytes that are no message; the text says where and why."""


Span = tuple[int, int]
"""Where a text or a message inside another begins and ends."""


def fields(data: bytes, begin: int, end: int) -> Iterator[tuple[int, int | Span]]:
    """The fields of a message by number: integers as values, everything with a length as its range."""
    at = begin
    while at < end:
        start = at
        key = data[at]
        if key < 0x80:
            at += 1
        else:
            key, at = _varint(data, at, end)
        kind = key & 7
        if kind == BYTES:
            length, at = _varint(data, at, end)
            if length > end - at:
                raise NotWire(f"at byte {start} something of {length} bytes begins, and {end - at} are left")
            yield key >> 3, (at, at + length)
            at += length
        elif kind == VARINT:
            value, at = _varint(data, at, end)
            yield key >> 3, value
        elif kind in SIZES:
            at += SIZES[kind]
            if at > end:
                raise NotWire(f"at byte {start} a number begins that is cut off")
        else:
            raise NotWire(f"at byte {start} there is a field of an unknown wire type ({kind})")


def varints(data: bytes, begin: int, end: int) -> list[int]:
    """Numbers that are packed one behind the other."""
    found = []
    at = begin
    while at < end:
        value, at = _varint(data, at, end)
        found.append(value)
    return found


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    for here in range(at, min(end, at + MAX_VARINT_BYTES)):
        byte = data[here]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, here + 1
        shift += 7
    raise NotWire(f"at byte {at} a number begins that has no end")
