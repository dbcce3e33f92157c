"""Suppression comments of files, each with the definitions it applies to.

Which findings they suppress is left to `suppress.py`, which of them are unused to `unused.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from keel.enforcement.comparison import Comparison
from keel.model.facts import MODULE_DEF, Interface, Lines
from keel.model.refs import DefRef
from keel.model.syntax import PLAIN, Syntax


class Comment(NamedTuple):
    """A suppression comment."""

    root: str
    file: str
    line: int
    codes: tuple[str, ...]
    reason: str
    ids: tuple[str, ...]
    """The definitions it applies to: those on the line below."""
    is_judged: bool
    """Whether its file was judged and has no syntax error, so that a finding that is missing does not exist."""
    syntax: Syntax = PLAIN
    """The syntax of its file."""


def comments_of(comparison: Comparison, files: Iterable[int], judged: Collection[int]) -> Iterator[Comment]:
    """The comments of some current files."""
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
    """The definitions that each comment applies to, by its line.

    A comment is on the line above a definition or one of its decorators; comments may be stacked. Between a decorator
    and the name, any line counts as above.
    """
    comments = sorted({lines.line(each.at) for each in interface.suppressions if not each.behind}, reverse=True)
    found: dict[int, list[int]] = {}
    for ordinal, definition in enumerate(interface.defs):
        if ordinal <= MODULE_DEF:
            continue
        first, named = lines.line(definition.start), lines.line(definition.name_at)
        for line in comments:  # upwards, through a stack of comments
            if first <= line < named or line == first - 1:
                found.setdefault(line, []).append(ordinal)
                first = min(first, line)
    return found
