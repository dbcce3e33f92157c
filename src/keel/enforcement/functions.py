"""Functions of the files that are judged, with what is not written at them.

What they must have is the language's to say, how strict that is the configuration's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.kinds import EdgeKind
from keel.ports.rule import Function, Grade

FULL = "full"


def functions_of(trees: Trees, files: Iterable[int], grade: Grade) -> Iterator[Function]:
    """Those that lack something."""
    for file in sorted(files):
        interface = trees.now.facts.interface(file)
        path = trees.now.facts.tree.files[file].path
        full = grade("docstring_format", path) == FULL
        for ordinal in range(2, len(interface.defs)):
            spot = Spot(file, ordinal)
            untyped = trees.contracts.untyped(interface, ordinal) or ((), False)
            undocumented = trees.contracts.undocumented(interface, ordinal, full) or ""
            if undocumented and _inherits_doc(trees, spot):
                undocumented = ""
            if untyped[0] or untyped[1] or undocumented:
                yield Function(trees.subject(spot), *untyped, undocumented)


def _inherits_doc(trees: Trees, spot: Spot) -> bool:
    """Whether it overrides something that is documented."""
    for parent in trees.now.targets(spot, EdgeKind.OVERRIDES):
        interface = trees.now.facts.interface(parent.file)
        if interface.text(interface.defs[parent.ordinal].doc).strip():
            return True
    return False
