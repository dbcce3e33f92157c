"""Functions of the files that are judged, with what is not written at them.

What they must have is the language's to say, how strict that is the configuration's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.facts import MODULE_DEF
from keel.model.kinds import EdgeKind, NodeKind
from keel.ports.conventions import Conventions
from keel.ports.rule import Function, Subject


def functions_of(trees: Trees, files: Iterable[int]) -> Iterator[Function]:
    """Those of some files; in one that cannot be read whole it is not known what is a function, and what text."""
    if trees.conventions is None:
        return
    for file in sorted(files):
        interface = trees.now.facts.interface(file)
        if not interface.gaps:
            path = trees.now.facts.tree.files[file].path
            for ordinal in range(MODULE_DEF + 1, len(interface.defs)):
                yield JudgedFunction(trees, trees.conventions, Spot(file, ordinal), path)


class JudgedFunction:
    """A function of a file that is judged; other definitions lack nothing."""

    def __init__(self, trees: Trees, conventions: Conventions, spot: Spot, path: str) -> None:
        self._trees, self._conventions, self._spot, self.path = trees, conventions, spot, path

    @property
    def subject(self) -> Subject:
        """The function as findings show it."""
        return self._trees.subject(self._spot)

    def untyped(self) -> tuple[Sequence[str], bool]:
        """The parameters without a type, and whether its result has none."""
        interface = self._trees.now.facts.interface(self._spot.file)
        return self._conventions.untyped(interface, self._spot.ordinal) or ((), False)

    def undocumented(self, full: bool) -> str:
        """What its doc lacks; one that overrides something documented needs none."""
        interface = self._trees.now.facts.interface(self._spot.file)
        lacking = self._conventions.undocumented(interface, self._spot.ordinal, full) or ""
        return "" if lacking and _inherits_doc(self._trees, self._spot) else lacking


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
