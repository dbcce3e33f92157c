"""Ids: the stable names of nodes, made and parsed in one place.

An id is `<prefix>:<root>:<path>:<qualified_name>[#n]`; paths use `/` and are escaped by `escape_path`, so that an id is
always printable UTF-8 on one line. Which nodes exist is left to the languages.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SYMBOL, FILE = "sym", "file"
PREFIXES = (SYMBOL, FILE, "pkg", "route", "client", "producer", "tool")
PREFIX_OF = {0: FILE, 20: "route", 21: "client", 22: "producer"}
"""The prefix of ids by the number of the node's kind (`model/kinds.py`, which costs start-up time), unless it is
`sym`."""
MODULE = "<module>"

_UNSAFE = re.compile(r"[%\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]")
_ESCAPED = re.compile(r"%([0-9A-F]{2})|%u([0-9A-F]{4})")


class Id(NamedTuple):
    """The parts of an id."""

    prefix: str
    root: str
    path: str
    qualified_name: str
    occurrence: int = 1

    def __str__(self) -> str:
        if self.prefix == "file":
            return f"file:{self.root}:{self.path}"
        tail = f"#{self.occurrence}" if self.occurrence > 1 else ""
        return f"{self.prefix}:{self.root}:{self.path}:{self.qualified_name}{tail}"


def parse_id(text: str) -> Id | None:
    """The parts of an id of this workspace, or None when the text is not one.

    A path may have colons; a root and a qualified name of Python may not, so the first two colons and the last one
    split the text. Rust names have `::`, which never splits.
    """
    prefix, _, rest = text.partition(":")
    root, found, rest = rest.partition(":")
    if prefix not in PREFIXES or not found or not root:
        return None
    if prefix == "file":
        return Id(prefix, root, rest, "") if rest else None
    cut = _last_single_colon(rest)
    if cut <= 0:
        return None
    name, occurrence = rest[cut + 1 :], 1
    head, mark, tail = name.rpartition("#")
    if mark and tail.isdecimal():
        name, occurrence = head, int(tail)
    return Id(prefix, root, rest[:cut], name, occurrence) if name else None


def _last_single_colon(text: str) -> int:
    at = text.rfind(":")
    while at > 0 and text[at - 1] == ":":
        at = text.rfind(":", 0, at - 1)
    return at


def escape_path(path: str) -> str:
    """A path as ids and answers show it.

    `path` comes from `os.fsdecode`, so bytes that are not UTF-8 are lone surrogates. They become `%XX`; control
    characters and `%` itself become `%XX` too, line separators `%uXXXX`. Everything else stays as it is.
    """
    return _UNSAFE.sub(_escape_one, path) if _UNSAFE.search(path) else path


def _escape_one(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"%{code - 0xDC00:02X}"
    return f"%{code:02X}" if code < 0x100 else f"%u{code:04X}"


def unescape_path(path: str) -> str:
    """The inverse of `escape_path`."""
    return _ESCAPED.sub(_unescape_one, path) if "%" in path else path


def _unescape_one(match: re.Match[str]) -> str:
    if match[2]:
        return chr(int(match[2], 16))
    code = int(match[1], 16)
    return chr(code) if code < 0x80 else chr(0xDC00 + code)
