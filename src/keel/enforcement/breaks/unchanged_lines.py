"""Lines of a file that are unchanged since base, so that no new diagnostic on them is caused by an edit of them.

What follows from that is left to `type_evidence.py`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from difflib import SequenceMatcher

from keel.enforcement.comparison import Comparison


class UnchangedLines:
    """The lines that an edit has not changed; each file is compared once, on first use."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._held: dict[int, Set[int]] = {}

    def has(self, file: int, one: int, other: int) -> bool:
        """Whether all lines from one to another are unchanged, and still contiguous."""
        if file not in self._comparison.delta.changed:
            return True
        if file not in self._held:
            self._held[file] = _unchanged(self._comparison.lines_before(file), self._comparison.lines(file))
        return self._held[file] >= {*range(min(one, other), max(one, other) + 1)}


def _unchanged(before: Sequence[str], after: Sequence[str]) -> Set[int]:
    """The lines, from 1, that both texts have."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    # Lines that occur often start no match: trying each of them is slow, and proves little.
    middle = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail])
    found = {*range(1, head + 1), *range(len(after) - tail + 1, len(after) + 1)}
    for block in middle.get_matching_blocks():
        found |= {*range(head + block.b + 1, head + block.b + block.size + 1)}
    return found
