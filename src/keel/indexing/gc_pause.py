"""No garbage collection while a great many values are made that are no garbage.

Who makes them is left to the stages of the write line.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_pause() -> Iterator[None]:
    """Turns garbage collection off for a while, if it was on."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
