"""Batches that nobody ends: noticed when they have expired, so that the log says so.

The deferred checks are made by the next compile, which somebody reads.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from keel.enforcement.session.batch import is_expired
from keel.enforcement.session.storage import recall


class Batches:
    """Looks at the memory of sessions now and then; each batch that is over is told once."""

    def __init__(self, path: str, say: Callable[[str], None], clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._say = say
        self._clock = clock
        self._reported: set[tuple[str, float]] = set()

    def look(self) -> None:
        """Tells of batches that have expired since the last look."""
        now = self._clock()
        open_ = {(each.name, each.batch.last): each.batch for each in recall(self._path).sessions if each.batch}
        expired = {key for key, batch in open_.items() if is_expired(batch, now)}
        for name, _ in sorted(expired - self._reported):
            session = f"of the session '{name}' " if name else ""
            self._say(f"the batch {session}ended: 60 seconds passed without a compile")
        self._reported = expired
