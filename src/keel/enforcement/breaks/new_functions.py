"""Functions that base does not have: whether they are in the right module, and whether they existed already.

Weighing is left to `graph/placement/placement.py` and `graph/placement/duplicates.py`, which operations share; messages
are left to the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from keel.enforcement.comparison import Comparison
from keel.graph.placement.duplicates import is_eligible, namesakes_of
from keel.graph.placement.modules import Modules
from keel.graph.placement.placement import better_of, is_placeable, reasons_of, siblings_of
from keel.model.refs import DefRef
from keel.ports.rule import Duplicate, Misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.model.rows import FileRow, StoredNode

Wanted = Callable[[str], bool]
"""Whether a rule is on for a path."""
MAX_JUDGED = 500
"""An edit that adds more functions than this adds whole packages; the placement of one function is not the question."""


def misplaced(comparison: Comparison, added: Sequence[DefRef], wanted: Wanted) -> list[Misplaced]:
    """New functions that fit another module much better."""
    judged = [
        each
        for each in _rows(comparison, added, wanted)
        if is_placeable(each[1], each[2].path, comparison.syntaxes[each[2].language])
    ]
    if not judged:
        return []
    modules = Modules(comparison.now.reader, comparison.syntaxes)
    names = {node.name for _, node, _ in judged}
    found = []
    for spot, node, _ in judged[:MAX_JUDGED]:
        better = better_of(modules, node)
        if better is not None:
            best, *rest = better.fits
            found.append(
                Misplaced(
                    comparison.subject(spot),
                    modules.profiles[modules.folders[node.file]].path,
                    modules.profiles[best.folder].path,
                    siblings_of(modules, best, besides=names),
                    reasons_of(best, modules.syntax(best.folder)),
                    [modules.profiles[fit.folder].path for fit in rest],
                    better.margin,
                )
            )
    return found


def duplicates(comparison: Comparison, added: Sequence[DefRef], wanted: Wanted) -> list[Duplicate]:
    """New functions that duplicate one of the same name; of two new ones, the later by path is reported."""
    own = set(added)
    found = []
    for spot, node, file in _rows(comparison, added, wanted)[:MAX_JUDGED]:
        if not is_eligible(node, file.path, comparison.syntaxes[file.language]):
            continue
        others = namesakes_of(
            comparison.now.reader, comparison.now.facts.interface, node, file, comparison.syntaxes[file.language]
        )
        others = [
            each
            for each in others
            if (each.file.root, each.file.path) < (file.root, file.path)
            or DefRef(each.node.file, each.node.ordinal) not in own
        ]
        if others:
            first = others[0]
            there = comparison.subject(DefRef(first.node.file, first.node.ordinal))
            found.append(Duplicate(comparison.subject(spot), there, first.likeness, first.is_clone, len(others) - 1))
    return found


def _rows(comparison: Comparison, added: Sequence[DefRef], wanted: Wanted) -> list[tuple[DefRef, StoredNode, FileRow]]:
    """The new functions in files for which the rule is on."""

    def rows() -> Iterator[tuple[DefRef, StoredNode, FileRow]]:
        for spot in added:
            file = comparison.now.facts.tree.files[spot.file]
            if wanted(file.path):
                yield spot, comparison.now.node(spot), file

    return list(rows())
