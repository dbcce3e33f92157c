"""Pausing garbage collection while very many values are created that all stay alive.

Where it is worth it is left to the stages of the pipeline.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_pause() -> Iterator[None]:
    """Turns garbage collection off within the block, if it was on."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
