"""Uses of what is gone in the middle of a chain: `self.cache` in `self.cache.get(1)`.

Such a use has no edge of its own, only the chain's end has. So it is looked for by its text, where that says enough: in
the class that has lost the member, in the module that has lost the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.enforcement.delta import MODULE
from keel.enforcement.sides import Edge
from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.facts import Interface, Reference
from keel.model.kinds import EdgeKind, NodeKind, Reason, Tier

CONFIDENCE = 80
"""Of the use, in hundredths: as that of a member that is read from `self`."""


def uses_in_chains(trees: Trees, spot: Spot) -> Iterator[tuple[Edge, int, Reference]]:
    """The chains of now, with their index, that led somewhere in base and find nothing since a definition is gone."""
    base, now = trees.base.facts, trees.now.facts
    file = spot.file
    if not now.has(file):
        return
    interface = base.interface(file)
    for index, reference in enumerate(base.references(file)):
        if not _goes_through(interface, reference, spot.ordinal):
            continue
        if trees.base.links[file].reasons[index] == Reason.NO_CANDIDATE:
            continue
        for there, same in trees.same_now(file, reference):
            if trees.now.reason(file, there) == Reason.NO_CANDIDATE:
                at = interface.defs[reference.source].start + reference.at
                tier = Tier.TIER2_TREESITTER_HEURISTIC
                yield Edge(file, reference.source, at, EdgeKind.REFERENCES, spot, tier, CONFIDENCE, False), there, same


def _goes_through(interface: Interface, reference: Reference, ordinal: int) -> bool:
    """Whether the text of a reference passes a definition of the same file, and that is the one it means."""
    definition = interface.defs[ordinal]
    first, *rest = interface.text(reference.text).split(".")
    name = interface.text(definition.name)
    if interface.defs[definition.parent].kind == NodeKind.CLASS:
        owner = interface.text(interface.defs[definition.parent].qualified_name)
        around = interface.text(interface.defs[reference.source].qualified_name)
        return rest[:1] == [name] and len(rest) > 1 and around.startswith(f"{owner}.")
    is_of_module = reference.root >= 0 and interface.bindings[reference.root].scope == MODULE
    return first == name and bool(rest) and is_of_module
