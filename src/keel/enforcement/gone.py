"""References to what is gone: they had an edge in base and have none now.

A reference that leads somewhere else now is fine. One that may do so (its receiver has bases outside, a name that an
installed package may have) is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.enforcement.delta import MODULE
from keel.enforcement.sides import Edge
from keel.enforcement.sides import Facts as Tree
from keel.enforcement.trees import Trees
from keel.model.contracts import Spot, Successor
from keel.model.facts import Facts, References
from keel.model.kinds import EdgeKind, Reason, RefKind
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
MOST_FILES = 60
"""Files that are searched for what has become of a definition."""


def broken_references(trees: Trees) -> Iterator[Break]:
    """All of them, each place once."""
    if not trees.delta.gone:
        return
    successors = _successors(trees)
    for spot in trees.delta.gone:
        subject = trees.subject(spot, is_now=False)
        successor = _told(successors.get((subject.file, subject.qualified_name)))
        if not trees.now.facts.has(spot.file):
            successor = successor or _new_home(subject, successors)
        seen: set[tuple[int, int]] = set()
        for edge in _edges(trees, spot):
            yield from _broken(trees, subject, edge, successor, seen)


def _edges(trees: Trees, spot: Spot) -> list[Edge]:
    """The edges of base into what is gone; of a file, into everything in it."""
    if trees.now.facts.has(spot.file):
        inside = [spot]
    else:
        inside = [Spot(spot.file, ordinal) for ordinal in range(1, len(trees.base.facts.interface(spot.file).defs))]
    edges = [edge for each in inside for edge in trees.base.into(each)]
    return [edge for edge in edges if edge.kind in ROLES and not edge.is_implicit and edge.file != spot.file] + [
        edge for edge in edges if edge.kind in ROLES and not edge.is_implicit and edge.file == spot.file
    ]


def _broken(trees: Trees, subject: Subject, edge: Edge, successor: str, seen: set[tuple[int, int]]) -> Iterator[Break]:
    if not trees.now.facts.has(edge.file):
        return
    roles = ROLES[EdgeKind(edge.kind)]
    for _, reference in trees.base.facts.references_at(edge.file, edge.at):
        if reference.kind not in roles:
            continue
        for index, now in trees.same_now(edge.file, reference):
            reason = trees.now.reason(edge.file, index)
            if reason == Reason.LINKED or (edge.file, index) in seen:
                continue
            if edge.target.ordinal != MODULE and not trees.contracts.is_meant(edge.file, now, _name(trees, edge)):
                continue
            seen.add((edge.file, index))
            interface = trees.now.facts.interface(edge.file)
            leads_out = reason == Reason.EXTERNAL and trees.contracts.is_missing(edge.file, now)
            is_lost = reason == Reason.NO_CANDIDATE or leads_out
            is_certain = is_lost and not trees.contracts.is_guarded(interface, now)
            found = trees.broken(
                How.GONE,
                subject,
                edge,
                (edge.file, now),
                WORDS[RefKind(now.kind)],
                is_certain=is_certain,
                successor=successor,
            )
            if found is not None:
                yield found


def _name(trees: Trees, edge: Edge) -> str:
    """The name of what an edge of base leads to."""
    interface = trees.base.facts.interface(edge.target.file)
    return interface.text(interface.defs[edge.target.ordinal].name)


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
