"""Runs the work in this process, one item after the other: for few items, and for debugging.

Crashes of the process are left to `pool`: here they end keel itself.
"""

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

import msgspec

from keel.ports.runner import Lost

T = TypeVar("T")
R = TypeVar("R")


class InlineRunner(msgspec.Struct, frozen=True):
    """A `Runner` without any process of its own."""

    def run(self, work: Callable[[T], R], items: Sequence[T]) -> Generator[R | Lost[T], None, None]:
        """Work the items in order, each when its result is asked for."""
        for item in items:
            yield attempt(work, item)


def attempt(work: Callable[[T], R], item: T) -> R | Lost[T]:
    """The result for one item, or what was raised instead."""
    try:
        return work(item)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # not Exception: a panic in a Rust extension is none
        return Lost(item, described(error))


def described(error: BaseException) -> str:
    """An exception as one would read it at the end of a traceback."""
    text = str(error)
    name = type(error).__name__
    return f"{name}: {text}" if text else name
