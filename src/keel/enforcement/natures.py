"""Uses of what has become something else: async, a property, of another type. The call itself still binds.

A method that is gone has become the one that it overrode. Whether a use has been brought into line cannot be seen at
the call, so only callers that are as they were in base are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.enforcement.sides import Edge
from keel.enforcement.trees import Trees
from keel.model.contracts import Alteration, Aspect, Spot
from keel.model.facts import ASYNC as IS_ASYNC
from keel.model.facts import PROPERTY as GETTER
from keel.model.facts import Reference
from keel.model.kinds import EdgeKind, RefKind
from keel.ports.rule import Break, How

PROPERTY = "a property"
ASYNC = "async"
HOW = {Aspect.NATURE: How.NATURE, Aspect.PARAMETER_TYPE: How.TYPES, Aspect.RETURN_TYPE: How.TYPES}


def changed_natures(trees: Trees) -> Iterator[Break]:
    """All uses of definitions whose nature or types have changed."""
    for before, after, is_gone in (*_altered(trees), *_inherited(trees)):
        alterations = [each for each in trees.contracts.alterations(before, after) if each.aspect in HOW]
        if alterations:
            yield from _uses(trees, before, after, is_gone, alterations)


def _altered(trees: Trees) -> Iterator[tuple[Spot, Spot, bool]]:
    for before, after in trees.delta.altered:
        if before is not None and after is not None:
            yield before, after, False


def _inherited(trees: Trees) -> Iterator[tuple[Spot, Spot, bool]]:
    """Methods that are gone, with what is found in their place: what they overrode."""
    for spot in trees.delta.gone:
        edges = trees.base.out_of(spot.file) if trees.now.facts.has(spot.file) else ()
        for edge in edges:
            if edge.kind == EdgeKind.OVERRIDES and edge.source == spot.ordinal:
                after = trees.now.facts.named(edge.target.file, trees.base.facts.name(edge.target))
                if after is not None:
                    yield spot, after, True


def _uses(trees: Trees, before: Spot, after: Spot, is_gone: bool, alterations: list[Alteration]) -> Iterator[Break]:
    subject = trees.subject(before, is_now=False) if is_gone else trees.subject(after)
    was_property = bool(trees.base.facts.interface(before.file).defs[before.ordinal].flags & GETTER)
    for edge in trees.base.into(before):
        if edge.kind not in (EdgeKind.CALLS, EdgeKind.REFERENCES) or not trees.now.facts.has(edge.file):
            continue
        for _, reference in trees.base.facts.references_at(edge.file, edge.at):
            if not trees.is_as_it_was(edge.file, reference):
                continue
            for _, now in trees.same_now(edge.file, reference)[:1]:
                if is_gone and not _leads_to(trees, edge.file, now, after):
                    continue
                for alteration in alterations:
                    if not _concerns(alteration, edge, reference, was_property):
                        continue
                    if not _is_touched(trees, edge.file, now, after, alteration):
                        continue
                    found = trees.broken(
                        HOW[alteration.aspect],
                        subject,
                        edge,
                        (edge.file, now),
                        alteration.words,
                        [alteration],
                        alteration.is_certain and not _may_survive(trees, edge.file, now, alteration),
                    )
                    if found is not None:
                        is_plain = alteration.name == ASYNC and _is_never_awaited(trees, edge.file, now, after)
                        yield found._replace(is_plain=found.is_certain and is_plain)


def _is_never_awaited(trees: Trees, file: int, call: Reference, callee: Spot) -> bool:
    """Whether a call uses up what it gives; of what is decorated nobody knows what that is."""
    called = trees.now.facts.interface(callee.file).defs[callee.ordinal]
    if not called.flags & IS_ASYNC or called.decorators:
        return False
    return trees.contracts.results.is_used_up(trees.lines(file), trees.now.facts.interface(file), call)


def _leads_to(trees: Trees, file: int, reference: Reference, target: Spot) -> bool:
    """Whether a reference of now leads to a definition."""
    at = trees.now.facts.interface(file).defs[reference.source].start + reference.at
    return any(edge.at == at and edge.target == target for edge in trees.now.out_of(file))


def _is_touched(trees: Trees, file: int, use: Reference, after: Spot, alteration: Alteration) -> bool:
    """Whether a use has to do with a change; one that awaits what has become async always did."""
    if alteration.name == ASYNC and not alteration.words.startswith("is no longer") and _is_awaited(trees, file, use):
        return False
    return use.kind == RefKind.READ or trees.contracts.is_touched(file, use, after, alteration)


def _may_survive(trees: Trees, file: int, call: Reference, alteration: Alteration) -> bool:
    """Whether a call may do as well with what is no longer async: it only hands the result on."""
    is_over = alteration.name == ASYNC and alteration.words.startswith("is no longer")
    return is_over and not _is_awaited(trees, file, call)


def _is_awaited(trees: Trees, file: int, call: Reference) -> bool:
    return trees.contracts.results.is_awaited(trees.lines(file), trees.now.facts.interface(file), call)


def _concerns(alteration: Alteration, edge: Edge, reference: Reference, was_property: bool) -> bool:
    """Reading a property, which runs it, concerns that it is one and what it gives; calls concern the rest."""
    if was_property:
        is_read = edge.is_implicit or (edge.kind == EdgeKind.REFERENCES and reference.kind == RefKind.READ)
        return is_read and (alteration.name in (PROPERTY, ASYNC) or alteration.aspect is Aspect.RETURN_TYPE)
    return reference.kind == RefKind.CALL and edge.kind == EdgeKind.CALLS and not edge.is_implicit
