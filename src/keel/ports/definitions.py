"""The Definitions socket: a program outside of keel that knows what defines the name at a position.

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
    """The source span of a definition's name; a module as a whole is the empty range at the beginning of its file."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


Answer = tuple[Definition, ...] | None
"""The definitions of a name. Empty: the helper answered that there is none. None: the helper could not be asked."""


class Definitions(Protocol):
    """An open connection to a helper, which may fail at any moment.

    - Each question gives exactly one answer, in the order of the questions; answers are yielded as soon as they arrive.
    - A helper that is missing, crashes or hangs costs its answers and nothing else: they are None, nothing is raised,
      and `trouble` says why, once for all of them.
    - Questions are taken from the iterable only a little ahead of the answers that were consumed. Closing the generator
      drops the open questions; `ask` can be called again.
    """

    @property
    def available(self) -> bool:
        """Whether asking makes sense: the helper is installed, of a supported version, and has not been given up."""

    @property
    def trouble(self) -> HelperError | None:
        """The one warning to show to the user; None while there is no problem."""

    def ask(self, questions: Iterable[Position]) -> Generator[tuple[Position, Answer], None, None]:
        """Each question with its answer."""

    def close(self) -> None:
        """Ends the processes that were started for asking; after it, every answer is None."""


class Project(NamedTuple):
    """The subject of the questions: one root of the workspace."""

    folder: str
    """Absolute."""
    sources: Sequence[str] = ()
    """The folders that imports start from, absolute and in search order, those of the other roots behind its own."""
    is_whole: bool = True
    """Whether all its files are asked about, as by `map`, or only those that an edit affects."""


class Helper(NamedTuple):
    """A helper that answers for files of one language, and the tier its answers belong to."""

    name: str
    tier: int
    open: Callable[[Project, bool], AbstractContextManager[Definitions]]
    """Opens the helper for a project. True asks for the second opinion, which takes longer and is only asked about what
    the first left unanswered."""
    has_second_opinion: bool = False
    is_expensive: bool = False
    """Each answer takes long: it is only asked about references that are open, or less sure than by name, after the
    others."""
    is_off: bool = False
    """Not asked in this run, by the user's choice; its earlier answers still count."""
