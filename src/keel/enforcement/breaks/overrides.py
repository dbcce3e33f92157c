"""Methods that override a renamed one: whether they can be renamed with it, and their uses.

An override that keeps the old name is no longer reached by callers of the new one. It is renamed too, unless something
else may require its name: a base class outside the workspace, another base class with a member of that name, or a use
that is not certain. The edits are left to `enforcement/fixes/renames.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from keel.enforcement.breaks.removed import ONE_OF_SEVERAL, ROLES
from keel.enforcement.comparison import Comparison
from keel.enforcement.delta import FUNCTIONS
from keel.enforcement.graphs import Edge
from keel.model.kinds import EdgeKind, Reason, RefKind
from keel.model.refs import DefRef
from keel.ports.rule import Site


class Along(NamedTuple):
    """What is renamed together with a method."""

    methods: list[DefRef]
    uses: list[Site]


def overriding(comparison: Comparison, cause: DefRef, old: str, new: str) -> Along | str:
    """The methods that overrode one of base and still have its name, with their uses; or why they must keep it."""
    methods = list(_overriding(comparison, cause))
    uses: list[Site] = []
    for method in methods:
        name = comparison.now.facts.name(method)[0]
        if _is_held(comparison, method, [cause, *methods], old, new):
            return f"'{name}' overrides it, and something else may require its name"
        edges = [edge for edge in comparison.now.into(method) if edge.kind in ROLES and not edge.is_implicit]
        if any(edge.confidence < ONE_OF_SEVERAL for edge in edges):
            return f"'{name}' overrides it, and a use of that name is not certain"
        uses += [site for edge in edges for site in _sites(comparison, edge)]
    return Along(methods, uses)


def _overriding(comparison: Comparison, cause: DefRef) -> Iterator[DefRef]:
    """The current overrides, the nearest first."""
    waiting, seen = [cause], {cause}
    while waiting:
        for edge in comparison.base.into(waiting.pop()):
            there = DefRef(edge.file, edge.source)
            if edge.kind != EdgeKind.OVERRIDES or there in seen:
                continue
            seen.add(there)
            waiting.append(there)
            now = comparison.now.facts.named(edge.file, comparison.base.facts.name(there))
            if now is not None:
                yield now


def _sites(comparison: Comparison, edge: Edge) -> Iterator[Site]:
    for _, reference in comparison.now.facts.references_at(edge.file, edge.at):
        if reference.kind in ROLES[EdgeKind(edge.kind)]:
            yield Site(edge.file, reference)


def _is_held(comparison: Comparison, method: DefRef, renamed: Collection[DefRef], old: str, new: str) -> bool:
    """Whether a method may have to keep its name, or cannot have the new one."""
    facts = comparison.now.facts
    definition = facts.interface(method.file).defs[method.ordinal]
    owner = DefRef(method.file, definition.parent)
    name = facts.name(owner)[0]
    if definition.kind not in FUNCTIONS or facts.named(method.file, (f"{name}.{new}", 1)) is not None:
        return True
    if facts.named(method.file, (f"{name}.{old}", 2)) is not None:  # such as a property with its setter
        return True
    for above in _above(comparison, owner):
        if above is None:
            return True
        member = facts.named(above.file, (f"{facts.name(above)[0]}.{old}", 1))
        if member is not None and member not in renamed:
            return True
    return False


def _above(comparison: Comparison, owner: DefRef) -> Iterator[DefRef | None]:
    """The classes that a class inherits from, directly or not; None for one outside the workspace."""
    waiting, seen = [owner], {owner}
    while waiting:
        here = waiting.pop()
        if _has_base_from_outside(comparison, here):
            yield None
        for base in comparison.now.targets(here, EdgeKind.INHERITS):
            if base not in seen:
                seen.add(base)
                waiting.append(base)
                yield base


def _has_base_from_outside(comparison: Comparison, owner: DefRef) -> bool:
    interface = comparison.now.facts.interface(owner.file)
    syntax, definition = comparison.syntax(owner.file), interface.defs[owner.ordinal]
    head = range(definition.start, definition.start + definition.body)
    return any(
        syntax.last_name(interface.text(one.text)) not in syntax.empty_bases
        and comparison.now.reason(owner.file, index) != Reason.LINKED
        for index, one in enumerate(comparison.now.facts.references(owner.file))
        if one.kind == RefKind.INHERIT and interface.defs[one.source].start + one.at in head
    )
