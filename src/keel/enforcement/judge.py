"""Judging: a case is made of two trees, and every rule says its findings.

Suppression, batch mode and circuit breaker are steps from findings to findings that come after this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from keel.enforcement.calls import broken_calls
from keel.enforcement.functions import added_functions, functions_of
from keel.enforcement.gone import broken_references
from keel.enforcement.lost import lost_references
from keel.enforcement.natures import changed_natures
from keel.enforcement.trees import Trees
from keel.model.findings import Finding, order_of
from keel.ports.rule import Break, Case, Duplicate, Grade, Misplaced, Rule


def judge(trees: Trees, files: Iterable[int], rules: Sequence[Rule], grade: Grade) -> list[Finding]:
    """What is wrong: with everything that relies on what differs, and with the functions of some files."""
    judged = sorted(files)
    newcomers = _newcomers(trees, judged, grade)
    case = Case(breaks_of(trees), list(functions_of(trees, judged, grade)), grade, *newcomers)
    return sorted((finding for rule in rules for finding in rule.check(case)), key=order_of)


def breaks_of(trees: Trees) -> list[Break]:
    """Every place that is broken by what differs, or may be."""
    return [*broken_calls(trees), *broken_references(trees), *lost_references(trees), *changed_natures(trees)]


def _newcomers(trees: Trees, judged: Sequence[int], grade: Grade) -> tuple[Sequence[Misplaced], Sequence[Duplicate]]:
    """What is to be said about functions that base does not have; most edits add none, and pay nothing for it."""
    added = list(added_functions(trees, judged))
    if not added:
        return (), ()
    from keel.enforcement.newcomers import duplicates, misplaced

    return misplaced(trees, added, grade), duplicates(trees, added, grade)
