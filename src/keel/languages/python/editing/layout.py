"""Layout of lists: removing an entry with its comma and its comment, and line endings.

Which entry is removed is left to `calls.py` and `names.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from keel.model.edits import Edit

_comma = re.compile(rb"\s*,")
_line_rest = re.compile(rb"[ \t]*(#[^\r\n]*)?\r?\n")


def line_end(source: bytes) -> bytes:
    """How the lines of a text end."""
    return b"\r\n" if b"\r\n" in source else b"\n"


def without(source: bytes, entries: Sequence[Node], gone: Node) -> list[Edit]:
    """One entry of a list less, with a comma; where it has lines of its own, with these and their comment."""
    index = entries.index(gone)
    line = source.rfind(b"\n", 0, gone.start_byte) + 1
    comma = _comma.match(source, gone.end_byte)
    end = comma.end() if comma else gone.end_byte
    rest = _line_rest.match(source, end)
    if rest and gone.next_sibling is not None and not source[line : gone.start_byte].strip():
        whole = Edit(line, rest.end(), b"")
        return [whole] if comma or not index else [whole, _comma_behind(source, entries[index - 1])]
    if index and b"#" not in source[entries[index - 1].end_byte : gone.start_byte]:
        return [Edit(entries[index - 1].end_byte, gone.end_byte, b"")]
    return [Edit(gone.start_byte, entries[index + 1].start_byte if index + 1 < len(entries) else end, b"")]


def _comma_behind(source: bytes, entry: Node) -> Edit:
    """The comma behind an entry that becomes the last."""
    comma = _comma.match(source, entry.end_byte)
    return Edit(entry.end_byte, comma.end() if comma else entry.end_byte, b"")
