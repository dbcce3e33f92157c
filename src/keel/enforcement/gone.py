"""References to what is gone: they had an edge in base and have none now.

A reference that leads somewhere else now is fine, unless it led to members of several classes and one of them is gone.
One that may do so (its receiver has bases outside, a name that an
installed package may have, a field that other code sets now) is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.enforcement.chains import uses_in_chains
from keel.enforcement.sides import Edge
from keel.enforcement.sides import Facts as Tree
from keel.enforcement.trees import Trees
from keel.enforcement.unbound import unbound_uses
from keel.model.contracts import Spot, Successor
from keel.model.facts import INSTANCE, MODULE_DEF, Facts, Reference, References
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind, Tier
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
"""Edges that lead to one of several are less certain than this, in hundredths."""
OWN = (Tier.TIER1_TREESITTER, Tier.TIER2_TREESITTER_HEURISTIC)
"""Who is keel itself."""
MOST_FILES = 60
"""Files that are searched for what has become of a definition."""


def broken_references(trees: Trees) -> Iterator[Break]:
    """All of them, each place once."""
    if not trees.delta.gone:
        return
    from keel.enforcement.assigned import assignments  # few edits need it

    successors = _successors(trees)
    for spot in trees.delta.gone:
        subject = trees.subject(spot, is_now=False)
        successor = _told(successors.get((subject.file, subject.qualified_name)))
        if not trees.now.facts.has(spot.file):
            successor = successor or _new_home(subject, successors)
        seen: set[tuple[int, int]] = set()
        is_set = _is_set_elsewhere(trees, spot)
        for edge in _edges(trees, spot):
            became = successors.get((subject.file, trees.base.facts.name(edge.target)[0]))
            here = (*_broken(trees, subject, edge, successor, seen), *_unbound(trees, subject, edge, successor, seen))
            for found in here:
                is_certain = found.is_certain and not is_set
                yield found._replace(is_certain=is_certain, cause=edge.target, became=became)
        for edge, index, now in uses_in_chains(trees, spot):
            if (edge.file, index) not in seen:
                seen.add((edge.file, index))
                place = (edge.file, now)
                is_certain = not is_set and trees.now.reason(edge.file, index) == Reason.NO_CANDIDATE
                passed = trees.broken(How.GONE, subject, edge, place, READ, is_certain=is_certain, successor=successor)
                if passed is not None:
                    became = successors.get((subject.file, subject.qualified_name))
                    yield passed._replace(cause=spot, became=became)
        for each in assignments(trees, spot):
            place, is_certain = (each.edge.file, each.reference), each.is_certain and not is_set
            set_there = trees.broken(How.GONE, subject, each.edge, place, each.why, (), is_certain, successor)
            if set_there is not None:
                became = successors.get((subject.file, subject.qualified_name))
                yield set_there._replace(cause=spot, became=became)


def _is_one_less(trees: Trees, edge: Edge, now: Reference) -> bool:
    """Whether a use of members of several classes leads to one less now, and to nothing that it did not lead to.

    A member that overrides another is not missed: what it overrides is found in its place.
    """
    defs = trees.base.facts.interface(edge.target.file).defs
    if edge.confidence >= ONE_OF_SEVERAL or defs[defs[edge.target.ordinal].parent].kind != NodeKind.CLASS:
        return False
    at = trees.now.facts.interface(edge.file).defs[now.source].start + now.at
    there = [each for each in trees.now.out_of(edge.file) if each.at == at and each.kind == edge.kind]
    after = {trees.base.counterpart(each.target) for each in there}
    before = {each.target for each in trees.base.out_of(edge.file) if each.at == edge.at and each.kind == edge.kind}
    return edge.target not in after and after < before and not _overrides(trees, edge.target)


def _overrides(trees: Trees, spot: Spot) -> bool:
    """Whether a definition of base overrides another."""
    edges = trees.base.out_of(spot.file)
    return any(each.kind == EdgeKind.OVERRIDES and each.source == spot.ordinal for each in edges)


def _is_set_elsewhere(trees: Trees, spot: Spot) -> bool:
    """Whether a field of instances that is gone has the name of an attribute that an edited file sets on something."""
    interface = trees.base.facts.interface(spot.file)
    definition = interface.defs[spot.ordinal]
    if definition.kind != NodeKind.FIELD or not definition.flags & INSTANCE:
        return False
    name = interface.text(definition.name)
    edited = [trees.now.facts.interface(file) for file in trees.delta.changed if trees.now.facts.has(file)]
    return any(each.member(one.target) == name for each in edited for one in each.assigns)


def _edges(trees: Trees, spot: Spot) -> list[Edge]:
    """The edges of base into what is gone; of a file, into everything in it."""
    if trees.now.facts.has(spot.file):
        inside = [spot]
    else:
        inside = [Spot(spot.file, ordinal) for ordinal in range(1, len(trees.base.facts.interface(spot.file).defs))]
    # those from elsewhere first: where a place is told once, it is told as theirs
    return sorted((edge for each in inside for edge in trees.base.into(each)), key=lambda edge: edge.file == spot.file)


def uses_now(trees: Trees, edge: Edge) -> Iterator[tuple[int, Reference]]:
    """The references of now, with their index, that are the same use as the one behind an edge of base."""
    if edge.kind not in ROLES or edge.is_implicit or not trees.now.facts.has(edge.file):
        return
    for _, reference in trees.base.facts.references_at(edge.file, edge.at):
        if reference.kind in ROLES[EdgeKind(edge.kind)]:
            yield from trees.same_now(edge.file, reference)


def _broken(trees: Trees, subject: Subject, edge: Edge, successor: str, seen: set[tuple[int, int]]) -> Iterator[Break]:
    for index, now in uses_now(trees, edge):
        reason = trees.now.reason(edge.file, index)
        is_linked = reason == Reason.LINKED
        if (edge.file, index) in seen or (is_linked and not _is_one_less(trees, edge, now)):
            continue
        if not _is_meant(trees, edge, now):
            continue
        seen.add((edge.file, index))
        leads_out = reason == Reason.EXTERNAL and trees.contracts.names.is_missing(edge.file, now)
        is_lost = reason == Reason.NO_CANDIDATE or leads_out
        is_guarded = trees.contracts.names.is_guarded(trees.now.facts.interface(edge.file), now)
        found = trees.broken(
            How.GONE,
            subject,
            edge,
            (edge.file, now),
            WORDS[RefKind(now.kind)],
            is_certain=is_lost and not is_linked and not is_guarded,
            successor=successor,
        )
        if found is not None:
            yield found._replace(may_be_made=trees.contracts.names.may_be_made(edge.file, now))


def _unbound(trees: Trees, subject: Subject, edge: Edge, successor: str, seen: set[tuple[int, int]]) -> Iterator[Break]:
    """Uses of the name under which a file imported what is gone, where it does not import that any more."""
    for index, now in unbound_uses(trees, edge):
        if (edge.file, index) not in seen:
            seen.add((edge.file, index))
            is_whole = "." not in trees.now.facts.interface(edge.file).text(now.text)
            why = WORDS[RefKind(now.kind)] if is_whole else READ
            found = trees.broken(How.GONE, subject, edge, (edge.file, now), why, successor=successor)
            if found is not None:
                yield found


def _name(trees: Trees, edge: Edge) -> str:
    """The name of what an edge of base leads to."""
    interface = trees.base.facts.interface(edge.target.file)
    return interface.text(interface.defs[edge.target.ordinal].name)


def _is_meant(trees: Trees, edge: Edge, now: Reference) -> bool:
    """Whether a reference was to what is gone, and not to what something was that came by; helpers know that."""
    if edge.target.ordinal == MODULE_DEF or edge.tier not in OWN:
        return True
    return trees.contracts.names.is_meant(edge.file, now, _name(trees, edge))


def _successors(trees: Trees) -> dict[tuple[str, str], Successor]:
    """What has become of the definitions that are gone, as far as the files that differ tell."""
    base, now = trees.base.facts, trees.now.facts
    lost = sorted({spot.file for spot in trees.delta.gone})[:MOST_FILES]
    there = [file for file in sorted(trees.delta.changed) if now.has(file)][:MOST_FILES]
    before = {base.tree.files[file].path: _facts(base, file) for file in lost}
    return trees.contracts.successors(before, {now.tree.files[file].path: _facts(now, file) for file in there})


def _facts(tree: Tree, file: int) -> Facts:
    return Facts(tree.interface(file), References(tree.references(file)))


def _told(successor: Successor | None) -> str:
    return f"'{successor.qualified_name}' in {successor.path}" if successor is not None else ""


def _new_home(subject: Subject, successors: dict[tuple[str, str], Successor]) -> str:
    """The file that most of a lost file's definitions are in now."""
    homes = [each.path for (path, _), each in successors.items() if path == subject.file]
    return max(sorted(set(homes)), key=homes.count) if homes else ""
