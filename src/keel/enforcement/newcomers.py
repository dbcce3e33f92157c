"""Functions that base does not have: whether they stand where they belong, and whether they were there already.

Weighing is left to `graph/placement.py` and `graph/duplicates.py`, which other operations share; what is said, to the
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from keel.enforcement.trees import Trees
from keel.graph.duplicates import is_eligible, namesakes_of
from keel.graph.modules import Modules
from keel.graph.placement import better_of, is_placeable, reasons_of, siblings_of
from keel.model.contracts import Spot
from keel.ports.rule import Duplicate, Misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.model.rows import FileRow, StoredNode

Wanted = Callable[[str], bool]
"""Whether a rule is on for a path."""
MOST_JUDGED = 500
"""An edit that adds more functions than this adds whole parts, whose place is not a matter of one function."""


def misplaced(trees: Trees, added: Sequence[Spot], wanted: Wanted) -> list[Misplaced]:
    """Those that would fit much better elsewhere."""
    judged = [
        each
        for each in _rows(trees, added, wanted)
        if is_placeable(each[1], each[2].path, trees.syntaxes[each[2].language])
    ]
    if not judged:
        return []
    modules = Modules(trees.now.reader, trees.syntaxes)
    names = {node.name for _, node, _ in judged}
    found = []
    for spot, node, _ in judged[:MOST_JUDGED]:
        better = better_of(modules, node)
        if better is not None:
            best, *rest = better.fits
            found.append(
                Misplaced(
                    trees.subject(spot),
                    modules.profiles[modules.folders[node.file]].path,
                    modules.profiles[best.folder].path,
                    siblings_of(modules, best, besides=names),
                    reasons_of(best, modules.syntax(best.folder)),
                    [modules.profiles[fit.folder].path for fit in rest],
                    better.margin,
                )
            )
    return found


def duplicates(trees: Trees, added: Sequence[Spot], wanted: Wanted) -> list[Duplicate]:
    """Those that repeat another of their name; of two that are new together, the later one by path is told."""
    own = set(added)
    found = []
    for spot, node, file in _rows(trees, added, wanted)[:MOST_JUDGED]:
        if not is_eligible(node, file.path, trees.syntaxes[file.language]):
            continue
        others = namesakes_of(trees.now.reader, trees.now.facts.interface, node, file, trees.syntaxes[file.language])
        others = [
            each
            for each in others
            if (each.file.root, each.file.path) < (file.root, file.path)
            or Spot(each.node.file, each.node.ordinal) not in own
        ]
        if others:
            first = others[0]
            there = trees.subject(Spot(first.node.file, first.node.ordinal))
            found.append(Duplicate(trees.subject(spot), there, first.likeness, first.is_clone, len(others) - 1))
    return found


def _rows(trees: Trees, added: Sequence[Spot], wanted: Wanted) -> list[tuple[Spot, StoredNode, FileRow]]:
    """The functions of the files that a rule wants."""

    def rows() -> Iterator[tuple[Spot, StoredNode, FileRow]]:
        for spot in added:
            file = trees.now.facts.tree.files[spot.file]
            if wanted(file.path):
                yield spot, trees.now.node(spot), file

    return list(rows())
