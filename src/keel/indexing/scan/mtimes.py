"""Whether an mtime can be trusted: a write shortly before a scan may be followed by another with the same mtime.

All comparisons of mtimes use it; what to do in doubt is left to the caller.
"""

from __future__ import annotations

TICK = 50_000_000
"""Two writes this close (in nanoseconds) can have the same mtime."""
COARSE_TICK = 2_000_000_000
"""The same, on a file system with mtimes in whole seconds."""
SECOND = 1_000_000_000


def is_racy(mtime_ns: int, looked_ns: int) -> bool:
    """Whether a file or folder with this mtime may have changed after the scan without its mtime showing it."""
    if mtime_ns < looked_ns - COARSE_TICK:
        return False
    return mtime_ns >= looked_ns - (TICK if mtime_ns % SECOND else COARSE_TICK)
