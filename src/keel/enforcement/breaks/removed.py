"""References to removed definitions: they had an edge in base and are unresolved now.

A reference that resolves to another definition now is fine, unless it resolved to members of several classes and one of
them was removed. One that may still resolve (its receiver has bases outside the workspace, an installed package may
have the name, other code sets the field now) is uncertain.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.enforcement.breaks.chains import uses_in_chains
from keel.enforcement.breaks.unbound import unbound_uses
from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge
from keel.enforcement.graphs import Facts as Tree
from keel.model.contracts import Successor
from keel.model.facts import INSTANCE, MODULE_DEF, Facts, Reference, References
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind, Tier
from keel.model.refs import DefRef
from keel.ports.rule import Break, How, Subject

ROLES = {
    EdgeKind.IMPORTS: (RefKind.IMPORT,),
    EdgeKind.CALLS: (RefKind.CALL,),
    EdgeKind.INSTANTIATES: (RefKind.CALL,),
    EdgeKind.REFERENCES: (RefKind.READ, RefKind.CALL),
    EdgeKind.TYPE_OF: (RefKind.TYPE,),
    EdgeKind.INHERITS: (RefKind.INHERIT,),
    EdgeKind.DECORATES: (RefKind.DECORATE,),
}
"""The role of the reference behind an edge of a kind; other kinds have none."""
WORDS = {
    RefKind.IMPORT: "imports it",
    RefKind.CALL: "calls it",
    RefKind.READ: "reads it",
    RefKind.TYPE: "names it in an annotation",
    RefKind.INHERIT: "inherits from it",
    RefKind.DECORATE: "is decorated with it",
}
READ = WORDS[RefKind.READ]
ONE_OF_SEVERAL = 70
"""Edges to one of several candidates have a lower confidence than this, in hundredths."""
OWN = (Tier.TIER1_TREESITTER, Tier.TIER2_TREESITTER_HEURISTIC)
"""The tiers of keel's own resolver."""
MAX_FILES = 60
"""Files that are searched for the successor of a definition."""


def broken_references(comparison: Comparison) -> Iterator[Break]:
    """All such references, each place once."""
    if not comparison.delta.gone:
        return
    from keel.enforcement.breaks.assignments import assignments  # few edits need it

    successors = _successors(comparison)
    for spot in comparison.delta.gone:
        subject = comparison.subject(spot, is_now=False)
        successor = _format_successor(successors.get((subject.file, subject.qualified_name)))
        if not comparison.now.facts.has(spot.file):
            successor = successor or _new_home(subject, successors)
        seen: set[tuple[int, int]] = set()
        is_set = _is_set_elsewhere(comparison, spot)
        for edge in _edges(comparison, spot):
            became = successors.get((subject.file, comparison.base.facts.name(edge.target)[0]))
            here = (
                *_broken(comparison, subject, edge, successor, seen),
                *_unbound(comparison, subject, edge, successor, seen),
            )
            for found in here:
                is_certain = found.is_certain and not is_set
                yield found._replace(is_certain=is_certain, cause=edge.target, became=became)
        for edge, index, now in uses_in_chains(comparison, spot):
            if (edge.file, index) not in seen:
                seen.add((edge.file, index))
                place = (edge.file, now)
                is_certain = not is_set and comparison.now.reason(edge.file, index) == Reason.NO_CANDIDATE
                passed = comparison.broken(
                    How.GONE, subject, edge, place, READ, is_certain=is_certain, successor=successor
                )
                if passed is not None:
                    became = successors.get((subject.file, subject.qualified_name))
                    yield passed._replace(cause=spot, became=became)
        for each in assignments(comparison, spot):
            place, is_certain = (each.edge.file, each.reference), each.is_certain and not is_set
            set_there = comparison.broken(How.GONE, subject, each.edge, place, each.why, (), is_certain, successor)
            if set_there is not None:
                became = successors.get((subject.file, subject.qualified_name))
                yield set_there._replace(cause=spot, became=became)


def _is_one_less(comparison: Comparison, edge: Edge, now: Reference) -> bool:
    """Whether a use of members of several classes has one target less now, and no new one.

    An override is not missed: the method it overrode is found in its place.
    """
    defs = comparison.base.facts.interface(edge.target.file).defs
    if edge.confidence >= ONE_OF_SEVERAL or defs[defs[edge.target.ordinal].parent].kind != NodeKind.CLASS:
        return False
    at = comparison.now.facts.interface(edge.file).defs[now.source].start + now.at
    there = [each for each in comparison.now.out_of(edge.file) if each.at == at and each.kind == edge.kind]
    after = {comparison.base.counterpart(each.target) for each in there}
    before = {
        each.target for each in comparison.base.out_of(edge.file) if each.at == edge.at and each.kind == edge.kind
    }
    return edge.target not in after and after < before and not _overrides(comparison, edge.target)


def _overrides(comparison: Comparison, ref: DefRef) -> bool:
    """Whether a definition of base overrides another."""
    edges = comparison.base.out_of(ref.file)
    return any(each.kind == EdgeKind.OVERRIDES and each.source == ref.ordinal for each in edges)


def _is_set_elsewhere(comparison: Comparison, ref: DefRef) -> bool:
    """Whether an edited file sets an attribute with the name of a removed instance field on another object."""
    interface = comparison.base.facts.interface(ref.file)
    definition = interface.defs[ref.ordinal]
    if definition.kind != NodeKind.FIELD or not definition.flags & INSTANCE:
        return False
    name = interface.text(definition.name)
    edited = [
        comparison.now.facts.interface(file) for file in comparison.delta.changed if comparison.now.facts.has(file)
    ]
    return any(each.member(one.target) == name for each in edited for one in each.assigns)


def _edges(comparison: Comparison, ref: DefRef) -> list[Edge]:
    """The edges of base to a removed definition; of a file, to everything in it."""
    if comparison.now.facts.has(ref.file):
        inside = [ref]
    else:
        inside = [
            DefRef(ref.file, ordinal) for ordinal in range(1, len(comparison.base.facts.interface(ref.file).defs))
        ]
    # edges from other files first: a place that is reported once is reported for those
    return sorted(
        (edge for each in inside for edge in comparison.base.into(each)), key=lambda edge: edge.file == ref.file
    )


def uses_now(comparison: Comparison, edge: Edge) -> Iterator[tuple[int, Reference]]:
    """The current references, with their index, that are the same use as the one behind an edge of base."""
    if edge.kind not in ROLES or edge.is_implicit or not comparison.now.facts.has(edge.file):
        return
    for _, reference in comparison.base.facts.references_at(edge.file, edge.at):
        if reference.kind in ROLES[EdgeKind(edge.kind)]:
            yield from comparison.same_now(edge.file, reference)


def _broken(
    comparison: Comparison, subject: Subject, edge: Edge, successor: str, seen: set[tuple[int, int]]
) -> Iterator[Break]:
    for index, now in uses_now(comparison, edge):
        reason = comparison.now.reason(edge.file, index)
        is_linked = reason == Reason.LINKED
        if (edge.file, index) in seen or (is_linked and not _is_one_less(comparison, edge, now)):
            continue
        if not _is_meant(comparison, edge, now):
            continue
        seen.add((edge.file, index))
        leads_out = reason == Reason.EXTERNAL and comparison.contracts.names.is_missing(edge.file, now)
        is_lost = reason == Reason.NO_CANDIDATE or leads_out
        is_guarded = comparison.contracts.names.is_guarded(comparison.now.facts.interface(edge.file), now)
        found = comparison.broken(
            How.GONE,
            subject,
            edge,
            (edge.file, now),
            WORDS[RefKind(now.kind)],
            is_certain=is_lost and not is_linked and not is_guarded,
            successor=successor,
        )
        if found is not None:
            yield found._replace(may_be_made=comparison.contracts.names.may_be_made(edge.file, now))


def _unbound(
    comparison: Comparison, subject: Subject, edge: Edge, successor: str, seen: set[tuple[int, int]]
) -> Iterator[Break]:
    """Uses of the name by which a file imported a removed definition, where it no longer imports it."""
    for index, now in unbound_uses(comparison, edge):
        if (edge.file, index) not in seen:
            seen.add((edge.file, index))
            is_whole = "." not in comparison.now.facts.interface(edge.file).text(now.text)
            why = WORDS[RefKind(now.kind)] if is_whole else READ
            found = comparison.broken(How.GONE, subject, edge, (edge.file, now), why, successor=successor)
            if found is not None:
                yield found


def _name(comparison: Comparison, edge: Edge) -> str:
    """The name of the target of an edge of base."""
    interface = comparison.base.facts.interface(edge.target.file)
    return interface.text(interface.defs[edge.target.ordinal].name)


def _is_meant(comparison: Comparison, edge: Edge, now: Reference) -> bool:
    """Whether a reference names the removed definition, on a known receiver or by an import; helpers know that."""
    if edge.target.ordinal == MODULE_DEF or edge.tier not in OWN:
        return True
    return comparison.contracts.names.is_meant(edge.file, now, _name(comparison, edge))


def _successors(comparison: Comparison) -> dict[tuple[str, str], Successor]:
    """The successors of removed definitions, as far as the changed files show them."""
    base, now = comparison.base.facts, comparison.now.facts
    lost = sorted({spot.file for spot in comparison.delta.gone})[:MAX_FILES]
    there = [file for file in sorted(comparison.delta.changed) if now.has(file)][:MAX_FILES]
    before = {base.tree.files[file].path: _facts(base, file) for file in lost}
    return comparison.contracts.successors(before, {now.tree.files[file].path: _facts(now, file) for file in there})


def _facts(tree: Tree, file: int) -> Facts:
    return Facts(tree.interface(file), References(tree.references(file)))


def _format_successor(successor: Successor | None) -> str:
    return f"'{successor.qualified_name}' in {successor.path}" if successor is not None else ""


def _new_home(subject: Subject, successors: dict[tuple[str, str], Successor]) -> str:
    """The file that has most definitions of a removed file now."""
    homes = [each.path for (path, _), each in successors.items() if path == subject.file]
    return max(sorted(set(homes)), key=homes.count) if homes else ""
