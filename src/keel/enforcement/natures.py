"""Uses of what has become something else: async, a property, of another type. The call itself still binds.

Whether a use has been brought into line cannot be seen at the call, so only callers that are as they were in base are
looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.enforcement.delta import Pair
from keel.enforcement.sides import Edge
from keel.enforcement.trees import Trees
from keel.model.contracts import Alteration, Aspect, Spot
from keel.model.facts import PROPERTY as GETTER
from keel.model.facts import Reference
from keel.model.kinds import EdgeKind, RefKind
from keel.ports.rule import Break, How

PROPERTY = "a property"
ASYNC = "async"
HOW = {Aspect.NATURE: How.NATURE, Aspect.PARAMETER_TYPE: How.TYPES, Aspect.RETURN_TYPE: How.TYPES}


def changed_natures(trees: Trees) -> Iterator[Break]:
    """All uses of definitions whose nature or types have changed."""
    for pair in trees.delta.altered:
        if pair.before is None or pair.after is None:
            continue
        alterations = [each for each in trees.contracts.alterations(pair.before, pair.after) if each.aspect in HOW]
        if alterations:
            yield from _uses(trees, pair, pair.before, pair.after, alterations)


def _uses(trees: Trees, pair: Pair, before: Spot, after: Spot, alterations: list[Alteration]) -> Iterator[Break]:
    subject = trees.subject(after)
    was_property = bool(trees.base.facts.interface(before.file).defs[before.ordinal].flags & GETTER)
    for edge in trees.base.into(before):
        if edge.kind not in (EdgeKind.CALLS, EdgeKind.REFERENCES) or not trees.now.facts.has(edge.file):
            continue
        for _, reference in trees.base.facts.references_at(edge.file, edge.at):
            if not trees.is_as_it_was(edge.file, reference):
                continue
            for _, now in trees.same_now(edge.file, reference)[:1]:
                for alteration in alterations:
                    if not _concerns(alteration, edge, reference, was_property):
                        continue
                    if reference.kind != RefKind.READ and not _is_touched(trees, edge.file, now, after, alteration):
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
                        yield found


def _is_touched(trees: Trees, file: int, call: Reference, after: Spot, alteration: Alteration) -> bool:
    """Whether a call has to do with a change; one that awaits what has become async always did."""
    if alteration.name == ASYNC and not alteration.words.startswith("is no longer") and _is_awaited(trees, file, call):
        return False
    return trees.contracts.is_touched(file, call, after, alteration)


def _may_survive(trees: Trees, file: int, call: Reference, alteration: Alteration) -> bool:
    """Whether a call may do as well with what is no longer async: it only hands the result on."""
    is_over = alteration.name == ASYNC and alteration.words.startswith("is no longer")
    return is_over and not _is_awaited(trees, file, call)


def _is_awaited(trees: Trees, file: int, call: Reference) -> bool:
    return trees.contracts.is_awaited(trees.lines(file), trees.now.facts.interface(file), call)


def _concerns(alteration: Alteration, edge: Edge, reference: Reference, was_property: bool) -> bool:
    """Reading a property, which runs it, concerns that it is one and what it gives; calls concern the rest."""
    if was_property:
        is_read = edge.is_implicit or (edge.kind == EdgeKind.REFERENCES and reference.kind == RefKind.READ)
        return is_read and (alteration.name == PROPERTY or alteration.aspect is Aspect.RETURN_TYPE)
    return reference.kind == RefKind.CALL and edge.kind == EdgeKind.CALLS and not edge.is_implicit
