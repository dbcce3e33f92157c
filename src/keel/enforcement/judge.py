"""Judging: a case is made of two trees, and every rule says its findings.

Suppression, batch mode and circuit breaker are steps from findings to findings that come after this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from keel.enforcement.breaks.calls import broken_calls
from keel.enforcement.breaks.kind_changes import kind_changes
from keel.enforcement.breaks.removed import broken_references
from keel.enforcement.breaks.unbound import unbound_imports
from keel.enforcement.breaks.unresolved import unresolved_references
from keel.enforcement.case import CodeCase, findings_of
from keel.enforcement.comparison import Comparison
from keel.model.findings import OWN, Finding, order_of
from keel.ports.rule import Break, Complaint, Grade, Rule

if TYPE_CHECKING:
    from keel.errors import HelperError
    from keel.ports.type_checker import Asking


class Judgement(NamedTuple):
    """What is wrong, and by whose evidence."""

    findings: list[Finding]
    evidence: str = OWN
    trouble: HelperError | None = None
    """Why a type checker that was asked was not heard."""


def judge(
    comparison: Comparison, files: Iterable[int], rules: Sequence[Rule], grade: Grade, asking: Asking | None = None
) -> Judgement:
    """What is wrong: with everything that relies on what differs, and with the functions of some files."""
    judged = sorted(files)
    breaks = breaks_of(comparison)
    complaints: Sequence[Complaint] = ()
    evidence, trouble = OWN, None
    if asking is not None and (breaks or comparison.delta.altered or comparison.delta.gone):
        from keel.enforcement.breaks.type_evidence import with_type_evidence  # few edits need it

        breaks, complaints, by, trouble = with_type_evidence(comparison, breaks, asking)
        evidence = by or OWN
    found = findings_of(rules, CodeCase(comparison, judged, grade, breaks, complaints))
    return Judgement(sorted(found, key=order_of), evidence, trouble)


def breaks_of(comparison: Comparison) -> list[Break]:
    """Every place that is broken by what differs, or may be."""
    found = [
        *broken_calls(comparison),
        *broken_references(comparison),
        *unresolved_references(comparison),
        *kind_changes(comparison),
    ]
    return [*found, *unbound_imports(comparison, {each.span for each in found})]
