"""The Runner socket: where pure work on many items runs.

What the work is belongs to whoever calls; which runner is used is `bootstrap`'s choice.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

T = TypeVar("T")
R = TypeVar("R")


class Lost(msgspec.Struct, Generic[T], frozen=True):
    """An item that could not be worked, and why."""

    item: T
    why: str


class Runner(Protocol):
    """Where pure work on many items runs: this process, a process pool, a cluster.

    - Each item gives exactly one result or one `UnreachableTarget`, in any order.
    - `work` is a top-level function; it, the items and the results can be pickled.
    - What goes wrong with one item (an exception, a crash of the process that worked on it)
      costs that item alone: `UnreachableTarget(item, "ValueError: ...")`. Everything else is done.
    - Work may be done twice when a process dies in between, so it must be pure.
    - Nothing starts before the first result is asked for, and results are made only a little
      ahead of what is asked for. Closing the generator ends all that was started.
    """

    def run(self, work: Callable[[T], R], items: Sequence[T]) -> Generator[R | Lost[T], None, None]: ...
