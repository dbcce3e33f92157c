"""Undefined names that an edit uses: mistyped, not imported, or left behind by a rename.

Names that were undefined in base already are not reported. Uses of what the edit itself removed are left to
`removed.py` and `unresolved.py`, which know the cause.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from keel.enforcement.comparison import Comparison
from keel.model.facts import Reference
from keel.model.kinds import RefKind
from keel.model.refs import DefRef
from keel.ports.rule import UnknownName

SourceLine = tuple[str, str, int]
"""A line of a file: root, path and number."""


def unknown(comparison: Comparison, files: Iterable[int], told: Collection[SourceLine]) -> Iterator[UnknownName]:
    """Each undefined name of a function, once, apart from those on lines that are reported already."""
    for file in files:
        if file not in comparison.delta.changed:
            continue
        row = comparison.now.facts.tree.files[file]
        seen = (
            {key for key, _, _ in _unknown(comparison, file, is_now=False)}
            if comparison.base.facts.has(file)
            else set()
        )
        for key, reference, line in _unknown(comparison, file, is_now=True):
            is_import = reference.kind == RefKind.IMPORT
            if key in seen or (row.root, row.path, line) in told:
                continue
            seen.add(key)
            if not comparison.contracts.is_excused(comparison.lines(file), line, is_import):
                around, name = comparison.subject(DefRef(file, reference.source)).qualified_name, key[1]
                yield UnknownName(name, around, is_import, row.root, row.path, line)


def _unknown(comparison: Comparison, file: int, *, is_now: bool) -> Iterator[tuple[tuple[str, str], Reference, int]]:
    """The definition around a name and the name, the reference, and its line."""
    facts = comparison.now.facts if is_now else comparison.base.facts
    interface = facts.interface(file)
    for reference, name in comparison.contracts.names.unknown(file, facts.references(file), is_now):
        around, _ = facts.name(DefRef(file, reference.source))
        yield (around, name), reference, facts.lines(file).line(interface.defs[reference.source].start + reference.at)
