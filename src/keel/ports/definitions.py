"""The Definitions socket: somebody outside of keel who knows what defines the name at a position.

What is made of the answers (edges, confidence, agreement with keel's own analysis) is left to linking. Lines and
columns are counted from 1, columns in bytes of UTF-8, as everywhere in keel; paths are absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from keel.errors import HelperError


class Position(NamedTuple):
    """Where an identifier begins."""

    path: str
    line: int
    column: int


class Definition(NamedTuple):
    """Where the name of a definition stands; a module as a whole is the very beginning of its file."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


Answer = tuple[Definition, ...] | None
"""The definitions of a name. Empty: it was asked for, and there is none. None: nobody could be asked."""


class Definitions(Protocol):
    """Somebody who can be asked, and who may break at any moment.

    - Each question gives exactly one answer, in the order of the questions; answers come as soon as they are there.
    - A helper that is missing, breaks or hangs costs its answers and nothing else: they are None, nothing is raised,
      and `trouble` says why, once for all of them.
    - Questions are taken from the iterable only a little ahead of the answers that were taken. Closing the generator
      drops what is still open; one can ask again.
    """

    @property
    def available(self) -> bool:
        """Whether asking makes sense: the helper is there, fit, and has not been given up."""

    @property
    def trouble(self) -> HelperError | None:
        """What is to be told to the user, in one warning; None while all is well."""

    def ask(self, questions: Iterable[Position]) -> Generator[tuple[Position, Answer], None, None]:
        """Each question with what is known about it."""

    def close(self) -> None:
        """Ends whatever was started for asking; after it, nothing is answered."""


class Project(NamedTuple):
    """What is asked about: one root of the workspace."""

    folder: str
    """Absolute."""
    sources: Sequence[str] = ()
    """The folders that imports start from, absolute and in search order, those of the other roots behind its own."""
    is_whole: bool = True
    """Whether all its files are asked about, as by `map`, and not just what an edit touches."""


class Helper(NamedTuple):
    """A helper that answers for files of one language, and the tier its answers belong to."""

    name: str
    tier: int
    open: Callable[[Project, bool], AbstractContextManager[Definitions]]
    """Somebody to ask about a project; for a second opinion, which takes longer and is asked only about what the first
    was silent on, when that is wanted."""
    has_second_opinion: bool = False
    is_expensive: bool = False
    """Asked only about what is open, or less sure than by a name, after those before it: each answer takes long."""
    is_off: bool = False
    """Not asked in this run, by the wish of whoever started it; what it said before still counts."""
