"""Uses of what is gone at the beginning or in the middle of a chain: `self.cache` in `self.cache.get(1)`.

Such a use has no edge of its own, only the chain's end has. So it is looked for by its text, where that says enough: in
the class that has lost the member, in the module that has lost the name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge
from keel.model.facts import MODULE_DEF, Interface, Reference
from keel.model.kinds import EdgeKind, NodeKind, Reason, Tier
from keel.model.refs import DefRef

CONFIDENCE = 80
"""Of the use, in hundredths: as that of a member that is read from `self`."""
LOST = (Reason.NO_CANDIDATE, Reason.DYNAMIC)
"""Why a chain finds nothing: the name is not there, or something may provide it when it is asked for."""


Use = tuple[Edge, int, Reference]
"""The edge that a use would have had in base, and its reference of now with its index."""


def uses_in_chains(comparison: Comparison, ref: DefRef) -> Iterator[Use]:
    """The chains of now that led somewhere in base and find nothing since a definition is gone, or may find nothing."""
    if comparison.now.facts.has(ref.file):
        interface = comparison.base.facts.interface(ref.file)
        yield from _dead(comparison, ref.file, ref, LOST, lambda one: _goes_through(interface, one, ref.ordinal))


def uses_by_name(comparison: Comparison, file: int, name: str, target: DefRef) -> Iterator[Use]:
    """The same since a module no longer imports a name, which meant a target."""
    interface = comparison.base.facts.interface(file)
    yield from _dead(comparison, file, target, LOST[:1], lambda one: _begins_with(interface, one, name, MODULE_DEF))


def _dead(
    comparison: Comparison, file: int, target: DefRef, reasons: Collection[int], is_meant: Callable[[Reference], bool]
) -> Iterator[Use]:
    """Chains that are not linked now for one of some reasons, which was not the reason in base."""
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
    """Whether the text of a reference passes a definition of the same file, and that is the one it means."""
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
    """Whether the text of a reference goes on behind a name of a module, or of a class in its body: `@size.setter`."""
    return interface.scope_of(reference) == scope and interface.text(reference.text).startswith(f"{name}.")
