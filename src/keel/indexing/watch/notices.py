"""Notices: the paths that a watch has reported since the graph was last brought up to date.

One thread empties the watch's queue while it waits, another before a query: what either reads is recorded here, with a
mark. A scan takes the mark first, and settles it when the graph equals what it saw: what was reported after the mark is
kept for the next scan. Nothing is taken as known before a full scan under a watch. Scanning is left to `indexing/scan`.

What a watch does not report is checked every time: files with more than one name, which can be written by another; and
files that were ever touched while it watched, which may be open. What remains is a process that maps a file into
memory, keeps it open, and writes in no other way: that is seen when it is closed, or by a command without a daemon.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from keel.indexing.watch.inotify import Watch

MAX_TOUCHED = 2_000
"""Paths that were ever touched; with more, everything is checked once, and it starts anew."""


class Touched(NamedTuple):
    """What may have changed since the graph was last brought up to date."""

    mark: int
    """The last notice that this includes."""
    paths: Collection[str] | None
    """None when that is not known, and everything has to be checked."""
    doubtful: Collection[str] = ()
    """Files to check in any case."""
    watched: frozenset[str] = frozenset()
    """The folders, and the files that decide which files count, of which every change is reported."""


class Notices:
    """The paths that are touched in a workspace; safe for several threads."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._watch: Watch | None = None
        self._mark = 1
        self._unknown = 1
        """The last mark at which everything had to be checked."""
        self._seen = 0
        """The mark up to which everything that was reported is in the graph."""
        self._pending: dict[str, int] = {}
        """What was reported after that, each with its mark."""
        self._untold: set[str] | None = set()
        """What was reported since the last `take`; None for anything."""
        self._linked: set[str] = set()
        self._ever: set[str] = set()

    def begin(self, watch: Watch) -> None:
        """Starts with a new watch; what happened before is not known."""
        with self._turn:
            self._watch = watch
            self._lose()

    def end(self) -> None:
        """Ends the watch; from now on nothing is known."""
        with self._turn:  # no thread may read a closed descriptor: its number can be another file's at once
            if self._watch is not None:
                self._watch.close()
            self._watch = None
            self._lose()

    def follow(self, folders: Iterable[str], deciding: Iterable[str], linked: Iterable[str]) -> None:
        """Watches these folders, and the files that decide which files count; `linked` have more than one name."""
        with self._turn:
            self._linked = set(linked)
            if self._watch is not None:
                self._watch.follow(folders, deciding)

    def take(self) -> set[str] | None:
        """What was touched since the last call; None when that is not known."""
        with self._turn:
            self._hear()
            told, self._untold = self._untold, set()
            return told

    def touched(self) -> Touched:
        """What was touched since the last scan that reached the graph."""
        with self._turn:
            self._hear()
            if self._watch is None or self._watch.problem or self._seen < self._unknown:
                return Touched(self._mark, None)
            return Touched(self._mark, frozenset(self._pending), self._linked | self._ever, self._watch.covered)

    def settle(self, mark: int) -> None:
        """The graph equals the result of a scan that began with this mark."""
        with self._turn:
            self._seen = max(self._seen, mark)
            self._pending = {path: at for path, at in self._pending.items() if at > mark}

    def lose(self) -> None:
        """The state of the graph is not known: everything has to be checked once."""
        with self._turn:
            self._lose()

    def _hear(self) -> None:
        """Empties the queue of the watch."""
        found = self._watch.changed() if self._watch is not None else set()
        if found is None:
            self._untold = None
            self._lose()
        elif found:
            self._mark += 1
            self._pending.update(dict.fromkeys(found, self._mark))
            self._ever |= found
            if self._untold is not None:
                self._untold |= found
            if len(self._ever) > MAX_TOUCHED:
                self._lose()

    def _lose(self) -> None:
        self._mark += 1
        self._unknown = self._mark
        self._pending.clear()
        self._ever.clear()
