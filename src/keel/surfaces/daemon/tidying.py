"""Garbage collection of the daemon: runs between requests, and mostly over new objects.

Collecting a whole cached graph would take longer than an answer. What survives a collection is frozen, so that the next
one is short; now and then everything is collected. Running it is left to `worker.py`.
"""

from __future__ import annotations

import gc
import time

from keel.surfaces.daemon.worker import Worker

REST = 0.2
"""Seconds after an answer."""
MAX_OWED = 12
"""Answers after which it runs although more requests come in."""
ALL_AFTER = 40
"""Collections of new objects before one of all objects."""


class Tidying:
    """Decides when to collect; used by the thread of the server, which hands the work to the worker."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._owed = self._looks = 0
        self._latest = 0.0

    def begin(self) -> None:
        """Turns automatic collection off: from now on only this collects."""
        gc.disable()

    def owe(self) -> None:
        """A request was answered."""
        self._owed += 1
        self._latest = time.monotonic()

    def pause(self, most: float) -> float:
        """How long to wait at most until `go_on`."""
        return min(most, max(0.0, self._latest + REST - time.monotonic())) if self._owed else most

    def go_on(self) -> None:
        """Schedules a collection, if it is time."""
        if self._owed and (self._owed >= MAX_OWED or not self.pause(REST)):
            self._owed = 0
            self._worker.do(self._tidy, is_background=True)

    def _tidy(self) -> None:
        self._looks += 1
        if self._looks % ALL_AFTER == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
