"""References that lead nowhere now although what they led to is still there: what they were found by is gone.

A module no longer imports the name, for itself or for those who take it from there; or a class no longer inherits from
the one that has the member. What is gone itself is left to `gone.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from keel.enforcement.chains import Use, uses_by_name
from keel.enforcement.gone import WORDS, uses_now
from keel.enforcement.sides import Edge, Facts
from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.facts import FROM_IMPORT, MODULE_DEF, Reference
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind
from keel.model.signatures import chain_text
from keel.ports.rule import Break, How, Subject


class Lost(NamedTuple):
    """A definition of base that is no longer found by way of another."""

    by: Subject
    """The module or class that led to it, as it is now."""
    target: Spot
    name: str
    file: int | None = None
    """The file of a module that imported it."""
    is_certain: bool = True
    """Whether nothing else can lead to it: a class that others inherit from may find it in one of them."""


def lost_references(trees: Trees) -> Iterator[Break]:
    """All of them, each place once: as the loss of the module or class that it stands in, where there is one."""
    losses = list(_losses(trees))
    uses = [(lost, edge) for lost in losses for edge in trees.base.into(lost.target)]
    times = Counter(lost.target for lost in losses)

    def rank(use: tuple[Lost, Edge]) -> tuple[bool, bool]:
        return not _is_inside(trees, *use), times[use[0].target] > 1 and not _is_asked(trees, *use)

    seen: set[tuple[int, int]] = set()
    for lost, edge in sorted(uses, key=rank):
        yield from _broken(trees, lost, edge, seen)
    for lost in losses:
        for edge, index, now in _chains(trees, lost):
            if (edge.file, index) not in seen:
                seen.add((edge.file, index))
                found = trees.broken(
                    How.LOST, lost.by, edge, (edge.file, now), _words(RefKind.READ, lost), name=lost.name
                )
                if found is not None:
                    yield found


def _chains(trees: Trees, lost: Lost) -> Iterator[Use]:
    """What hangs on a name that a module no longer imports: `tools.cut()`."""
    if lost.file is not None:
        yield from uses_by_name(trees, lost.file, lost.name, lost.target)


def _words(kind: RefKind, lost: Lost) -> str:
    return re.sub(r"\bit\b", f"'{lost.name}'", WORDS[kind])


def _losses(trees: Trees) -> Iterator[Lost]:
    """What the files that differ have stopped to lead to, as far as it is still there."""
    base, now = trees.base.facts, trees.now.facts
    for file in sorted(trees.delta.changed):
        if base.has(file) and now.has(file) and not now.interface(file).gaps:
            for lost in (*_imports(trees, file), *_inherited(trees, file)):
                if now.named(lost.target.file, base.name(lost.target)) is not None:
                    yield lost


def _is_inside(trees: Trees, lost: Lost, edge: Edge) -> bool:
    """Whether a reference of base stands in the module or class that led it."""
    row = trees.base.facts.tree.files[edge.file]
    around, _ = trees.base.facts.name(Spot(edge.file, edge.source))
    is_below = lost.by.kind == NodeKind.MODULE.word or around.startswith(f"{lost.by.qualified_name}.")
    return (row.root, row.path) == (lost.by.root, lost.by.file) and is_below


def _is_asked(trees: Trees, lost: Lost, edge: Edge) -> bool:
    """Whether an import takes what is lost from the module that has lost it, and not from another that has too."""
    uses = uses_now(trees, edge) if lost.file is not None else ()
    return any(lost.file in trees.contracts.names.asked_modules(edge.file, now) for _, now in uses)


def _imports(trees: Trees, file: int) -> Iterator[Lost]:
    """What a module imported and does not import, or bind in another way, now."""
    base = trees.base.facts.interface(file)
    names = _imported(trees.base.facts, file) - _bound(trees.now.facts, file)
    if not names:
        return
    by = trees.subject(Spot(file, MODULE_DEF))
    for edge in trees.base.out_of(file):
        if edge.kind != EdgeKind.IMPORTS or edge.source != MODULE_DEF:
            continue
        for _, reference in trees.base.facts.references_at(file, edge.at):
            if reference.kind == RefKind.IMPORT:
                item = base.imports[reference.value]
                name = base.text(item.alias) or base.text(item.name)
                if name in names:
                    yield Lost(by, edge.target, name, file)


def _imported(facts: Facts, file: int) -> set[str]:
    """The names that a module has from `from` imports alone."""
    names = facts.interface(file).names_of(MODULE_DEF)
    return {name for name, sites in names.items() if all(site.what == FROM_IMPORT for site in sites)}


def _bound(facts: Facts, file: int) -> set[str]:
    """The names that a module has by whatever means."""
    return set(facts.interface(file).names_of(MODULE_DEF))


def _inherited(trees: Trees, file: int) -> Iterator[Lost]:
    """The members of classes that a class of a file inherited from, and does not now."""
    for ordinal, definition in enumerate(trees.now.facts.interface(file).defs):
        spot = Spot(file, ordinal)
        then = trees.base.counterpart(spot) if definition.kind == NodeKind.CLASS else None
        if then is None or _written(trees.base.facts, then) == _written(trees.now.facts, spot):
            continue
        kept = {trees.base.counterpart(each) for each in _ancestors(trees, spot, is_now=True)}
        has_heirs = any(edge.kind == EdgeKind.INHERITS for edge in trees.now.into(spot))
        for lost in sorted(_ancestors(trees, then, is_now=False) - kept):
            there = trees.base.facts.interface(lost.file)
            for member, each in enumerate(there.defs):
                if each.parent == lost.ordinal:
                    target = Spot(lost.file, member)
                    yield Lost(trees.subject(spot), target, there.text(each.name), is_certain=not has_heirs)


def _written(facts: Facts, spot: Spot) -> list[str]:
    """The bases of a class as its source names them."""
    interface = facts.interface(spot.file)
    return [chain_text(interface, place) for place in interface.defs[spot.ordinal].bases]


def _ancestors(trees: Trees, spot: Spot, *, is_now: bool) -> set[Spot]:
    """The classes that one inherits from, near and far."""
    found: set[Spot] = set()
    waiting = [spot]
    while waiting:
        each = waiting.pop()
        bases = trees.now.targets(each, EdgeKind.INHERITS) if is_now else _bases(trees, each)
        waiting += [base for base in bases if base not in found]
        found.update(bases)
    return found


def _bases(trees: Trees, spot: Spot) -> list[Spot]:
    edges = trees.base.out_of(spot.file)
    return [edge.target for edge in edges if edge.kind == EdgeKind.INHERITS and edge.source == spot.ordinal]


def _broken(trees: Trees, lost: Lost, edge: Edge, seen: set[tuple[int, int]]) -> Iterator[Break]:
    for index, now in uses_now(trees, edge):
        if (edge.file, index) in seen or not _is_lost(trees, edge.file, index, now):
            continue
        seen.add((edge.file, index))
        is_guarded = trees.contracts.names.is_guarded(trees.now.facts.interface(edge.file), now)
        may_be_made = trees.contracts.names.may_be_made(edge.file, now)
        found = trees.broken(
            How.LOST,
            lost.by,
            edge,
            (edge.file, now),
            _words(RefKind(now.kind), lost),
            is_certain=lost.is_certain and not is_guarded and not may_be_made,
            name=lost.name,
        )
        if found is not None:
            yield found._replace(may_be_made=may_be_made)


def _is_lost(trees: Trees, file: int, index: int, now: Reference) -> bool:
    """Whether a reference finds nothing now.

    In a file that does not differ it may still have the edge that a helper gave it, until the helper is asked again; so
    there only imports are judged, which the source alone can tell.
    """
    if file not in trees.delta.changed:
        return trees.contracts.names.is_unfound(file, now)
    reason = trees.now.reason(file, index)
    return reason == Reason.NO_CANDIDATE or (reason == Reason.DYNAMIC and trees.contracts.names.is_unfound(file, now))
