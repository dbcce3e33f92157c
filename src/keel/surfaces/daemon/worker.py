"""The daemon's worker thread: runs requests and background work one after the other, since the graph has one writer.

A job that fails costs its own result only. Which jobs there are is left to `server.py`.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """A thread that runs jobs in order; background work waits while there is anything else."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any], bool] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    def do(self, job: Callable[[], T], is_background: bool = False) -> Future[T]:
        """Queues a job; its future. One that is cancelled before its turn is not begun."""
        future: Future[T] = Future()
        self._jobs.put((job, future, is_background))
        return future

    def end(self, last: Callable[[], None], seconds: float) -> bool:
        """Runs a last job and ends; whether it ended within that time."""
        self.do(last)
        self._jobs.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (handed := self._jobs.get()) is not None:
            job, future, is_background = handed
            if is_background and not self._jobs.empty():
                self._jobs.put((job, future, False))  # behind the waiting jobs, once
                continue
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = job()
            except BaseException as trouble:  # the future carries it to the caller
                future.set_exception(trouble)
            else:
                future.set_result(result)
            del job, future, handed  # nothing of a request outlives it
