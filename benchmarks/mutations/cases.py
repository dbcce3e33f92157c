"""A package taken through the benchmark: its mutants, who is broken by each, and what keel says.

How that is counted is left to `score`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from benchmarks.mutations.checkers import ORACLES, Position
from benchmarks.mutations.choice import Sources, candidates, mutant_of, mutants_of
from benchmarks.mutations.judged import Ruling, is_about, ruling
from benchmarks.mutations.mutants import HARMLESS, TYPES, WRITTEN, Mutant
from benchmarks.mutations.packages import Package, dependencies
from benchmarks.mutations.reasoning import Reasoning
from benchmarks.mutations.sources import Function, Scope
from benchmarks.mutations.truth import Answers, Asking
from benchmarks.mutations.verdicts import Keel, KeelVerdict, Remembered

SEED = "keel"
LOOKED_AT = 1.6
"""Candidates that are asked about, for each that is wanted: some turn out to be used nowhere."""
REASONED = "reasoning"
READ = "read by hand"
FINE, BROKEN = "fine", "broken"
OWN, TY = "own", "ty"
LEVELS = (OWN, TY)
"""Of evidence: keel alone, and with ty as type checker."""


@dataclass(frozen=True)
class Size:
    """How much is done of a package."""

    functions: int
    mutants: int
    """Of each function."""


WHOLE = Size(62, 8)
QUICK = Size(6, 6)


@dataclass(frozen=True)
class Case:
    """One mutant: who is broken by it, by whose word, and what keel says."""

    package: str
    mutant: Mutant
    broken: Mapping[Scope, tuple[str, ...]]
    said: KeelVerdict
    asked: tuple[str, ...] = ()
    """The checkers that were asked."""
    with_ty: KeelVerdict | None = None
    """What keel says when ty is the type checker; None when it was not asked so."""

    def at(self, level: str) -> Case:
        """The case with what keel says at a level of evidence, `own` or `ty`."""
        return self if level == OWN or self.with_ty is None else replace(self, said=self.with_ty)

    @property
    def errors(self) -> set[Scope]:
        """Broken scopes with an error."""
        return set(self.said.errors & self.broken.keys())

    @property
    def warnings(self) -> set[Scope]:
        """Broken scopes with a warning."""
        return set(self.said.warnings & self.broken.keys())

    @property
    def missed(self) -> set[Scope]:
        """Broken scopes of which nothing is said."""
        return self.broken.keys() - self.said.errors - self.said.warnings

    @property
    def false_errors(self) -> set[Scope]:
        """Scopes with an error that nothing is wrong with."""
        return set(self.said.errors - self.broken.keys())

    @property
    def false_warnings(self) -> set[Scope]:
        """Scopes with a warning that nothing is wrong with."""
        return set(self.said.warnings - self.broken.keys())


@dataclass(frozen=True)
class Laid:
    """What is asked about a package."""

    sources: Sources
    mutants: list[Mutant]
    places: Mapping[Function, list[Position]]


def lay_out(one: Package, size: Size, asks: bool = True) -> Laid:
    """Chooses functions and mutants, and asks the checkers everything that is not known yet, unless told not to."""
    sources = Sources(one.files())
    looked_at = candidates(sources, SEED)[: round(size.functions * LOOKED_AT)]
    answers = [Answers(one, oracle) for oracle in ORACLES]
    if any(held.places(function) is None for held in answers for function in looked_at):
        for oracle, held in zip(ORACLES, answers, strict=True):
            with oracle.start(one) as checker:
                Asking(oracle, held, checker, sources).learn_places(looked_at)
            print(f"… {one.name}, {oracle.name}: {len(looked_at)} functions looked up", file=sys.stderr, flush=True)
    places = {function: _places(answers, function) for function in looked_at}
    chosen = [each for each in looked_at if _has_callers(sources, each, places[each])][: size.functions]
    mutants = [mutant for each in chosen for mutant in mutants_of(sources, each, SEED, size.mutants)]
    mutants += _written(sources, chosen)
    for oracle, held in zip(ORACLES, answers, strict=True):
        asked = [mutant for mutant in mutants if mutant.kind not in WRITTEN]
        if asks and any(held.broken(mutant) is None for mutant in asked):
            with oracle.start(one) as checker:
                Asking(oracle, held, checker, sources).learn_broken(asked, one.name)
    if asks:
        _ask_alone(one, sources, mutants, answers)
    return Laid(sources, mutants, places)


def _ask_alone(one: Package, sources: Sources, mutants: Iterable[Mutant], answers: Sequence[Answers]) -> None:
    """Asks a checker that was shown many mutants at once again about those of which only it says that they break."""
    for oracle, held in zip(ORACLES, answers, strict=True):
        others = [each for each in answers if each is not held]
        doubtful = [mutant for mutant in mutants if not held.was_alone(mutant) and _is_only_said(mutant, held, others)]
        if oracle.most > 1 and doubtful:
            with oracle.start(one) as checker:
                Asking(oracle, held, checker, sources).learn_alone(doubtful)
            print(f"… {one.name}, {oracle.name}: {len(doubtful)} mutants again, alone", file=sys.stderr, flush=True)


def _is_only_said(mutant: Mutant, held: Answers, others: Iterable[Answers]) -> bool:
    """Whether one checker names a scope that another does not."""
    said = held.broken(mutant) or {}
    return any(said.keys() - (other.broken(mutant) or {}).keys() for other in others)


def judge(one: Package, laid: Laid, read: Sequence[Ruling], every: int = 0) -> tuple[list[Case], int]:
    """What keel says of every mutant, beside the truth; and how many the real command was asked about."""
    reasoning = Reasoning(laid.sources)
    answers = {oracle.name: Answers(one, oracle) for oracle in ORACLES}
    alone, compared = _answers(one, laid, OWN, every)
    with_ty, more = _answers(one, laid, TY, every)
    cases: list[Case] = []
    for mutant, said, said_with_ty in zip(laid.mutants, alone, with_ty, strict=True):
        broken = found_broken(mutant, answers, reasoning, laid.places.get(mutant.function, []))
        asked = tuple(name for name, held in answers.items() if held.broken(mutant) is not None)
        cases.append(as_read(Case(one.name, mutant, broken, said, asked, said_with_ty), read))
    return cases, compared + more


def _answers(one: Package, laid: Laid, level: str, every: int) -> tuple[list[KeelVerdict], int]:
    """What keel says of every mutant at a level of evidence; and how many the real command was asked about."""
    found: list[KeelVerdict] = []
    compared = 0
    remembered = Remembered(one.own_path, level)
    with Keel(one.room, laid.sources, dependencies(one) if level == TY else None) as keel:
        for number, mutant in enumerate(laid.mutants, 1):
            said = remembered.said(mutant)
            is_asked = said is None
            if said is None:
                said = keel.says(mutant)
                remembered.keep(mutant, said)
            found.append(said)
            if is_asked and every and number % every == 1:
                compared += 1
                if keel.lines(mutant) != keel.command_says(mutant):
                    print(f"! the command says something else: {mutant.label}", file=sys.stderr, flush=True)
            if number % 100 == 0:
                done = f"{number:,} of {len(laid.mutants):,}"
                print(f"… {one.name}, keel ({level}): {done}", file=sys.stderr, flush=True)
    return found, compared


def found_broken(
    mutant: Mutant, answers: Mapping[str, Answers], reasoning: Reasoning, places: Sequence[Position]
) -> dict[Scope, tuple[str, ...]]:
    """Who is broken by a mutant, and who says so."""
    if mutant.kind in WRITTEN:
        return {}
    found: dict[Scope, list[str]] = {}
    for name, held in answers.items():
        for scope in held.broken(mutant) or ():
            found.setdefault(scope, []).append(name)
    if mutant.kind not in (*TYPES, *HARMLESS):
        for scope in reasoning.broken(mutant, places):
            found.setdefault(scope, []).append(REASONED)
    return {scope: tuple(by) for scope, by in found.items()}


def as_read(case: Case, read: Sequence[Ruling]) -> Case:
    """A case with the truth as a person found it, where one has read it, whether keel names the scope or not."""
    named = {*case.broken, *case.said.errors, *(case.with_ty.errors if case.with_ty is not None else ())}
    named |= {
        each.place for each in read if each.truth == BROKEN and each.place and is_about(each, case.package, case.mutant)
    }
    told = {scope: ruling(read, case.package, case.mutant, scope) for scope in named}
    fine = {scope for scope, each in told.items() if each is not None and each.truth == FINE}
    also = {scope for scope, each in told.items() if each is not None and each.truth == BROKEN}
    kept = {scope: by for scope, by in case.broken.items() if scope not in fine}
    return replace(case, broken={**dict.fromkeys(also, (READ,)), **kept})


def _places(answers: Iterable[Answers], function: Function) -> list[Position]:
    return sorted({place for held in answers for place in held.places(function) or ()})


def _has_callers(sources: Sources, function: Function, places: Sequence[Position]) -> bool:
    scopes = {sources.files[place.path].scope_at(place.line) for place in places if place.path in sources.files}
    return any(scope != function.scope for scope in scopes)


def _written(sources: Sources, chosen: Sequence[Function]) -> list[Mutant]:
    """One of each kind for every file of a chosen function."""
    found = []
    for function in list({each.path: each for each in chosen}.values()):
        for kind in WRITTEN:
            made = mutant_of(sources, function, kind, Random(0))
            if made is not None:
                found.append(made)
    return found
