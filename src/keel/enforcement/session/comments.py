"""Suppression comments of files, each with the definitions that it stands above.

Which findings they silence is left to `suppress.py`, which of them are of no use to `unused.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from keel.enforcement.comparison import Comparison
from keel.model.facts import MODULE_DEF, Interface, Lines
from keel.model.refs import DefRef
from keel.model.syntax import PLAIN, Syntax


class Comment(NamedTuple):
    """A comment that asks for silence."""

    root: str
    file: str
    line: int
    codes: tuple[str, ...]
    reason: str
    ids: tuple[str, ...]
    """The definitions it stands above."""
    is_judged: bool
    """Whether its file was judged, and could be read whole, so that what is not found is not there."""
    syntax: Syntax = PLAIN
    """How its file is written."""


def comments_of(comparison: Comparison, files: Iterable[int], judged: Collection[int]) -> Iterator[Comment]:
    """The comments of some files as they are now."""
    for file in files:
        interface = comparison.now.facts.interface(file)
        if not interface.suppressions:
            continue
        row = comparison.now.facts.tree.files[file]
        lines = Lines(interface.lines)
        above = _above(interface, lines)
        is_judged = file in judged and not interface.gaps
        for each in interface.suppressions:
            line = lines.line(each.at)
            ids = tuple(comparison.subject(DefRef(file, ordinal)).id for ordinal in above.get(line, ()))
            yield Comment(
                row.root, row.path, line, tuple(each.codes), each.reason, ids, is_judged, comparison.syntax(file)
            )


def _above(interface: Interface, lines: Lines) -> dict[int, list[int]]:
    """The definitions that each comment stands above, by its line.

    It stands on the line above a definition or one of its decorators; comments may be stacked. Between a decorator
    and the name, any line is above one of the two.
    """
    comments = sorted({lines.line(each.at) for each in interface.suppressions if not each.behind}, reverse=True)
    found: dict[int, list[int]] = {}
    for ordinal, definition in enumerate(interface.defs):
        if ordinal <= MODULE_DEF:
            continue
        first, named = lines.line(definition.start), lines.line(definition.name_at)
        for line in comments:  # from below, so that a stack is climbed
            if first <= line < named or line == first - 1:
                found.setdefault(line, []).append(ordinal)
                first = min(first, line)
    return found
