"""References that do not resolve now although their target still exists: what they were resolved through is gone.

A module no longer imports the name, for itself or for those that import it from there; or a class no longer inherits
from the one that has the member. Removed definitions are left to `removed.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from keel.enforcement.breaks.chains import Use, uses_by_name
from keel.enforcement.breaks.removed import WORDS, uses_now
from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge, Facts
from keel.model.facts import FROM_IMPORT, MODULE_DEF, Reference
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind
from keel.model.refs import DefRef
from keel.model.signatures import chain_text
from keel.ports.rule import Break, How, Subject


class UnreachableTarget(NamedTuple):
    """A definition of base that is no longer reachable through a module or class."""

    by: Subject
    """The module or class that it was reached through, as it is now."""
    target: DefRef
    name: str
    file: int | None = None
    """The file of a module that imported it."""
    is_certain: bool = True
    """Whether nothing else can provide it: a class with subclasses may still find it in one of them."""


def unresolved_references(comparison: Comparison) -> Iterator[Break]:
    """All such references, each place once: attributed to the module or class that contains it, if that is a cause."""
    losses = list(_losses(comparison))
    uses = [(lost, edge) for lost in losses for edge in comparison.base.into(lost.target)]
    times = Counter(lost.target for lost in losses)

    def rank(use: tuple[UnreachableTarget, Edge]) -> tuple[bool, bool]:
        return not _is_inside(comparison, *use), times[use[0].target] > 1 and not _is_asked(comparison, *use)

    seen: set[tuple[int, int]] = set()
    for lost, edge in sorted(uses, key=rank):
        yield from _broken(comparison, lost, edge, seen)
    for lost in losses:
        for edge, index, now in _chains(comparison, lost):
            if (edge.file, index) not in seen:
                seen.add((edge.file, index))
                found = comparison.broken(
                    How.LOST, lost.by, edge, (edge.file, now), _words(RefKind.READ, lost), name=lost.name
                )
                if found is not None:
                    yield found


def _chains(comparison: Comparison, lost: UnreachableTarget) -> Iterator[Use]:
    """Chains that start with a name that a module no longer imports: `tools.cut()`."""
    if lost.file is not None:
        yield from uses_by_name(comparison, lost.file, lost.name, lost.target)


def _words(kind: RefKind, lost: UnreachableTarget) -> str:
    return re.sub(r"\bit\b", f"'{lost.name}'", WORDS[kind])


def _losses(comparison: Comparison) -> Iterator[UnreachableTarget]:
    """The targets that changed files no longer make reachable, and that still exist."""
    base, now = comparison.base.facts, comparison.now.facts
    for file in sorted(comparison.delta.changed):
        if base.has(file) and now.has(file) and not now.interface(file).gaps:
            for lost in (*_imports(comparison, file), *_inherited(comparison, file)):
                if now.named(lost.target.file, base.name(lost.target)) is not None:
                    yield lost


def _is_inside(comparison: Comparison, lost: UnreachableTarget, edge: Edge) -> bool:
    """Whether a reference of base is in the module or class that it was resolved through."""
    row = comparison.base.facts.tree.files[edge.file]
    around, _ = comparison.base.facts.name(DefRef(edge.file, edge.source))
    is_below = lost.by.kind == NodeKind.MODULE.word or around.startswith(f"{lost.by.qualified_name}.")
    return (row.root, row.path) == (lost.by.root, lost.by.file) and is_below


def _is_asked(comparison: Comparison, lost: UnreachableTarget, edge: Edge) -> bool:
    """Whether an import takes the lost name from the module that lost it, and not from another that lost it too."""
    uses = uses_now(comparison, edge) if lost.file is not None else ()
    return any(lost.file in comparison.contracts.names.asked_modules(edge.file, now) for _, now in uses)


def _imports(comparison: Comparison, file: int) -> Iterator[UnreachableTarget]:
    """What a module imported in base and no longer imports, nor binds in another way."""
    base = comparison.base.facts.interface(file)
    names = _imported(comparison.base.facts, file) - _bound(comparison.now.facts, file)
    if not names:
        return
    by = comparison.subject(DefRef(file, MODULE_DEF))
    for edge in comparison.base.out_of(file):
        if edge.kind != EdgeKind.IMPORTS or edge.source != MODULE_DEF:
            continue
        for _, reference in comparison.base.facts.references_at(file, edge.at):
            if reference.kind == RefKind.IMPORT:
                item = base.imports[reference.value]
                name = base.text(item.alias) or base.text(item.name)
                if name in names:
                    yield UnreachableTarget(by, edge.target, name, file)


def _imported(facts: Facts, file: int) -> set[str]:
    """The names that a module binds by `from` imports alone."""
    names = facts.interface(file).names_of(MODULE_DEF)
    return {name for name, sites in names.items() if all(site.what == FROM_IMPORT for site in sites)}


def _bound(facts: Facts, file: int) -> set[str]:
    """All names that a module binds."""
    return set(facts.interface(file).names_of(MODULE_DEF))


def _inherited(comparison: Comparison, file: int) -> Iterator[UnreachableTarget]:
    """The members of classes that a class of a file no longer inherits from."""
    for ordinal, definition in enumerate(comparison.now.facts.interface(file).defs):
        spot = DefRef(file, ordinal)
        then = comparison.base.counterpart(spot) if definition.kind == NodeKind.CLASS else None
        if then is None or _written(comparison.base.facts, then) == _written(comparison.now.facts, spot):
            continue
        kept = {comparison.base.counterpart(each) for each in _ancestors(comparison, spot, is_now=True)}
        has_heirs = any(edge.kind == EdgeKind.INHERITS for edge in comparison.now.into(spot))
        for lost in sorted(_ancestors(comparison, then, is_now=False) - kept):
            there = comparison.base.facts.interface(lost.file)
            for member, each in enumerate(there.defs):
                if each.parent == lost.ordinal:
                    target = DefRef(lost.file, member)
                    yield UnreachableTarget(
                        comparison.subject(spot), target, there.text(each.name), is_certain=not has_heirs
                    )


def _written(facts: Facts, ref: DefRef) -> list[str]:
    """The bases of a class as its source names them."""
    interface = facts.interface(ref.file)
    return [chain_text(interface, place) for place in interface.defs[ref.ordinal].bases]


def _ancestors(comparison: Comparison, ref: DefRef, *, is_now: bool) -> set[DefRef]:
    """The classes that a class inherits from, directly or not."""
    found: set[DefRef] = set()
    waiting = [ref]
    while waiting:
        each = waiting.pop()
        bases = comparison.now.targets(each, EdgeKind.INHERITS) if is_now else _bases(comparison, each)
        waiting += [base for base in bases if base not in found]
        found.update(bases)
    return found


def _bases(comparison: Comparison, ref: DefRef) -> list[DefRef]:
    edges = comparison.base.out_of(ref.file)
    return [edge.target for edge in edges if edge.kind == EdgeKind.INHERITS and edge.source == ref.ordinal]


def _broken(comparison: Comparison, lost: UnreachableTarget, edge: Edge, seen: set[tuple[int, int]]) -> Iterator[Break]:
    for index, now in uses_now(comparison, edge):
        if (edge.file, index) in seen or not _is_lost(comparison, edge.file, index, now):
            continue
        seen.add((edge.file, index))
        is_guarded = comparison.contracts.names.is_guarded(comparison.now.facts.interface(edge.file), now)
        may_be_made = comparison.contracts.names.may_be_made(edge.file, now)
        found = comparison.broken(
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


def _is_lost(comparison: Comparison, file: int, index: int, now: Reference) -> bool:
    """Whether a reference is unresolved now.

    In an unchanged file it may still have the edge that a helper gave it, until the helper is asked again; so only
    imports are judged there, for which the source alone is enough.
    """
    if file not in comparison.delta.changed:
        return comparison.contracts.names.is_unfound(file, now)
    reason = comparison.now.reason(file, index)
    return reason == Reason.NO_CANDIDATE or (
        reason == Reason.DYNAMIC and comparison.contracts.names.is_unfound(file, now)
    )
