"""Normalised text: what of a definition counts for hashes, namely its statements, their tokens and how deep they stand.

Comments, blank lines and spacing do not count. The walk collects the pieces; here they are boiled down once for each
definition, since doing it statement by statement costs twice as much.
"""

from __future__ import annotations

import re

from keel.languages.python.extract.walk import Walk
from keel.model.hashing import digest64

_apart = re.compile(
    rb'("""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""'
    rb"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    rb"|\#[^\n]*+|\\\r?\n)",
    re.DOTALL,
).split
"""Cuts text so that every second part is a string, a comment or a continued line."""

_DOUBLE, _SINGLE, _HASH, _BACKSLASH = b"\"'#\\"
"""Bytes as numbers: a number is found in bytes eight times as fast as bytes are."""
_WORD = bytes(chr(code).isalnum() or code == 95 or code > 127 for code in range(256))
_MARKS = tuple(b"\n\x1e%d " % depth for depth in range(1000))
"""Begin of a statement at a depth; the walk gives up before it gets deeper than these."""


def keep_piece(w: Walk, start: int, end: int) -> None:
    """Adds a statement (or the head of a compound one) to what its owner's hash covers."""
    text = w.source[start:end]
    if w.cuts:
        text = _without_cuts(w, start, end)
        w.cuts[:] = [cut for cut in w.cuts if cut[0] >= end]
    w.pieces += (_MARKS[w.depth], text)


def keep_digest(w: Walk, digest: int) -> None:
    """Adds a nested definition by its own hash, so that its text is read once."""
    w.pieces.append(_MARKS[w.depth] + b"\x1d%d" % digest)


def hash_of(pieces: list[bytes]) -> int:
    """The hash of pieces without comments, and with blanks only where they part two words."""
    return digest64(normalised(b"".join(pieces)))


def normalised(text: bytes) -> bytes:
    """Text without comments, and with blanks only where they part two words; strings stay as they are."""
    if _DOUBLE not in text and _SINGLE not in text and _HASH not in text and _BACKSLASH not in text:
        return _joined(text.split())
    lumps: list[bytes] = []
    for index, part in enumerate(_apart(text)):
        if not index & 1:
            lumps += part.split()
        elif part[0] not in b"#\\":
            lumps.append(part)
    return _joined(lumps)


def _joined(lumps: list[bytes]) -> bytes:
    word = _WORD
    last = 0
    parts = []
    for lump in lumps:
        parts.append(b" " + lump if word[last] and word[lump[0]] else lump)
        last = lump[-1]
    return b"".join(parts)


def _without_cuts(w: Walk, start: int, end: int) -> bytes:
    """Interpolated strings by their digest, since what stands inside them may hold quotes and marks of its own."""
    parts: list[bytes] = []
    for cut_start, cut_end in sorted(w.cuts):
        if start <= cut_start and cut_end <= end:
            digest = digest64(w.source[cut_start:cut_end])
            parts += (w.source[start:cut_start], b"\x1d%d\x1d" % digest)
            start = cut_end
    parts.append(w.source[start:end])
    return b"".join(parts)
