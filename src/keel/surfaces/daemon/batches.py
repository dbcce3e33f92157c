"""Logs batches of compiles that were never ended, once they have expired.

The deferred checks are left to the next compile, whose report is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from keel.enforcement.session.batch import is_expired
from keel.enforcement.session.storage import recall


class Batches:
    """Polls the session file; each expired batch is logged once."""

    def __init__(self, path: str, say: Callable[[str], None], clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._say = say
        self._clock = clock
        self._reported: set[tuple[str, float]] = set()

    def look(self) -> None:
        """Logs batches that have expired since the last poll."""
        now = self._clock()
        open_ = {(each.name, each.batch.last): each.batch for each in recall(self._path).sessions if each.batch}
        expired = {key for key, batch in open_.items() if is_expired(batch, now)}
        for name, _ in sorted(expired - self._reported):
            session = f"of the session '{name}' " if name else ""
            self._say(f"the batch {session}ended: 60 seconds passed without a compile")
        self._reported = expired
