"""The TypeChecker socket: a type checker that reports what an edit has made wrong, and what it knows of a callee.

It compares two trees, base and now, and reports diagnostics that base did not have. What a diagnostic means for a
caller, and how it changes keel's own judgement, is left to enforcement. Lines and columns are counted from 1, columns
in bytes of UTF-8, as everywhere in keel; paths are absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from keel.errors import HelperError
from keel.ports.definitions import Position


class Meaning(Enum):
    """What a diagnostic is about, whatever the checker calls it."""

    ARITY = "arity"
    """Too few or too many arguments."""
    NAME = "name"
    """An argument is passed by a name that is not a parameter."""
    TYPE = "type"
    """A value has another type than is required there."""
    ATTRIBUTE = "attribute"
    """A name or an attribute does not exist."""
    IMPORT = "import"
    """A module, or a name of one, cannot be imported."""
    ASYNC = "async"
    """A result is not awaited, or is awaited and cannot be."""
    USE = "use"
    """A value is used in a way that its type does not support: called, subscripted, added."""


class Complaint(NamedTuple):
    """One diagnostic that is new since base."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    rule: str
    """The checker's name for the kind of diagnostic."""
    meaning: Meaning
    message: str


class Knowledge(Enum):
    """What a checker knows of a name where it is used, which decides whether the absence of a diagnostic is
    evidence."""

    NOTHING = "nothing"
    VALUE = "value"
    """That it exists, and its type; not its parameters."""
    SHAPE = "shape"
    """Its parameters, but not all their types."""
    TYPES = "types"


class Scene(NamedTuple):
    """The two trees of one root."""

    folder: str
    """The root."""
    sources: Sequence[str]
    """The folders that imports start from, in search order."""
    files: Mapping[str, object]
    """Every current file, with a mark that differs when the file was written since."""
    base: Mapping[str, object]
    """Every file of base, with a mark that differs when the content does."""
    before: Mapping[str, bytes | None]
    """The base content of the files that differ; None for one that did not exist. It may be read on demand."""


class TypeChecker(Protocol):
    """A checker that may be missing, crash or hang at any moment: that costs its evidence, and nothing else.

    - The same scene gives the same answers, whatever was asked before.
    - Several threads may call it at once.
    - It never raises: a failure is a None answer, and `trouble` says why.
    """

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def tier(self) -> int:
        """The tier of edges that it confirms."""

    @property
    def trouble(self) -> HelperError | None:
        """Why the last question had no answer; None while there is no problem."""

    def complaints(self, scene: Scene, paths: Sequence[str]) -> Sequence[Complaint] | None:
        """The diagnostics of current files that base did not have; None when the checker is not available."""

    def knowledge(self, scene: Scene, callees: Sequence[Position]) -> Sequence[Knowledge] | None:
        """What is known of the names at these positions of current files; None when the checker is not available."""

    def close(self) -> None:
        """Ends the processes that were started for asking; the next question starts them again."""


class Asking(NamedTuple):
    """A checker and what it is asked about; all of it is created on first use."""

    checker: Callable[[], TypeChecker | None]
    scene: Callable[[str], Scene]
    """The scene of a root, by its name."""
    path: Callable[[int], str]
    """The absolute path of a file, by its number."""
