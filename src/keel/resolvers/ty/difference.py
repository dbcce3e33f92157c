"""The diagnostics that a file has now and did not have in base, matched line by line.

Diagnostics move with their lines. Those on lines that the edit has replaced are matched by their messages. Getting them
is left to `session`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from keel.ports.type_checker import Complaint

Lines = Sequence[bytes]


def new_complaints(before: Sequence[Complaint], now: Sequence[Complaint], was: Lines, lines: Lines) -> list[Complaint]:
    """The current diagnostics that base does not have, as a multiset of line and rule."""
    moved = dict(_kept(was, lines)) if was is not lines else None
    held: Counter[tuple[int, str]] = Counter()
    left: Counter[tuple[str, str]] = Counter()
    for each in before:
        line = each.line if moved is None else moved.get(each.line, 0)
        if line:
            held[line, each.rule] += 1
        else:
            left[each.rule, each.message] += 1
    found = []
    for each in now:
        if held[each.line, each.rule] > 0:
            held[each.line, each.rule] -= 1
        elif left[each.rule, each.message] > 0:
            left[each.rule, each.message] -= 1
        else:
            found.append(each)
    return found


def _kept(was: Lines, lines: Lines) -> Iterator[tuple[int, int]]:
    """The lines, from 1, that both texts have, each with its current line number."""
    head = 0
    most = min(len(was), len(lines))
    while head < most and was[head] == lines[head]:
        head += 1
    tail = 0
    while tail < most - head and was[-1 - tail] == lines[-1 - tail]:
        tail += 1
    yield from ((line, line) for line in range(1, head + 1))
    yield from ((len(was) - each, len(lines) - each) for each in range(tail))
    inside, there = was[head : len(was) - tail], lines[head : len(lines) - tail]
    if inside and there:
        from difflib import SequenceMatcher

        is_long = len(inside) * len(there) > MAX_COMPARED
        for block in SequenceMatcher(None, inside, there, autojunk=is_long).get_matching_blocks():
            for each in range(block.size):
                yield head + block.a + each + 1, head + block.b + each + 1


MAX_COMPARED = 1_000_000
"""Pairs of lines up to which all are compared, frequent lines too."""
