"""Packs sets of 48-bit keys into a column, six bytes each.

What the keys mean is left to the languages.
"""

from __future__ import annotations

import struct

LOWER = 0xFFFFFFFF


def pack(keys: set[int]) -> bytes:
    """Keys as the column `links.keys` holds them: six bytes each, the lower four of all of them first."""
    return struct.pack(f"<{len(keys)}I{len(keys)}h", *[key & LOWER for key in keys], *[key >> 32 for key in keys])


def unpack(packed: bytes) -> set[int]:
    """The inverse of `pack`."""
    count = len(packed) // 6
    parts = struct.unpack(f"<{count}I{count}h", packed)
    return {upper << 32 | lower for lower, upper in zip(parts[:count], parts[count:], strict=True)}
