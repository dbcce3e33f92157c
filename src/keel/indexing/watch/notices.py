"""Notices: what a watch has told since the graph was last brought up to date, for whoever brings it up to date.

One thread empties the watch's queue while it waits, another when it is asked: what either finds is noted here, with a
mark. Who looks at the files takes the mark first, and says so when the graph is what it saw: what was told after the
mark is kept for the next look. Nothing is taken as known before a look at everything that was followed by a watch.

What a watch is not told of is looked at every time: files with more than one name, which can be written by another; and
files that were ever touched while it watched, which somebody is at. That leaves whoever maps a file into memory, has it
open all the while, and writes nothing in another way: that is seen when it is closed, or by a command without a daemon.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from keel.indexing.watch.inotify import Watch

MAX_TOUCHED = 2_000
"""Paths that were ever touched; with more, everything is looked at once, and it begins anew."""


class Touched(NamedTuple):
    """What may have changed since the graph was last brought up to date."""

    mark: int
    """How far the notices reach that this is made of."""
    paths: Collection[str] | None
    """None when that is not known, and everything has to be looked at."""
    doubtful: Collection[str] = ()
    """Files to look at in any case."""
    watched: frozenset[str] = frozenset()
    """The folders, and the files that decide which files count, of which every change is told."""


class Notices:
    """What is touched in a workspace; for several threads."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._watch: Watch | None = None
        self._mark = 1
        self._unknown = 1
        """The last mark at which everything had to be looked at."""
        self._seen = 0
        """Until which mark everything that was told is in the graph."""
        self._pending: dict[str, int] = {}
        """What was told after that, each with its mark."""
        self._untold: set[str] | None = set()
        """What was told since the last `take`; None for anything."""
        self._linked: set[str] = set()
        self._ever: set[str] = set()

    def begin(self, watch: Watch) -> None:
        """From now on this is the watch that tells; what happened until now is not known."""
        with self._turn:
            self._watch = watch
            self._lose()

    def end(self) -> None:
        """Ends the watch; from now on nothing is known."""
        with self._turn:  # nobody may be reading what is closed here: its number can be another file's at once
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
        """What was touched since this was asked last; None when that is not known."""
        with self._turn:
            self._hear()
            told, self._untold = self._untold, set()
            return told

    def touched(self) -> Touched:
        """What was touched since the last look that reached the graph."""
        with self._turn:
            self._hear()
            if self._watch is None or self._watch.problem or self._seen < self._unknown:
                return Touched(self._mark, None)
            return Touched(self._mark, frozenset(self._pending), self._linked | self._ever, self._watch.covered)

    def settle(self, mark: int) -> None:
        """The graph is what a look saw that began with this mark."""
        with self._turn:
            self._seen = max(self._seen, mark)
            self._pending = {path: at for path, at in self._pending.items() if at > mark}

    def lose(self) -> None:
        """It is not known what the graph is made of: everything has to be looked at once."""
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
