"""Judging: builds a case from a comparison, and collects the findings of every rule.

Suppression, batch mode and circuit breaker are later steps; they are left to `enforcement/session`.
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
    """The findings, and the evidence they rest on."""

    findings: list[Finding]
    evidence: str = OWN
    trouble: HelperError | None = None
    """Why a type checker that was asked gave no evidence."""


def judge(
    comparison: Comparison, files: Iterable[int], rules: Sequence[Rule], grade: Grade, asking: Asking | None = None
) -> Judgement:
    """The findings about every user of a changed definition, and about the functions of some files."""
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
    """Every place that the difference breaks, or may break."""
    found = [
        *broken_calls(comparison),
        *broken_references(comparison),
        *unresolved_references(comparison),
        *kind_changes(comparison),
    ]
    return [*found, *unbound_imports(comparison, {each.span for each in found})]
