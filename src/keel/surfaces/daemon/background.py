"""Background work of the daemon: brings the graph up to date once file changes have settled.

A compile after a checkout then finds most of its work done. Helpers such as ty are not run: they are too expensive to
run without a request. Where files cannot be watched nothing is done here, and every request scans the files itself.
Watching is left to `indexing`, running the work to `worker.py`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import NamedTuple

from keel.config import FOLDER
from keel.errors import GraphMissing, KeelError
from keel.indexing.pipeline import bring_up_to_date
from keel.indexing.report import Report
from keel.indexing.watch.inotify import Watch
from keel.indexing.watch_set import folders_of, hard_links
from keel.querying.current_graph import index_context
from keel.surfaces.daemon.open_workspaces import OpenWorkspace
from keel.surfaces.daemon.worker import Worker

REST = 0.3
"""Seconds without a change before the files are scanned."""
MAX_DELAY = 3.0
"""Seconds after which they are scanned although changes go on."""


class Background:
    """Watches the files of a workspace; used by the thread of the server, which hands the work to the worker."""

    def __init__(
        self, kept: OpenWorkspace, worker: Worker, say: Callable[[str], None], wake: Callable[[], None]
    ) -> None:
        self._kept = kept
        self._worker = worker
        self._say = say
        self._wake = wake
        self._watch: Watch | None = None
        self._roots: tuple[str, ...] = ()
        self._first = self._latest = 0.0
        self._is_new = True  # whether there may be folders that are not watched
        self._under_way: Future[_Look] | None = None
        self._reported = self._problem = ""

    @property
    def state(self) -> str:
        """What is watched, in words."""
        watch = self._watch
        if watch is None:
            return "nothing yet"
        return f"nothing: {watch.problem}" if watch.problem else f"{watch.count:,} folders and files"

    def begin(self) -> None:
        """Scans everything once, and watches it from then on."""
        self._first = self._latest = time.monotonic() - MAX_DELAY

    def fileno(self) -> int:
        """The file descriptor to wait on, -1 for none."""
        return self._watch.fileno() if self._watch is not None else -1

    def pause(self, most: float) -> float:
        """How long to wait at most until `go_on`."""
        if not self._first or self._under_way is not None:
            return most
        due = min(self._latest + REST, self._first + MAX_DELAY)
        return min(most, max(0.0, due - time.monotonic()))

    def go_on(self) -> None:
        """Reads the events, and schedules a scan once changes have settled."""
        if self._under_way is not None and self._under_way.done():
            self._follow(self._under_way)
            self._under_way = None
        self._take_in()
        if self._first and self._under_way is None and not self.pause(1.0):
            self._first = 0.0
            self._under_way = self._worker.do(self._look, is_background=True)
            self._under_way.add_done_callback(lambda _: self._wake())

    def is_done_since(self, begun: float) -> None:
        """A request has brought the graph up to date, starting at this time: earlier changes need no scan."""
        if self._latest < begun and not self._is_new:
            self._first = 0.0

    def close(self) -> None:
        """Ends the watch."""
        self._kept.notices.end()

    def _take_in(self) -> None:
        touched = self._kept.notices.take() if self._watch is not None and not self._watch.problem else set()
        if touched is None or not all(map(_is_own, touched)):
            self._latest = time.monotonic()
            self._first = self._first or self._latest
            self._is_new = self._is_new or touched is None or any(map(os.path.isdir, touched))

    def _look(self) -> _Look:
        """Brings the graph up to date, and returns what to watch; run by the worker."""
        if not self._kept.has_same_graph():
            raise GraphMissing(self._kept.folder)  # a missing graph is not built without a request
        workspace = self._kept.open_for_itself()
        context = index_context(workspace)
        begun = time.monotonic()
        report = bring_up_to_date(context, asks=False)
        with workspace.store.reading() as reader:
            folders, deciding = folders_of(context, reader)
            linked = hard_links(context.roots, context.files(reader))
        return _Look(tuple(context.roots.values()), folders, deciding, linked, report, time.monotonic() - begun)

    def _follow(self, done: Future[_Look]) -> None:
        try:
            seen = done.result()
        except (KeelError, OSError) as trouble:
            # The same error is logged once; a client gets it with its own request.
            if str(trouble) != self._reported:
                self._say(f"could not bring the graph up to date: {trouble}")
            self._reported = str(trouble)
            return
        self._reported = ""
        if not seen.report.is_quiet:
            self._say(_shown(seen))
        if self._watch is None or self._roots != seen.roots:
            self.close()
            self._watch, self._roots = Watch(seen.roots), seen.roots
            self._kept.notices.begin(self._watch)
        self._is_new = False
        folders = [path for path in seen.folders if not _is_own(path)]
        self._kept.notices.follow(folders, seen.deciding, seen.linked)
        if self._watch.problem != self._problem:
            self._problem = self._watch.problem
            self._say(f"watches nothing, and scans at each request: {self._problem}")


class _Look(NamedTuple):
    roots: tuple[str, ...]
    folders: Iterable[str]
    deciding: Iterable[str]
    linked: Iterable[str]
    report: Report
    seconds: float


def _is_own(path: str) -> bool:
    """Whether keel itself writes there."""
    return f"{os.sep}{FOLDER}{os.sep}" in f"{path}{os.sep}"


def _shown(seen: _Look) -> str:
    report = seen.report
    counts = f"{report.added:,} added, {report.changed:,} changed, {report.removed:,} removed"
    return f"brought the graph up to date in {seen.seconds:.2f} s: {counts}, {report.linked:,} linked again"
