"""Progress: one line on a terminal's standard error, once work takes longer than a second; or every step with its time.

What is reported, and when, is left to indexing and to `main.py`.
"""

from __future__ import annotations

import time

from keel.surfaces.cli.streams import complain, whisper

PATIENCE = 1.0
PAUSE = 0.1
CLEAR = "\r\033[K"


class Progress:
    """Shows the latest stage on a terminal."""

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
        self._write(f"{CLEAR}{stage} {done:,}/{total:,}")

    def step(self, text: str) -> None:
        """Ignored: steps are shown with `-v` only."""

    def finish(self) -> None:
        """Leaves the terminal's line as it was found."""
        if self._shown:
            self._shown = False
            self._write(CLEAR)

    def _write(self, text: str) -> None:
        try:
            whisper(text)
        except (OSError, ValueError):  # standard error was closed
            self._next = float("inf")


class Steps:
    """Prints each stage and step when it is over, with its time."""

    def __init__(self, started: float) -> None:
        self._since = started
        self._stage = ""
        self._total = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """A stage is over when the next stage or step is reported."""
        if stage != self._stage:
            self.finish()
        self._stage, self._total = stage, total

    def step(self, text: str) -> None:
        """Something was done or decided."""
        self.finish()
        self._say(text)

    def finish(self) -> None:
        """Prints the stage that was running."""
        if self._stage:
            self._say(f"{self._stage}: {self._total:,}")
            self._stage = ""

    def _say(self, text: str) -> None:
        now = time.perf_counter()
        complain(f"{(now - self._since) * 1000:8.1f} ms  {text}", "keel: ")
        self._since = now
