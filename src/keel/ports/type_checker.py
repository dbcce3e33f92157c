"""The Witness socket: a type checker that says what an edit has made wrong, and what it knows of a callee.

It is shown two trees, base and now, and complains about what base was fine with. What a complaint means for a caller,
and what becomes of keel's own judgement, is left to enforcement. Lines and columns are counted from 1, columns in bytes
of UTF-8, as everywhere in keel; paths are absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from keel.errors import HelperError
from keel.ports.definitions import Position


class Meaning(Enum):
    """What a complaint is about, whatever the checker calls it."""

    ARITY = "arity"
    """Too few or too many arguments."""
    NAME = "name"
    """An argument is given by a name that is not taken."""
    TYPE = "type"
    """Something is of another type than is wanted there."""
    ATTRIBUTE = "attribute"
    """A name or an attribute is not there."""
    IMPORT = "import"
    """A module, or a name of one, cannot be imported."""
    ASYNC = "async"
    """A result is not awaited, or is awaited and cannot be."""
    USE = "use"
    """A value is used as its type cannot be: called, subscripted, added."""


class Complaint(NamedTuple):
    """One thing that is wrong now and was not in base."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    rule: str
    """What the checker calls it."""
    meaning: Meaning
    message: str


class Knowledge(Enum):
    """What a checker knows of a name where it is used, so that its silence there says something."""

    NOTHING = "nothing"
    VALUE = "value"
    """That it is there, and what it is; not how it is called."""
    SHAPE = "shape"
    """The parameters, but not all types."""
    TYPES = "types"


class Scene(NamedTuple):
    """The two trees of one root."""

    folder: str
    """The root."""
    sources: Sequence[str]
    """The folders that imports start from, in search order."""
    files: Mapping[str, object]
    """Every file as it is now, with a mark that differs when the file was written since."""
    base: Mapping[str, object]
    """Every file of base, with a mark that differs when the content does."""
    before: Mapping[str, bytes | None]
    """The content in base of the files that differ; None for one that was not there. It may be read on demand."""


class TypeChecker(Protocol):
    """A checker that may be missing, break or hang at any moment: that costs its word, and nothing else.

    The same scene gives the same answers, whatever was asked before. Several threads may ask.
    """

    @property
    def name(self) -> str:
        """What people are told it is called."""

    @property
    def tier(self) -> int:
        """The tier of what it confirms."""

    @property
    def trouble(self) -> HelperError | None:
        """Why there was no answer last time; None while all is well."""

    def complaints(self, scene: Scene, paths: Sequence[str]) -> Sequence[Complaint] | None:
        """What is wrong in files as they are now and was not in base; None when there is nobody to ask."""

    def knowledge(self, scene: Scene, callees: Sequence[Position]) -> Sequence[Knowledge] | None:
        """What is known of what is named at places of files as they are now; None when there is nobody to ask."""

    def close(self) -> None:
        """Ends whatever was started for asking; it is started again by the next question."""


class Asking(NamedTuple):
    """Who is asked, and about what; nothing is made before it is wanted."""

    checker: Callable[[], TypeChecker | None]
    scene: Callable[[str], Scene]
    """The scene of a root, by its name."""
    path: Callable[[int], str]
    """The absolute path of a file, by its number."""
