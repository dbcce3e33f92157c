"""A request of a client: a command, with its folder, environment, terminals and standard input.

Its encoding is left to `protocol.py`, answering it to the function that the daemon is given.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from keel.surfaces.daemon.protocol import is_sent, unpack


class Question(NamedTuple):
    """A command that a client has sent."""

    identity: bytes
    """Which keel asks."""
    here: str
    words: tuple[str, ...]
    environment: Mapping[str, str]
    """Only what matters to commands."""
    columns: tuple[int, ...]
    """Of the terminals behind standard input, output and error; 0 where there is none."""
    given: bytes
    """The standard input."""
    aside: Callable[[bytes], None]
    """Shows something at once, on the client's standard error."""


class Answer(NamedTuple):
    """What a command wrote, each piece with its stream, and its exit code."""

    code: int
    pieces: list[bytes]


def question_in(data: bytes, aside: Callable[[bytes], None]) -> Question:
    """The request in a frame; ValueError when it is malformed."""
    identity, here, columns, words, environment, given = unpack(data)
    pairs = (os.fsdecode(pair).partition("=") for pair in unpack(environment))
    return Question(
        identity,
        os.fsdecode(here),
        tuple(map(os.fsdecode, unpack(words))),
        {name: value for name, _, value in pairs},
        tuple(map(int, columns.split())),
        given,
        aside,
    )


@contextmanager
def in_place_of(question: Question) -> Iterator[None]:
    """Within the block, this process is in the client's folder; it keeps the client's environment afterwards.

    Only one thread may do so. Background work uses the environment of the last client.
    """
    os.chdir(question.here)
    try:
        _take_on(question.environment)
        yield
    finally:
        os.chdir("/")  # no folder is kept from being removed


def _take_on(environment: Mapping[str, str]) -> None:
    for name in [name for name in os.environ if is_sent(name) and name not in environment]:
        del os.environ[name]
    for name, value in environment.items():
        if os.environ.get(name) != value:
            os.environ[name] = value
