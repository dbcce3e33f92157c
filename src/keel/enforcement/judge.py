"""Judging: a case is made of two trees, and every rule says its findings.

Suppression, batch mode and circuit breaker are steps from findings to findings that come after this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from keel.enforcement.calls import broken_calls
from keel.enforcement.case import CodeCase, findings_of
from keel.enforcement.gone import broken_references
from keel.enforcement.lost import lost_references
from keel.enforcement.natures import changed_natures
from keel.enforcement.trees import Trees
from keel.enforcement.unbound import unbound_imports
from keel.model.findings import OWN, Finding, order_of
from keel.ports.rule import Break, Complaint, Grade, Rule

if TYPE_CHECKING:
    from keel.errors import HelperError
    from keel.ports.witness import Asking


class Judgement(NamedTuple):
    """What is wrong, and by whose evidence."""

    findings: list[Finding]
    evidence: str = OWN
    trouble: HelperError | None = None
    """Why a type checker that was asked was not heard."""


def judge(
    trees: Trees, files: Iterable[int], rules: Sequence[Rule], grade: Grade, asking: Asking | None = None
) -> Judgement:
    """What is wrong: with everything that relies on what differs, and with the functions of some files."""
    judged = sorted(files)
    breaks = breaks_of(trees)
    complaints: Sequence[Complaint] = ()
    evidence, trouble = OWN, None
    if asking is not None and (breaks or trees.delta.altered or trees.delta.gone):
        from keel.enforcement.testimony import hear  # few edits need it

        breaks, complaints, by, trouble = hear(trees, breaks, asking)
        evidence = by or OWN
    found = findings_of(rules, CodeCase(trees, judged, grade, breaks, complaints))
    return Judgement(sorted(found, key=order_of), evidence, trouble)


def breaks_of(trees: Trees) -> list[Break]:
    """Every place that is broken by what differs, or may be."""
    found = [*broken_calls(trees), *broken_references(trees), *lost_references(trees), *changed_natures(trees)]
    return [*found, *unbound_imports(trees, {each.span for each in found})]
