"""Names that an edit uses and that nothing provides: mistyped, not imported, or left behind where they were renamed.

What was unknown in base already says nothing new. Uses of what the edit itself has taken away are told by `gone.py` and
`lost.py`, with who took it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.facts import Reference
from keel.model.kinds import RefKind
from keel.ports.rule import UnknownName

Line = tuple[str, str, int]
"""A line of a file: root, path and number."""


def unknown(trees: Trees, files: Iterable[int], told: Collection[Line]) -> Iterator[UnknownName]:
    """Each unknown name of a function, once, apart from those on lines that are told of."""
    for file in files:
        if file not in trees.delta.changed:
            continue
        row = trees.now.facts.tree.files[file]
        seen = {key for key, _, _ in _unknown(trees, file, is_now=False)} if trees.base.facts.has(file) else set()
        for key, reference, line in _unknown(trees, file, is_now=True):
            is_import = reference.kind == RefKind.IMPORT
            if key in seen or (row.root, row.path, line) in told:
                continue
            seen.add(key)
            if not trees.contracts.is_excused(trees.lines(file), line, is_import):
                around, name = trees.subject(Spot(file, reference.source)).qualified_name, key[1]
                yield UnknownName(name, around, is_import, row.root, row.path, line)


def _unknown(trees: Trees, file: int, *, is_now: bool) -> Iterator[tuple[tuple[str, str], Reference, int]]:
    """The definition around and the name, the reference, and its line."""
    facts = trees.now.facts if is_now else trees.base.facts
    interface = facts.interface(file)
    for reference, name in trees.contracts.names.unknown(file, facts.references(file), is_now):
        around, _ = facts.name(Spot(file, reference.source))
        yield (around, name), reference, facts.lines(file).line(interface.defs[reference.source].start + reference.at)
