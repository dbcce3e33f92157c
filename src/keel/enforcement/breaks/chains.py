"""Uses of a removed definition at the beginning or in the middle of a chain: `self.cache` in `self.cache.get(1)`.

Such a use has no edge of its own; only the end of the chain has one. So it is searched by its text, where the text is
unambiguous: in the class that has lost the member, in the module that has lost the name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge
from keel.model.facts import MODULE_DEF, Interface, Reference
from keel.model.kinds import EdgeKind, NodeKind, Reason, Tier
from keel.model.refs import DefRef

CONFIDENCE = 80
"""Of the use, in hundredths: the same as for a member that is read from `self`."""
LOST = (Reason.NO_CANDIDATE, Reason.DYNAMIC)
"""Why a chain does not resolve: the name does not exist, or something may provide it at run time."""


Use = tuple[Edge, int, Reference]
"""The edge that a use would have had in base, and its current reference with its index."""


def uses_in_chains(comparison: Comparison, ref: DefRef) -> Iterator[Use]:
    """The current chains that resolved in base and do not, or may not, since a definition was removed."""
    if comparison.now.facts.has(ref.file):
        interface = comparison.base.facts.interface(ref.file)
        yield from _dead(comparison, ref.file, ref, LOST, lambda one: _goes_through(interface, one, ref.ordinal))


def uses_by_name(comparison: Comparison, file: int, name: str, target: DefRef) -> Iterator[Use]:
    """The same for a name that a module no longer imports, and that resolved to a target."""
    interface = comparison.base.facts.interface(file)
    yield from _dead(comparison, file, target, LOST[:1], lambda one: _begins_with(interface, one, name, MODULE_DEF))


def _dead(
    comparison: Comparison, file: int, target: DefRef, reasons: Collection[int], is_meant: Callable[[Reference], bool]
) -> Iterator[Use]:
    """Chains that are unresolved now for one of some reasons, and were not for that reason in base."""
    base, tier = comparison.base.facts, Tier.TIER2_TREESITTER_HEURISTIC
    for index, reference in enumerate(base.references(file)):
        before = comparison.base.links[file].reasons[index] if is_meant(reference) else Reason.NO_CANDIDATE
        if before == Reason.NO_CANDIDATE:
            continue
        at = base.interface(file).defs[reference.source].start + reference.at
        edge = Edge(file, reference.source, at, EdgeKind.REFERENCES, target, tier, CONFIDENCE, False)
        for there, same in comparison.same_now(file, reference):
            after = comparison.now.reason(file, there)
            if after != before and after in reasons:
                yield edge, there, same


def _goes_through(interface: Interface, reference: Reference, ordinal: int) -> bool:
    """Whether the text of a reference passes through a definition of the same file, and means that one."""
    definition = interface.defs[ordinal]
    name = interface.text(definition.name)
    if _begins_with(interface, reference, name, definition.parent):
        return True
    if interface.defs[definition.parent].kind != NodeKind.CLASS:
        return False
    _, *rest = interface.text(reference.text).split(".")
    owner = interface.text(interface.defs[definition.parent].qualified_name)
    around = interface.text(interface.defs[reference.source].qualified_name)
    return rest[:1] == [name] and len(rest) > 1 and around.startswith(f"{owner}.")


def _begins_with(interface: Interface, reference: Reference, name: str, scope: int) -> bool:
    """Whether a reference starts with a name of a module, or of a class in its body, and continues: `@size.setter`."""
    return interface.scope_of(reference) == scope and interface.text(reference.text).startswith(f"{name}.")
