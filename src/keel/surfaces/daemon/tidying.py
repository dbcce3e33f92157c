"""Garbage: it is looked for when nobody waits, and mostly among what is new.

A process that keeps much would take longer to look through all of it than to answer. What is left after a look is set
aside, so that the next one is short; now and then all of it is looked through.
"""

from __future__ import annotations

import gc
import time

from keel.surfaces.daemon.worker import Worker

REST = 0.2
"""Seconds after an answer."""
MAX_OWED = 12
"""Answers after which it is done although more is asked."""
ALL_AFTER = 40
"""Looks among what is new, before all of it is looked through."""


class Tidying:
    """When to look for garbage; for the thread that waits, which hands the work to the worker."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._owed = self._looks = 0
        self._latest = 0.0

    def begin(self) -> None:
        """From now on garbage is looked for here alone."""
        gc.disable()

    def owe(self) -> None:
        """A question was answered."""
        self._owed += 1
        self._latest = time.monotonic()

    def pause(self, most: float) -> float:
        """How long to wait at most until `go_on`."""
        return min(most, max(0.0, self._latest + REST - time.monotonic())) if self._owed else most

    def go_on(self) -> None:
        """Has it done, if it is time."""
        if self._owed and (self._owed >= MAX_OWED or not self.pause(REST)):
            self._owed = 0
            self._worker.do(self._tidy, is_background=True)

    def _tidy(self) -> None:
        self._looks += 1
        if self._looks % ALL_AFTER == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
