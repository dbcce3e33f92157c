"""Progress: one line on a terminal's standard error, once work takes longer than a second.

What is being done is told by the write line; here it is only shown.
"""

from __future__ import annotations

import sys
import time

PATIENCE = 1.0
PAUSE = 0.1
CLEAR = "\r\033[K"


def progress_for(quiet: bool) -> Progress | None:
    """Something to tell, or None when nobody looks."""
    return None if quiet or not sys.stderr.isatty() else Progress()


class Progress:
    """Told of stages; shows the latest."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Shows how far a stage is, when it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PAUSE
        self._shown = True
        sys.stderr.write(f"{CLEAR}{stage} {done}/{total}")
        sys.stderr.flush()

    def finish(self) -> None:
        """Leaves the terminal's line as it was found."""
        if self._shown:
            self._shown = False
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
