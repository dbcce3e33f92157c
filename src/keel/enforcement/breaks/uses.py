"""Uses of changed definitions: every place where a diagnostic of a type checker is caused by the change.

They are the places that edges start from, and, in the files near the change, unresolved references with the same name.
Whether a use is broken is left to `calls.py` and its siblings, and to `type_evidence.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from keel.enforcement.breaks.removed import uses_now
from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge
from keel.model.contracts import Alteration
from keel.model.facts import Reference
from keel.model.kinds import EdgeKind, Reason, RefKind, Tier
from keel.model.refs import DefRef
from keel.ports.rule import Break, Span, Subject

USING = (EdgeKind.CALLS, EdgeKind.INSTANTIATES, EdgeKind.REFERENCES, EdgeKind.DECORATES, EdgeKind.IMPORTS)
SPELLED = (RefKind.CALL, RefKind.READ, RefKind.DECORATE)
CONFIDENCE = 95
"""Of what a type checker confirms, in hundredths."""
MAX_NEAR = 300
"""Files with edges into an edited one that are searched for its names."""


class Changed(NamedTuple):
    """A definition that was removed, or has another contract."""

    spot: DefRef
    """In base when it was removed, else in the current graph."""
    subject: Subject
    alterations: tuple[Alteration, ...] = ()
    is_gone: bool = False


class Use(NamedTuple):
    """A use of a changed definition, in the current text."""

    changed: Changed
    reference: Reference
    edge: Edge
    span: Span


def changed_of(comparison: Comparison, breaks: Sequence[Break]) -> list[Changed]:
    """The definitions whose change a caller may notice."""
    blamed = {each.subject.id for each in breaks}
    found = [Changed(spot, comparison.subject(spot, is_now=False), is_gone=True) for spot in comparison.delta.gone]
    for pair in comparison.delta.altered:
        if pair.before is None or pair.after is None:
            continue
        subject = comparison.subject(pair.after)
        alterations = tuple(comparison.contracts.alterations(pair.before, pair.after))
        if alterations or subject.id in blamed:
            found.append(Changed(pair.after, subject, alterations))
    return found


def uses_of(comparison: Comparison, changed: Iterable[Changed]) -> list[Use]:
    """The uses that edges of base or of the current graph show."""
    return [
        Use(each, reference, edge, comparison.span(edge.file, reference))
        for each in changed
        for edge, reference in (_of_gone(comparison, each) if each.is_gone else _of_altered(comparison, each))
    ]


def _of_gone(comparison: Comparison, changed: Changed) -> Iterator[tuple[Edge, Reference]]:
    for edge in comparison.base.into(changed.spot):
        for _, reference in uses_now(comparison, edge):
            yield edge, reference


def _of_altered(comparison: Comparison, changed: Changed) -> Iterator[tuple[Edge, Reference]]:
    seen: set[tuple[int, Reference]] = set()
    for edge in comparison.now.into(changed.spot):
        if edge.kind in USING:
            for _, reference in comparison.now.facts.references_at(edge.file, edge.at)[:1]:
                seen.add((edge.file, reference))
                yield edge, reference
    before = comparison.base.counterpart(changed.spot)
    for edge in comparison.base.into(before) if before is not None else ():
        if edge.kind in USING and comparison.now.facts.has(edge.file):
            for _, was in comparison.base.facts.references_at(edge.file, edge.at)[:1]:
                for _, reference in comparison.same_now(edge.file, was)[:1]:
                    if (edge.file, reference) not in seen:
                        yield edge, reference


def near_files(comparison: Comparison, changed: Sequence[Changed]) -> list[int]:
    """The edited files and those with edges into them, if they may contain one of the names."""
    names = {_name(each).encode() for each in changed}
    files = dict.fromkeys(each.spot.file for each in changed)
    near = dict.fromkeys([*files, *(other for file in files for other in comparison.now.files_into(file))])
    there = [file for file in near if comparison.now.facts.has(file)]
    return [file for file in there[:MAX_NEAR] if comparison.now.mentions(file, names)]


def spelled_in(comparison: Comparison, file: int, changed: Sequence[Changed], known: Collection[Span]) -> Iterator[Use]:
    """References of a file with the name of a changed definition that are no known uses and do not resolve."""
    names = {_name(each): each for each in reversed(changed)}
    interface = comparison.now.facts.interface(file)
    for index, reference in enumerate(comparison.now.facts.references(file)):
        said = interface.text(reference.text).split(".") if reference.kind in SPELLED else ()
        name = next((each for each in reversed(said) if each in names), "")
        if not name:
            continue
        span = comparison.span(file, reference)
        if span in known or comparison.now.reason(file, index) == Reason.LINKED:
            continue
        at = interface.defs[reference.source].start + reference.at
        target = names[name].spot
        edge = Edge(file, reference.source, at, EdgeKind.REFERENCES, target, Tier.TIER2_TY, CONFIDENCE, False)
        yield Use(names[name], reference, edge, span)


def _name(changed: Changed) -> str:
    return changed.subject.name
