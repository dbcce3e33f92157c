"""Who is broken by a mutant: what two type checkers say of the changed tree and not of the original, and what follows.

Answers are kept, since a checker takes a second for each; a diagnostic counts for the scope it is in, and only
where that scope mentions the function. pyright is shown many mutants at once, those that no scope can confuse; what
ty does not say too it is asked again about one mutant alone.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.mutations.checkers import Checker, Diagnostic, Oracle, Position
from benchmarks.mutations.choice import Sources
from benchmarks.mutations.mutants import FLOWING, GONE, HARMLESS, Mutant, applied, overlaps
from benchmarks.mutations.packages import Package, environment_digest
from benchmarks.mutations.sources import Function, Scope, Source

DROPPED = ("overrid", "overload", "unused-ignore", "unused-type-ignore", "unsupporteddunderall", "redeclaration")
"""Parts of the names of rules that are about a definition, not about who uses it."""
MAX_FLOWING = 8
"""Mutants in one batch whose effect may show in scopes that do not name them."""


class Answers:
    """What a checker has said about a package, kept on disk."""

    def __init__(self, one: Package, oracle: Oracle) -> None:
        self._path = one.own_path / f"{oracle.name}-{oracle.version}-{environment_digest(one)}.json"
        held = json.loads(self._path.read_text(encoding="utf-8")) if self._path.exists() else {}
        self._references: dict[str, list[list[object]]] = held.get("references", {})
        self._broken: dict[str, list[list[str]]] = held.get("broken", {})
        self._alone: dict[str, bool] = dict.fromkeys(held.get("alone", ()), True)

    def places(self, function: Function) -> list[Position] | None:
        """Where a function is used; None when it was not asked."""
        held = self._references.get(_name(function))
        return None if held is None else [Position(str(path), int(str(line)), int(str(at))) for path, line, at in held]

    def keep_places(self, function: Function, places: Iterable[Position]) -> None:
        """Remembers where a function is used."""
        self._references[_name(function)] = [list(place) for place in places]

    def broken(self, mutant: Mutant) -> dict[Scope, str] | None:
        """The scopes that are broken, with the rule that says so; None when it was not asked."""
        held = self._broken.get(mutant.key)
        return None if held is None else {Scope(path, name): rule for path, name, rule in held if is_about_use(rule)}

    def was_alone(self, mutant: Mutant) -> bool:
        """Whether the checker was shown no other mutant at the same time, of which it may have spoken."""
        return mutant.key in self._alone

    def keep_broken(self, mutant: Mutant, broken: Mapping[Scope, str], is_alone: bool) -> None:
        """Remembers who is broken."""
        self._broken[mutant.key] = [[*scope, rule] for scope, rule in sorted(broken.items())]
        if is_alone:
            self._alone[mutant.key] = True

    def save(self) -> None:
        """Writes everything down; a run that is killed loses what came after."""
        making = self._path.with_suffix(".making")
        content = {"references": self._references, "broken": self._broken, "alone": list(self._alone)}
        making.write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")
        making.replace(self._path)


@dataclass
class Asking:
    """One checker that is asked about one package."""

    oracle: Oracle
    answers: Answers
    checker: Checker
    sources: Sources

    def __post_init__(self) -> None:
        self._before: dict[str, Counter[Complaint]] = {}

    def learn_places(self, functions: Iterable[Function]) -> None:
        """Asks where functions are used."""
        for function in functions:
            if self.answers.places(function) is None:
                line, column = _place(self.sources.files[function.path], function)
                self.answers.keep_places(function, self.checker.references(function.path, line, column))
        self.answers.save()

    def learn_broken(self, mutants: Sequence[Mutant], what: str) -> None:
        """Asks who is broken by mutants."""
        wanted = [mutant for mutant in mutants if self.answers.broken(mutant) is None]
        batches = _batches(self.sources, wanted, self.oracle.most)
        done = 0
        for number, batch in enumerate(batches, 1):
            self._learn(batch)
            done += len(batch)
            if number % max(1, len(batches) // 10) == 0 or len(batch) > 1:
                self.answers.save()
            if number % max(1, len(batches) // 10) == 0:
                print(f"… {what}, {self.oracle.name}: {done:,} of {len(wanted):,} mutants", file=sys.stderr, flush=True)
        self.answers.save()

    def learn_alone(self, mutants: Iterable[Mutant]) -> None:
        """Asks again who is broken by mutants, with no other in the tree."""
        for mutant in mutants:
            self._learn([mutant])
        self.answers.save()

    def _learn(self, batch: Sequence[Mutant]) -> None:
        scopes = {mutant.key: self.sources.scopes(mutant.words) for mutant in batch}
        paths = sorted({scope.path for each in scopes.values() for scope in each})
        texts = applied({path: source.data for path, source in self.sources.files.items()}, batch)
        self._learn_before(paths)
        with self.checker.with_files(made for mutant in batch for made in mutant.made):
            found = self.checker.diagnostics(texts, paths)
        now = {path: Source(path, texts[path]) if path in texts else self.sources.files[path] for path in paths}
        before = sum((self._before[path] for path in paths), Counter[Complaint]())
        more = counted(found, now) - before
        for mutant in batch:
            broken = {each.scope: each.rule for each in more if _is_about(each, mutant, scopes[mutant.key])}
            self.answers.keep_broken(mutant, broken, is_alone=len(batch) == 1)

    def _learn_before(self, paths: Iterable[str]) -> None:
        unknown = [path for path in paths if path not in self._before]
        found = self.checker.diagnostics({}, unknown)
        for path in unknown:
            own = [each for each in found if each.path == path]
            self._before[path] = counted(own, self.sources.files)


class Complaint(NamedTuple):
    """What is wrong in a scope, apart from where the lines are."""

    scope: Scope
    rule: str
    names: frozenset[str]
    """What the statement mentions."""
    is_import: bool


def counted(found: Iterable[Diagnostic], sources: Mapping[str, Source]) -> Counter[Complaint]:
    """How often each complaint is made."""
    return Counter(
        Complaint(
            source.scope_at(each.line),
            each.rule,
            source.statements.get(each.line, frozenset()),
            each.line in source.import_lines,
        )
        for each in found
        for source in [sources[each.path]]
        if is_about_use(each.rule)
    )


def is_about_use(rule: str) -> bool:
    """Whether a rule is about who uses a definition."""
    return not any(part in rule.lower() for part in DROPPED)


def _is_about(complaint: Complaint, mutant: Mutant, scopes: set[Scope]) -> bool:
    """Whether a mutant is to blame; what shows elsewhere in a scope than where it is named is of another type."""
    if complaint.scope not in scopes or mutant.is_own(complaint.scope):
        return False
    if mutant.kind in FLOWING:
        return True
    return bool(complaint.names & mutant.words) and (not complaint.is_import or mutant.kind in GONE)


def _batches(sources: Sources, mutants: Sequence[Mutant], most: int) -> list[list[Mutant]]:
    """Mutants that can be shown at once: it is clear which of them a complaint is about."""
    if most == 1:
        return [[mutant] for mutant in mutants]
    batches: list[tuple[list[Mutant], set[object]]] = []
    for mutant in sorted(mutants, key=lambda each: (each.kind in HARMLESS, each.key)):
        touched = _touched(sources, mutant)
        for batch, taken in batches:
            if len(batch) < most and not taken & touched and _go_together(batch, mutant):
                batch.append(mutant)
                taken |= touched
                break
        else:
            batches.append(([mutant], set(touched)))
    return sorted((batch for batch, _ in batches), key=len, reverse=True)


def _touched(sources: Sources, mutant: Mutant) -> set[object]:
    """What no other mutant of a batch may touch: the statements that mention the function, or their whole scopes.

    Nothing is expected to show of a harmless one, so that only the function itself is taken.
    """
    own: set[object] = {mutant.function.scope}
    scopes = sources.scopes(mutant.words)
    if mutant.kind in HARMLESS:
        return own
    for path in {scope.path for scope in scopes}:
        source = sources.files[path]
        for line, names in source.statements.items():
            is_named = bool(names & mutant.words) and line not in source.import_lines
            if is_named or (mutant.kind in FLOWING and source.scope_at(line) in scopes):
                own.add((path, line))
    return own


def _go_together(batch: Sequence[Mutant], mutant: Mutant) -> bool:
    if (mutant.kind in HARMLESS) != (batch[0].kind in HARMLESS):
        return False
    flowing = sum(each.kind in FLOWING for each in batch)
    return not (mutant.kind in FLOWING and flowing >= MAX_FLOWING) and not any(overlaps(mutant, each) for each in batch)


def _name(function: Function) -> str:
    return f"{function.path} {function.qualified} {function.node.lineno}"


def _place(source: Source, function: Function) -> tuple[int, int]:
    """Where the name is; of a constructor the name of its class."""
    wanted = function.owner.rpartition(".")[2] if function.is_constructor else function.name
    line = function.node.lineno
    if function.is_constructor:
        line = next(first for first, _, name in source.spans if name == function.owner)
    text = source.data[source.starts[line - 1] :]
    return line, text.index(wanted.encode(), text.index(b"class" if function.is_constructor else b"def") + 3)
