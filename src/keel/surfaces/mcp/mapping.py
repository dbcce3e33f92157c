"""The first map of a workspace: made in the background, so that no call hangs until it is done.

It begins with the first call, not with the server: one that is started in some folder, and never called, reads nothing
there. A call meanwhile waits a moment, and then reports the progress. Later changes are left to the operations, which
bring the graph up to date.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from keel.bootstrap import GRAPH, open_workspace
from keel.errors import GraphUnfinished, StoreBusy
from keel.operations import sync
from keel.stores.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from keel.bootstrap import Workspace

PATIENCE = 5.0
"""Seconds that a call waits for the map: small workspaces are done by then."""
AT_A_TIME = 0.05


class FirstMap:
    """The making of a workspace's first graph, at most once at a time."""

    def __init__(self, folder: str, patience: float = PATIENCE) -> None:
        self._folder = folder
        self.patience = patience
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._trouble: Exception | None = None
        self._stage = ("", 0, 0)

    def is_running(self) -> bool:
        """Whether a graph is being built, which locks readers out."""
        return self._thread is not None

    def await_graph(self, workspace: Workspace) -> None:
        """Returns when there is a graph; raises GraphUnfinished when that takes long, or the error of the build."""
        with self._lock:
            if self._thread is None:
                self._stage = ("", 0, 0)
                self._thread = threading.Thread(target=self._make, name="keel first map", daemon=True)
                self._thread.start()
            thread = self._thread
        end = time.monotonic() + self.patience
        while thread.is_alive() and not _is_there(workspace):
            if time.monotonic() > end:
                raise GraphUnfinished(workspace.folder, *self._stage)
            workspace.progress(*self._stage)
            thread.join(AT_A_TIME)
        if not thread.is_alive():
            self._end(thread)

    def _make(self) -> None:
        try:
            sync.run(open_workspace(self._folder, self._folder, self._note), sync.Params())
        except Exception as trouble:  # the next call raises it
            self._trouble = trouble

    def _note(self, stage: str, done: int, total: int) -> None:
        self._stage = (stage, done, total)

    def _end(self, thread: threading.Thread) -> None:
        """The error of a map is raised once; the next call begins anew."""
        with self._lock:
            if self._thread is thread:
                self._thread = None
            trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble


def _is_there(workspace: Workspace) -> bool:
    """Whether the graph can be read, without waiting for a writer."""
    try:
        return SqliteStore(workspace.own_path(GRAPH), wait_seconds=0).exists()
    except StoreBusy:
        return False
