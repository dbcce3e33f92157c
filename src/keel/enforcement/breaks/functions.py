"""Functions of the judged files, with the annotations and documentation that they lack.

What they must have is left to the language, how strict that is to the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from keel.enforcement.comparison import Comparison
from keel.model.facts import MODULE_DEF
from keel.model.kinds import EdgeKind, NodeKind
from keel.model.refs import DefRef
from keel.ports.conventions import Conventions
from keel.ports.rule import Function, Subject

FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)


def functions_of(comparison: Comparison, files: Iterable[int]) -> Iterator[Function]:
    """The functions of some files; a file with a syntax error is left out, since its functions are not known."""
    if comparison.conventions is None:
        return
    for file in sorted(files):
        interface = comparison.now.facts.interface(file)
        if not interface.gaps:
            path = comparison.now.facts.tree.files[file].path
            for ordinal in range(MODULE_DEF + 1, len(interface.defs)):
                if interface.defs[ordinal].kind not in FUNCTIONS:
                    continue
                yield JudgedFunction(comparison, comparison.conventions, DefRef(file, ordinal), path)


class JudgedFunction:
    """A function of a judged file."""

    def __init__(self, comparison: Comparison, conventions: Conventions, ref: DefRef, path: str) -> None:
        self._comparison, self._conventions, self._spot, self.path = comparison, conventions, ref, path

    @property
    def subject(self) -> Subject:
        """The function as a finding names it."""
        return self._comparison.subject(self._spot)

    def untyped(self) -> tuple[Sequence[str], bool]:
        """The parameters without an annotation, and whether the return annotation is missing."""
        interface = self._comparison.now.facts.interface(self._spot.file)
        return self._conventions.untyped(interface, self._spot.ordinal) or ((), False)

    def undocumented(self, full: bool) -> str:
        """What its documentation lacks; a function that overrides a documented one needs none."""
        interface = self._comparison.now.facts.interface(self._spot.file)
        lacking = self._conventions.undocumented(interface, self._spot.ordinal, full) or ""
        return "" if lacking and _inherits_doc(self._comparison, self._spot) else lacking


def added_functions(comparison: Comparison, files: Iterable[int]) -> Iterator[DefRef]:
    """Functions at the top level that base does not have by that name; those of a renamed file are not new."""
    wanted = set(files)
    for spot, is_new in comparison.delta.is_new.items():
        if is_new and spot.file in wanted and spot not in comparison.delta.moved:
            definition = comparison.now.facts.interface(spot.file).defs[spot.ordinal]
            is_function = definition.kind == NodeKind.FUNCTION and definition.parent == MODULE_DEF
            if is_function and comparison.base.facts.named(spot.file, comparison.now.facts.name(spot)) is None:
                yield spot


def _inherits_doc(comparison: Comparison, ref: DefRef) -> bool:
    """Whether it overrides a documented definition."""
    for parent in comparison.now.targets(ref, EdgeKind.OVERRIDES):
        interface = comparison.now.facts.interface(parent.file)
        if interface.text(interface.defs[parent.ordinal].doc).strip():
            return True
    return False
