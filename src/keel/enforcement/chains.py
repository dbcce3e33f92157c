"""Uses of what is gone at the beginning or in the middle of a chain: `self.cache` in `self.cache.get(1)`.

Such a use has no edge of its own, only the chain's end has. So it is looked for by its text, where that says enough: in
the class that has lost the member, in the module that has lost the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from keel.enforcement.delta import MODULE
from keel.enforcement.sides import Edge
from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.facts import Interface, Reference
from keel.model.kinds import EdgeKind, NodeKind, Reason, Tier

CONFIDENCE = 80
"""Of the use, in hundredths: as that of a member that is read from `self`."""


Use = tuple[Edge, int, Reference]
"""The edge that a use would have had in base, and its reference of now with its index."""


def uses_in_chains(trees: Trees, spot: Spot) -> Iterator[Use]:
    """The chains of now that led somewhere in base and find nothing since a definition is gone."""
    if trees.now.facts.has(spot.file):
        interface = trees.base.facts.interface(spot.file)
        yield from _dead(trees, spot.file, spot, lambda one: _goes_through(interface, one, spot.ordinal))


def uses_by_name(trees: Trees, file: int, name: str, target: Spot) -> Iterator[Use]:
    """The same since a module no longer imports a name, which meant a target."""
    interface = trees.base.facts.interface(file)
    yield from _dead(trees, file, target, lambda one: _begins_with(interface, one, name))


def _dead(trees: Trees, file: int, target: Spot, is_meant: Callable[[Reference], bool]) -> Iterator[Use]:
    base, tier = trees.base.facts, Tier.TIER2_TREESITTER_HEURISTIC
    for index, reference in enumerate(base.references(file)):
        if not is_meant(reference) or trees.base.links[file].reasons[index] == Reason.NO_CANDIDATE:
            continue
        at = base.interface(file).defs[reference.source].start + reference.at
        edge = Edge(file, reference.source, at, EdgeKind.REFERENCES, target, tier, CONFIDENCE, False)
        for there, same in trees.same_now(file, reference):
            if trees.now.reason(file, there) == Reason.NO_CANDIDATE:
                yield edge, there, same


def _goes_through(interface: Interface, reference: Reference, ordinal: int) -> bool:
    """Whether the text of a reference passes a definition of the same file, and that is the one it means."""
    definition = interface.defs[ordinal]
    name = interface.text(definition.name)
    if interface.defs[definition.parent].kind != NodeKind.CLASS:
        return _begins_with(interface, reference, name)
    _, *rest = interface.text(reference.text).split(".")
    owner = interface.text(interface.defs[definition.parent].qualified_name)
    around = interface.text(interface.defs[reference.source].qualified_name)
    return rest[:1] == [name] and len(rest) > 1 and around.startswith(f"{owner}.")


def _begins_with(interface: Interface, reference: Reference, name: str) -> bool:
    """Whether the text of a reference goes on behind a name of the module."""
    is_of_module = reference.root >= 0 and interface.bindings[reference.root].scope == MODULE
    return is_of_module and interface.text(reference.text).startswith(f"{name}.")
