"""Functions of the files that are judged, with what is not written at them.

What they must have is the language's to say, how strict that is the configuration's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.facts import MODULE_DEF
from keel.model.kinds import EdgeKind, NodeKind
from keel.ports.rule import Function, Grade

FULL = "full"


def functions_of(trees: Trees, files: Iterable[int], grade: Grade) -> Iterator[Function]:
    """Those that lack something; in a file that cannot be read whole nobody knows what is a function, and what text."""
    conventions = trees.conventions
    if conventions is None:
        return
    for file in sorted(files):
        interface = trees.now.facts.interface(file)
        if interface.gaps:
            continue
        path = trees.now.facts.tree.files[file].path
        full = grade("docstring_format", path) == FULL
        for ordinal in range(MODULE_DEF + 1, len(interface.defs)):
            spot = Spot(file, ordinal)
            names, returns_untyped = conventions.untyped(interface, ordinal) or ((), False)
            undocumented = conventions.undocumented(interface, ordinal, full) or ""
            if undocumented and _inherits_doc(trees, spot):
                undocumented = ""
            if names or returns_untyped or undocumented:
                yield Function(trees.subject(spot), names, returns_untyped, undocumented)


def added_functions(trees: Trees, files: Iterable[int]) -> Iterator[Spot]:
    """Functions at the top level that base does not have by that name; those of a renamed file are not new."""
    wanted = set(files)
    for spot, is_new in trees.delta.is_new.items():
        if is_new and spot.file in wanted and spot not in trees.delta.moved:
            definition = trees.now.facts.interface(spot.file).defs[spot.ordinal]
            is_function = definition.kind == NodeKind.FUNCTION and definition.parent == MODULE_DEF
            if is_function and trees.base.facts.named(spot.file, trees.now.facts.name(spot)) is None:
                yield spot


def _inherits_doc(trees: Trees, spot: Spot) -> bool:
    """Whether it overrides something that is documented."""
    for parent in trees.now.targets(spot, EdgeKind.OVERRIDES):
        interface = trees.now.facts.interface(parent.file)
        if interface.text(interface.defs[parent.ordinal].doc).strip():
            return True
    return False
