"""Normalised text: what of a statement counts for hashes, namely its tokens and how deep it stands.

Comments, blank lines and spacing do not count. Where statements begin and end is left to the walk.
"""

from __future__ import annotations

import re

from keel.languages.python.extract.walk import Walk
from keel.model.hashing import digest64

_lumps = re.compile(
    rb"""(?:\s++|\#[^\n]*+|\\\r?\n)*+((?:
        [^\s\#\\"']++
      | \"\"\"[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+\"\"\"
      | '''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''
      | "[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"
      | '[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'
      | [^\s\#]
    )+)""",
    re.VERBOSE | re.DOTALL,
).findall
"""Stretches without blanks outside strings; comments and continued lines are passed over."""

_WORD = bytes(chr(code).isalnum() or code == 95 or code > 127 for code in range(256))


def keep_piece(w: Walk, start: int, end: int) -> bytes:
    """Adds a statement (or the head of a compound one) to what its owner's hash covers."""
    piece = _DEPTHS[min(w.depth, 255)] + tokens_of(w, start, end)
    w.pieces.append(piece)
    if w.cuts:
        w.cuts.clear()
    return piece


def tokens_of(w: Walk, start: int, end: int) -> bytes:
    """A stretch of source without comments, and with blanks only where they part two words.

    Interpolated strings are taken whole, since what stands inside them may hold quotes of its own.
    """
    text = w.source[start:end]
    if w.cuts:
        return _joined(_around_cuts(w, start, end))
    if b'"' in text or b"'" in text or b"#" in text or b"\\" in text:
        return _joined(_lumps(text))
    return _joined(text.split())


def _around_cuts(w: Walk, start: int, end: int) -> list[bytes]:
    lumps: list[bytes] = []
    for cut_start, cut_end in sorted(w.cuts):
        if start <= cut_start and cut_end <= end:
            lumps += _lumps(w.source, start, cut_start)
            lumps.append(w.source[cut_start:cut_end])
            start = cut_end
    lumps += _lumps(w.source, start, end)
    return lumps


def _joined(lumps: list[bytes]) -> bytes:
    if len(lumps) < 2:
        return lumps[0] if lumps else b""
    word = _WORD
    last = 0
    parts = []
    for lump in lumps:
        parts.append(b" " + lump if word[last] and word[lump[0]] else lump)
        last = lump[-1]
    return b"".join(parts)


_DEPTHS = tuple(b"%d\x1f" % depth for depth in range(256))


def body_hash(pieces: list[bytes]) -> int:
    """The hash of a definition's normalised body."""
    return digest64(b"\x1e".join(pieces))
