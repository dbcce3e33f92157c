"""The Rule socket: one thing that can be wrong with an edit.

A rule looks at a case, which is prepared once for all rules, and says its findings; whether they are silenced or
downgraded is not its business. The docstring of its module is its page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from keel.model.contracts import Alteration, Spot, Successor
from keel.model.facts import Reference
from keel.model.findings import Affected, Finding
from keel.model.kinds import NodeKind
from keel.model.syntax import PLAIN, Syntax

MODULE = NodeKind.MODULE.word


class Subject(NamedTuple):
    """The definition a finding is about; one that is gone as base has it."""

    id: str
    root: str
    file: str
    line: int
    hash: str
    kind: str
    qualified_name: str
    is_new: bool = False
    """Whether it is not in base with the same hash."""
    syntax: Syntax = PLAIN
    """How its file is written."""

    @property
    def name(self) -> str:
        """Its last name; that of a module is its file."""
        return self.qualified_name if self.kind == MODULE else self.syntax.last_name(self.qualified_name)

    @property
    def is_constructor(self) -> bool:
        """Whether a construction runs it."""
        return self.syntax.is_constructor(self.name, NodeKind.named(self.kind))


class How(Enum):
    """In what way somebody is affected."""

    ARGUMENTS = "arguments"
    """The number of arguments does not fit any more."""
    NAMES = "names"
    """An argument is given by a name that is not taken any more."""
    NATURE = "nature"
    """The result is come by in another way."""
    TYPES = "types"
    """A type has changed."""
    GONE = "gone"
    """It is not there any more."""
    LOST = "lost"
    """It is there, but not found any more by way of the subject, which has led to it."""
    NEW_CALL = "new_call"
    """A call that is new does not fit."""


class Site(NamedTuple):
    """Where something is used: a reference of a file as it is now."""

    file: int
    reference: Reference


class Span(NamedTuple):
    """Where a use stands in the text of now; lines and columns from 1, columns in bytes."""

    file: int
    """The number of its file."""
    name: tuple[int, int]
    """Where the name of what is used begins."""
    start: tuple[int, int]
    end: tuple[int, int]
    """Behind the last argument of a call, else behind the name."""


class Break(NamedTuple):
    """One place that is broken, or may be."""

    how: How
    subject: Subject
    changes: tuple[Alteration, ...]
    affected: Affected
    caller: Subject
    """The definition around the place."""
    confidence: float
    tier: str
    is_certain: bool
    """Whether it is broken if the edge is right."""
    span: Span
    is_displaced: bool = False
    """Whether the call binds, and an argument reaches another parameter than before: no type need tell."""
    successor: str = ""
    """Of something that is gone: what it has likely become, as `'name' in path`."""
    name: str = ""
    """Of something that is lost: the name it was found by."""
    site: Site | None = None
    """The reference at the place."""
    cause: Spot | None = None
    """The subject, where it is a definition: of now, or of base if it is gone."""
    became: Successor | None = None
    """Of something that is gone: what it has likely become."""
    is_plain: bool = False
    """Whether the place itself shows that a result that must be awaited is not: no type checker need say so."""
    may_be_made: bool = False
    """Whether a module may make the name when it is asked for: then only running it tells, and no type."""


class Function(NamedTuple):
    """A function or method of a file that is judged."""

    subject: Subject
    untyped: Sequence[str]
    returns_untyped: bool
    undocumented: str
    """What its doc lacks, in words; empty for nothing."""


class Misplaced(NamedTuple):
    """A new function that would fit much better in another module."""

    subject: Subject
    host: str
    """The module it stands in: a directory with a `/` at the end, as the others."""
    suggested: str
    siblings: Sequence[str]
    """Functions and classes of the suggested module, those first that it deals with or is named like."""
    reasons: Sequence[str]
    """Why it fits there, in words."""
    runners_up: Sequence[str]
    margin: float
    """How much better it fits there, from 0 to 1."""


class Duplicate(NamedTuple):
    """A new function that repeats another of the same name."""

    subject: Subject
    other: Subject
    likeness: float
    """How alike the two are in shape, from 0 to 1."""
    is_clone: bool
    """Whether they are the same word for word."""
    more: int = 0
    """How many others there are like it."""


class Case(NamedTuple):
    """Everything rules look at."""

    breaks: Sequence[Break]
    functions: Sequence[Function]
    grade: Grade
    misplaced: Sequence[Misplaced] = ()
    duplicates: Sequence[Duplicate] = ()


class Grade(Protocol):
    """How strict a check is somewhere."""

    def __call__(self, key: str, path: str) -> str:
        """The value of a key of `[enforcement]` for a path."""


class Rule(Protocol):
    """A module with these names."""

    CODE: str
    CATEGORY: str
    SEVERITY: str

    def check(self, case: Case) -> Iterator[Finding]:
        """What is wrong."""
