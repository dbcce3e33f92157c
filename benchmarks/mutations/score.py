"""What is counted: broken scopes that keel names, misses, and errors where nothing is broken.

Counted are scopes (a function that holds one or more uses), each once for a mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

from benchmarks.mutations.cases import Case
from benchmarks.mutations.judged import NOT_READ, Ruling, ruling
from benchmarks.mutations.mutants import HARMLESS, TYPES, WRITTEN, Kind
from benchmarks.mutations.sources import Scope


@dataclass(frozen=True)
class Score:
    """Counts of some mutants."""

    mutants: int = 0
    broken: int = 0
    errors: int = 0
    """Broken scopes that keel names in an error."""
    warnings: int = 0
    missed: int = 0
    false_errors: int = 0
    """Scopes with an error that are not broken."""
    falsely_accused: int = 0
    """Mutants with such a scope."""
    false_warnings: int = 0

    def also(self, other: Score) -> Score:
        """These counts and others."""
        return Score(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @property
    def caught_share(self) -> float:
        """Of a hundred broken scopes, those that keel names."""
        return 100 * (self.errors + self.warnings) / self.broken if self.broken else 100.0

    @property
    def error_share(self) -> float:
        """Of a hundred broken scopes, those that keel names in an error."""
        return 100 * self.errors / self.broken if self.broken else 100.0

    @property
    def false_share(self) -> float:
        """Of a hundred mutants, those with a false error."""
        return 100 * self.falsely_accused / self.mutants if self.mutants else 0.0


@dataclass(frozen=True)
class ReportedCase:
    """One miss or one false error."""

    case: Case
    scope: Scope
    why: str
    """Of a miss who says that it is broken, of an error what keel says."""
    cause: str


def score(cases: Iterable[Case]) -> Score:
    """The counts of some mutants."""
    cases = list(cases)
    return Score(
        len(cases),
        sum(len(case.broken) for case in cases),
        sum(len(case.errors) for case in cases),
        sum(len(case.warnings) for case in cases),
        sum(len(case.missed) for case in cases),
        sum(len(case.false_errors) for case in cases),
        sum(bool(case.false_errors) for case in cases),
        sum(len(case.false_warnings) for case in cases),
    )


def is_breaking(case: Case) -> bool:
    """Whether it counts for what is caught: types are counted apart."""
    return case.mutant.kind not in (*TYPES, *HARMLESS, *WRITTEN)


def is_typed(case: Case) -> bool:
    """Whether only a type checker can say who is broken."""
    return case.mutant.kind in TYPES


def is_harmless(case: Case) -> bool:
    """Whether no caller is broken."""
    return case.mutant.kind in HARMLESS


GROUPS: tuple[tuple[str, Callable[[Case], bool]], ...] = (
    ("breaking", is_breaking),
    ("types only", is_typed),
    ("harmless", is_harmless),
)


def of_kinds(cases: Sequence[Case]) -> list[tuple[Kind, list[Case]]]:
    """The mutants of each kind that there are any of."""
    found = [(kind, [case for case in cases if case.mutant.kind is kind]) for kind in Kind if kind not in WRITTEN]
    return [(kind, some) for kind, some in found if some]


def by_one(cases: Iterable[Case], who: str) -> tuple[int, int]:
    """How many scopes a source of truth calls broken, and how many of these keel names."""
    said = [(case, scope) for case in cases for scope, by in case.broken.items() if who in by]
    return len(said), sum(scope not in case.missed for case, scope in said)


def written(cases: Sequence[Case]) -> list[tuple[Kind, int, int]]:
    """Of functions without what must be written: how many there were, and how many an error names."""
    found = []
    for kind, code in WRITTEN.items():
        some = [case for case in cases if case.mutant.kind is kind]
        found.append((kind, len(some), sum(code in case.said.written for case in some)))
    return found


def missed(cases: Iterable[Case], every: Sequence[Ruling]) -> list[ReportedCase]:
    """Every broken scope that keel says nothing of."""
    return [
        ReportedCase(case, scope, ", ".join(case.broken[scope]), _cause(every, case, scope))
        for case in cases
        for scope in sorted(case.missed)
    ]


def false_errors(cases: Iterable[Case], every: Sequence[Ruling]) -> list[ReportedCase]:
    """Every error where nothing is broken."""
    return [
        ReportedCase(case, scope, case.said.why[scope], _cause(every, case, scope))
        for case in cases
        for scope in sorted(case.false_errors)
    ]


def _cause(every: Sequence[Ruling], case: Case, scope: Scope) -> str:
    found = ruling(every, case.package, case.mutant, scope)
    return found.cause if found is not None else NOT_READ
