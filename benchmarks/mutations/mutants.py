"""Mutants: a function of a package changed in one way, as edits of bytes.

Which functions are changed in which way is left to `choice`, who is broken by it to `truth`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from benchmarks.mutations.sources import Function, Scope


class Kind(StrEnum):
    """What is done to a function."""

    RENAME_PARAMETER = "parameter renamed that calls pass by name"
    ADD_REQUIRED = "required parameter added"
    REMOVE_PARAMETER = "parameter removed"
    REORDER = "two parameters change places"
    REMOVE = "function removed"
    RENAME = "function renamed"
    MOVE = "moved to another module"
    ASYNC = "made async"
    PROPERTY = "made a property"
    NO_PROPERTY = "no longer a property"
    STATIC = "made a static method"
    NO_STATIC = "no longer a static or class method"
    RETURN_TYPE = "return type changed"
    PARAMETER_TYPE = "parameter type changed"
    BODY = "body changed"
    DOCSTRING = "docstring changed"
    DEFAULT = "default changed"
    ANNOTATION = "annotation added"
    ADD_OPTIONAL = "optional parameter added"
    RENAME_UNNAMED = "parameter renamed that calls pass by position"
    MOVE_KEPT = "moved, and re-exported"
    ADD_UNTYPED = "function without type hints added"
    ADD_UNDOCUMENTED = "function without docstring added"


TYPES = (Kind.RETURN_TYPE, Kind.PARAMETER_TYPE)
"""Who is broken by these only a type checker can say."""
HARMLESS = (
    Kind.BODY,
    Kind.DOCSTRING,
    Kind.DEFAULT,
    Kind.ANNOTATION,
    Kind.ADD_OPTIONAL,
    Kind.RENAME_UNNAMED,
    Kind.MOVE_KEPT,
)
"""No caller is broken by these."""
WRITTEN = {Kind.ADD_UNTYPED: "E002", Kind.ADD_UNDOCUMENTED: "E003"}
"""No caller is broken by these either, and a rule must say that something is not written."""
FLOWING = (Kind.ASYNC, Kind.PROPERTY, Kind.NO_PROPERTY, Kind.RETURN_TYPE)
"""Their results are of another type, which may show far away."""
GONE = (Kind.REMOVE, Kind.RENAME, Kind.MOVE)
"""The name is not there any more."""


class Edit(NamedTuple):
    """Bytes of a file that others take the place of."""

    path: str
    start: int
    end: int
    text: bytes


@dataclass(frozen=True)
class Mutant:
    """A changed function."""

    kind: Kind
    function: Function
    edits: tuple[Edit, ...]
    made: tuple[tuple[str, bytes], ...] = ()
    """New files."""
    words: frozenset[str] = frozenset()
    """A scope that mentions none of these has nothing to do with the function."""

    @property
    def key(self) -> str:
        """A short text that no other mutant of the package has."""
        told = repr((self.kind.value, self.function.path, self.function.qualified, self.edits, self.made))
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """As people are told of it."""
        return f"{self.kind}: {self.function.path} {self.function.qualified}"

    def is_own(self, scope: Scope) -> bool:
        """Whether a scope is the function itself, or inside it, or a new file."""
        own = self.function.qualified
        if scope.path in dict(self.made):
            return True
        return scope.path == self.function.path and (
            scope.name in (own, f"{own}_renamed") or scope.name.startswith((f"{own}.", f"{own}_renamed."))
        )


def applied(files: Mapping[str, bytes], mutants: Iterable[Mutant]) -> dict[str, bytes]:
    """The files that differ, as they are with mutants that do not overlap."""
    found: dict[str, bytes] = {}
    edits = sorted((edit for mutant in mutants for edit in mutant.edits), reverse=True)
    for edit in edits:
        data = found.get(edit.path, files[edit.path])
        found[edit.path] = data[: edit.start] + edit.text + data[edit.end :]
    return found


def overlaps(one: Mutant, other: Mutant) -> bool:
    """Whether the edits of two mutants cannot be made together."""
    return any(
        a.path == b.path and a.start <= b.end and b.start <= a.end for a in one.edits for b in other.edits
    ) or bool({path for path, _ in one.made} & {path for path, _ in other.made})
