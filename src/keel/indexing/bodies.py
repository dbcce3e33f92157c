"""What the body of a definition speaks of: the names it uses, and the text it hands on, assigns or returns.

It is said by the facts of the file alone, as everything that search sees. What words are made of it is left to
`words.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.namesakes import CALLS
from keel.model.values import CALL, CHOICE, CONCAT, DISPLAY, FORMAT, STRING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keel.model.facts import Interface, References

DEEPEST = 4
"""Displays within displays that are looked through: a table of texts is one, what is deeper is data."""


def texts_of_bodies(interface: Interface, references: References) -> dict[int, list[int]]:
    """Texts as indexes into the strings of the file, by definition, in source order as far as that is known."""
    tape = interface.tape
    found: dict[int, list[int]] = {}
    for item in references.items:
        own = found.setdefault(item.source, [])
        own.append(item.text)
        if item.kind in CALLS and item.value >= 0 and tape[item.value] == CALL:
            own += _given(tape, item.value)
    for assign in interface.assigns:
        found.setdefault(assign.scope, []).extend(_literals(tape, assign.value))
    for handed in interface.returns:
        found.setdefault(handed.scope, []).extend(_literals(tape, handed.value))
    return found


def _given(tape: Sequence[int], call: int) -> Iterator[int]:
    """The texts among the arguments of a call."""
    positional, keywords = tape[call + 4], tape[call + 5]
    at = call + 6
    for place in range(at, at + 3 * positional, 3):
        yield from _literals(tape, tape[place])
    at += 3 * positional
    for place in range(at, at + 4 * keywords, 4):
        yield from _literals(tape, tape[place + 1])


def _literals(tape: Sequence[int], at: int, depth: int = 0) -> Iterator[int]:
    """The texts that a value is made of; what stands in a call within it is that call's."""
    if at < 0 or depth > DEEPEST:
        return
    op = tape[at]
    if op in (STRING, FORMAT):
        yield tape[at + 1]
    elif op in (CONCAT, CHOICE, DISPLAY):
        first = at + 2 + (op == DISPLAY)
        for place in tape[first : first + tape[first - 1]]:
            yield from _literals(tape, place, depth + 1)
