"""Source text: bytes of a file as the UTF-8 that is parsed.

Declared encodings (PEP 263) and byte order marks are honoured; bytes that do not decode are replaced, never fatal.
Positions in facts are positions in this text. Parsing is left to `grammar`.
"""

from __future__ import annotations

import re

BOM = b"\xef\xbb\xbf"
_DECLARED = rb"\A(?:[ \t\f]*(?:#[^\n]*|\r?)\n)??[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)"


def as_utf8(data: bytes) -> bytes:
    """The text of a Python file, as UTF-8 with line feeds."""
    if data.startswith(BOM):
        data = data[3:]
        if not _is_utf8(data):
            data = data.decode("utf-8", "replace").encode()
    elif b"coding" in data[:400] or not _is_utf8(data):
        data = _decoded(data)
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    return data


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decoded(data: bytes) -> bytes:
    match = re.match(_DECLARED, data)
    name = match[1].decode("ascii", "replace") if match else "utf-8"
    try:
        return data.decode(name, "replace").encode("utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace").encode()
