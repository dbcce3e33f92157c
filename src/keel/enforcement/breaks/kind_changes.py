"""Uses of definitions that changed their kind (async, a generator, a property) or a type. The call itself still binds.

A removed method that overrode another counts as changed into the overridden one. Whether a use was adapted cannot be
seen at the call, so only callers that are unchanged since base are checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge
from keel.model.contracts import Alteration, Aspect
from keel.model.facts import ASYNC as IS_ASYNC
from keel.model.facts import PROPERTY as GETTER
from keel.model.facts import Reference
from keel.model.kinds import EdgeKind, RefKind
from keel.model.refs import DefRef
from keel.ports.rule import Break, How

PROPERTY = "a property"
ASYNC = "async"
HOW = {Aspect.KIND_CHANGE: How.KIND_CHANGE, Aspect.PARAMETER_TYPE: How.TYPES, Aspect.RETURN_TYPE: How.TYPES}


def kind_changes(comparison: Comparison) -> Iterator[Break]:
    """All uses of definitions with a kind change or a change of types."""
    for before, after, is_gone in (*_altered(comparison), *_inherited(comparison)):
        alterations = [each for each in comparison.contracts.alterations(before, after) if each.aspect in HOW]
        if alterations:
            yield from _uses(comparison, before, after, is_gone, alterations)


def _altered(comparison: Comparison) -> Iterator[tuple[DefRef, DefRef, bool]]:
    for before, after in comparison.delta.altered:
        if before is not None and after is not None:
            yield before, after, False


def _inherited(comparison: Comparison) -> Iterator[tuple[DefRef, DefRef, bool]]:
    """Removed methods, with the ones they overrode, which are found in their place."""
    for spot in comparison.delta.gone:
        edges = comparison.base.out_of(spot.file) if comparison.now.facts.has(spot.file) else ()
        for edge in edges:
            if edge.kind == EdgeKind.OVERRIDES and edge.source == spot.ordinal:
                after = comparison.now.facts.named(edge.target.file, comparison.base.facts.name(edge.target))
                if after is not None:
                    yield spot, after, True


def _uses(
    comparison: Comparison, before: DefRef, after: DefRef, is_gone: bool, alterations: list[Alteration]
) -> Iterator[Break]:
    subject = comparison.subject(before, is_now=False) if is_gone else comparison.subject(after)
    was_property = bool(comparison.base.facts.interface(before.file).defs[before.ordinal].flags & GETTER)
    for edge in comparison.base.into(before):
        if edge.kind not in (EdgeKind.CALLS, EdgeKind.REFERENCES) or not comparison.now.facts.has(edge.file):
            continue
        for _, reference in comparison.base.facts.references_at(edge.file, edge.at):
            if not comparison.is_as_it_was(edge.file, reference):
                continue
            for _, now in comparison.same_now(edge.file, reference)[:1]:
                if is_gone and not _leads_to(comparison, edge.file, now, after):
                    continue
                for alteration in alterations:
                    if not _concerns(alteration, edge, reference, was_property):
                        continue
                    if not _is_touched(comparison, edge.file, now, after, alteration):
                        continue
                    found = comparison.broken(
                        HOW[alteration.aspect],
                        subject,
                        edge,
                        (edge.file, now),
                        alteration.words,
                        [alteration],
                        alteration.is_certain and not _may_survive(comparison, edge.file, now, alteration),
                    )
                    if found is not None:
                        is_plain = alteration.name == ASYNC and _is_never_awaited(comparison, edge.file, now, after)
                        yield found._replace(is_plain=found.is_certain and is_plain)


def _is_never_awaited(comparison: Comparison, file: int, call: Reference, callee: DefRef) -> bool:
    """Whether a call consumes its result without awaiting it; the result of a decorated function is not known."""
    called = comparison.now.facts.interface(callee.file).defs[callee.ordinal]
    if not called.flags & IS_ASYNC or called.decorators:
        return False
    return comparison.contracts.results.is_used_up(comparison.lines(file), comparison.now.facts.interface(file), call)


def _leads_to(comparison: Comparison, file: int, reference: Reference, target: DefRef) -> bool:
    """Whether a current reference resolves to a definition."""
    at = comparison.now.facts.interface(file).defs[reference.source].start + reference.at
    return any(edge.at == at and edge.target == target for edge in comparison.now.out_of(file))


def _is_touched(comparison: Comparison, file: int, use: Reference, after: DefRef, alteration: Alteration) -> bool:
    """Whether a change concerns a use; one that already awaits a function that became async is not affected."""
    if (
        alteration.name == ASYNC
        and not alteration.words.startswith("is no longer")
        and _is_awaited(comparison, file, use)
    ):
        return False
    return use.kind == RefKind.READ or comparison.contracts.is_touched(file, use, after, alteration)


def _may_survive(comparison: Comparison, file: int, call: Reference, alteration: Alteration) -> bool:
    """Whether a call may work with a function that is no longer async: it only passes the result on."""
    is_over = alteration.name == ASYNC and alteration.words.startswith("is no longer")
    return is_over and not _is_awaited(comparison, file, call)


def _is_awaited(comparison: Comparison, file: int, call: Reference) -> bool:
    return comparison.contracts.results.is_awaited(comparison.lines(file), comparison.now.facts.interface(file), call)


def _concerns(alteration: Alteration, edge: Edge, reference: Reference, was_property: bool) -> bool:
    """Reading a property, which runs it, concerns that it is one and its result; calls concern everything else."""
    if was_property:
        is_read = edge.is_implicit or (edge.kind == EdgeKind.REFERENCES and reference.kind == RefKind.READ)
        return is_read and (alteration.name in (PROPERTY, ASYNC) or alteration.aspect is Aspect.RETURN_TYPE)
    return reference.kind == RefKind.CALL and edge.kind == EdgeKind.CALLS and not edge.is_implicit
