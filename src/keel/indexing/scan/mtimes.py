"""Whether a modification time can be trusted: a write shortly before the look at a file may be followed by one unseen.

Everybody who compares times asks here; what to do in doubt is theirs to know.
"""

from __future__ import annotations

TICK = 50_000_000
"""Two writes this close (in nanoseconds) can leave one modification time."""
COARSE_TICK = 2_000_000_000
"""The same, where a file system keeps whole seconds."""
SECOND = 1_000_000_000


def is_racy(mtime_ns: int, looked_ns: int) -> bool:
    """Whether a file or folder with this time may have changed after the look without its time showing it."""
    if mtime_ns < looked_ns - COARSE_TICK:
        return False
    return mtime_ns >= looked_ns - (TICK if mtime_ns % SECOND else COARSE_TICK)
