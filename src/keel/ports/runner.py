"""The Runner socket: where pure work on many items runs.

What the work is, is left to the caller; which runner is used, to `bootstrap.py`.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

T = TypeVar("T")
R = TypeVar("R")


class Lost(msgspec.Struct, Generic[T], frozen=True):
    """An item whose work failed, and why."""

    item: T
    why: str


class Runner(Protocol):
    """Where pure work on many items runs: this process, a process pool, a cluster.

    - Each item gives exactly one result or one `Lost`, in any order.
    - `work` is a top-level function; it, the items and the results can be pickled.
    - A failure on one item (an exception, a crash of the worker process) costs that item alone: `Lost(item,
      "ValueError: ...")`. All other items are still worked on.
    - Work may be repeated when a worker dies in between, so it must be pure.
    - Nothing starts before the first result is requested, and results are computed only a little ahead of their
      consumption. Closing the generator ends all that was started.
    """

    def run(self, work: Callable[[T], R], items: Sequence[T]) -> Generator[R | Lost[T], None, None]: ...
