"""Freshening: while a workspace is being asked about, its graph follows the files by itself.

Operations look at the files that their answer lies in; edges from others can be as old as the last sync. So the files
are looked at every few seconds, in a thread that takes a small part of one core and ends when nobody asks any more.
Helpers such as ty are left to the questions: asking them here would hold up a `compile` that waits to write.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress

from keel.bootstrap import open_workspace
from keel.errors import KeelError
from keel.indexing.pipeline import bring_up_to_date
from keel.operations._line import line_of

PAUSE = 2.0
"""Seconds between two looks."""
SHARE = 20
"""A look that takes long is followed by a pause that is so many times as long."""
IDLE = 300.0
"""Seconds after the last question at which nobody is taken to be asking."""


class Freshening:
    """Keeps the graph of a folder fresh, from one question to the next."""

    def __init__(self, folder: str, pause: float = PAUSE) -> None:
        self._folder, self._pause = folder, pause
        self._lock = threading.Lock()
        self._asked = 0.0
        self._is_running = False

    def note_question(self) -> None:
        """Somebody asks: the thread is started, or goes on."""
        with self._lock:
            self._asked = time.monotonic()
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, name="keel freshening", daemon=True).start()

    def _run(self) -> None:
        pause = self._pause
        while True:
            time.sleep(pause)
            with self._lock:
                if time.monotonic() - self._asked > IDLE:
                    self._is_running = False
                    return
            begun = time.monotonic()
            # What goes wrong is told to whoever asks next, since it goes wrong then, too.
            with suppress(KeelError, OSError):
                self._look()
            pause = max(self._pause, SHARE * (time.monotonic() - begun))

    def _look(self) -> None:
        workspace = open_workspace(self._folder, self._folder)
        if workspace.store.exists():
            bring_up_to_date(line_of(workspace), asks=False)
