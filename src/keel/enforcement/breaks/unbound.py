"""Names that a file still uses, and that nothing in it binds since the edit: the line fails, whatever they meant.

Edges do not show all of them: the receiver of `settings.cache_clear()` has none. Uses of removed definitions are left
to `removed.py`; names that are only no longer imported, from whatever module, are reported here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set

from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge, Facts
from keel.model.facts import MODULE_DEF, Reference
from keel.model.kinds import EdgeKind, RefKind, Tier
from keel.model.refs import DefRef
from keel.ports.rule import Break, How, Span

CONFIDENCE = 95
"""Of what the text of one file proves, in hundredths."""
Use = tuple[int, Reference]
"""A current reference, with its index."""


def unbound_imports(comparison: Comparison, told: Collection[Span]) -> Iterator[Break]:
    """Uses of names that a file has stopped importing and still uses, where they are not reported already."""
    for file in sorted(comparison.delta.changed):
        names = _unbound(comparison, file)
        if not names:
            continue
        interface = comparison.base.facts.interface(file)
        by = comparison.subject(DefRef(file, MODULE_DEF))
        for name in sorted({interface.imported_as(item) for item in interface.imports} & names):
            for _, now in _uses(comparison, file, name):
                target, tier = DefRef(file, MODULE_DEF), Tier.TIER2_TREESITTER_HEURISTIC
                edge = Edge(file, now.source, 0, EdgeKind.REFERENCES, target, tier, CONFIDENCE, False)
                found = comparison.broken(How.LOST, by, edge, (file, now), f"uses '{name}'", name=name)
                if found is not None and found.span not in told:
                    yield found


def unbound_uses(comparison: Comparison, edge: Edge) -> Iterator[Use]:
    """The uses of the name that an import behind an edge of base bound."""
    if edge.kind != EdgeKind.IMPORTS or edge.file not in comparison.delta.changed:
        return
    interface = comparison.base.facts.interface(edge.file)
    for _, one in comparison.base.facts.references_at(edge.file, edge.at):
        if one.kind == RefKind.IMPORT:
            name = interface.imported_as(interface.imports[one.value])
            if name in _unbound(comparison, edge.file):
                yield from _uses(comparison, edge.file, name)


def _unbound(comparison: Comparison, file: int) -> Set[str]:
    """The names that a file bound in base, and that nothing at its top level binds now."""
    base, now = comparison.base.facts, comparison.now.facts
    if not base.has(file) or not now.has(file):
        return frozenset()
    return comparison.contracts.names.unbound(base.interface(file), now.interface(file))


def _uses(comparison: Comparison, file: int, name: str) -> Sequence[Use]:
    """The references to a name that nothing binds; none if it was unbound in base too."""
    return [] if _uses_of_name(comparison.base.facts, file, name) else _uses_of_name(comparison.now.facts, file, name)


def _uses_of_name(facts: Facts, file: int, name: str) -> list[Use]:
    interface = facts.interface(file)
    every = enumerate(facts.references(file))
    return [
        (index, one)
        for index, one in every
        if interface.is_free(one) and interface.text(one.text).partition(".")[0] == name
    ]
