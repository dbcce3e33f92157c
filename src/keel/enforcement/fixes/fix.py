"""Fixing: what can be done at a broken place with certainty, as edits of its file.

A fix is planned where only one change is possible; everything else is left to people, with the reason. Whether a fix
helps is found by compiling again, which is left to `operations/fix.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from keel.enforcement.fixes.arguments import ArgumentFixer
from keel.enforcement.fixes.renames import RenameFixer
from keel.enforcement.fixes.source_text import SourceTexts
from keel.enforcement.fixes.steps import Fix, Left
from keel.model.findings import Affected
from keel.ports.editing import Editing
from keel.ports.rule import Break, How

BY_HAND = {
    How.KIND_CHANGE: "the result is obtained in another way, and the right change depends on the caller",
    How.TYPES: "whether the new type fits depends on the values that are passed",
    How.LOST: "it is no longer imported or inherited, and there may be several ways to reach it",
    How.NEW_CALL: "the call is new, and only its author knows what it should pass",
}
"""Why no fix is planned for some kinds of breaks."""


class Fixer:
    """Plans fixes over the comparison of one language."""

    def __init__(self, written: SourceTexts, editing: Editing | None) -> None:
        """`editing` is None for a language that keel cannot edit yet."""
        self._written = written
        self._both = (ArgumentFixer(written, editing), RenameFixer(written, editing)) if editing is not None else None

    def of(self, broken: Break, all_breaks: Collection[Break]) -> Fix | Left:
        """The fix of a broken place, given all others that are broken."""
        if broken.how in BY_HAND:
            return Left(BY_HAND[broken.how])
        if broken.site is None or broken.cause is None:
            return Left("the reference at this place is not known")
        if self._both is None:
            row = self._written.comparison.now.facts.tree.files[broken.site.file]
            return Left(f"keel cannot edit {row.language} files yet")
        source = self._written.text(broken.site.file)
        if source is None:
            return Left("its file is not plain UTF-8, or cannot be read")
        passing, renaming = self._both
        if broken.how is How.GONE:
            return renaming.fix(source, broken, broken.site, all_breaks)
        return passing.fix(source, broken.site, broken.cause, broken.changes)

    def besides(self, broken: Break) -> Iterator[tuple[Affected, Fix | Left]]:
        """The fixes at other places that belong to it: overriding methods, and lists of exports."""
        if self._both is None or broken.how is not How.GONE:
            return iter(())
        return self._both[1].besides(broken)
