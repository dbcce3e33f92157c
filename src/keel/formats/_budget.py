"""Fitting an answer into a budget of tokens: the most relevant entries are kept, in the order they were given.

What the entries are and how relevant each is, is left to `llm.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from keel.formats._tokens import estimate


class Entry(NamedTuple):
    """A piece of an answer: its text, with the line break or blank before it."""

    text: str
    rank: tuple[float, ...] | None = None
    """Lower is more relevant; a title has none, and is kept when an entry below it is."""
    noun: str = ""
    """What it is counted as when it is left out; empty when it is not counted."""
    above: int = -1
    """The entry that this one needs: its title."""
    group: str = ""
    """What it belongs to, for those who count that as well."""


Closing = Callable[[Sequence[Entry]], str]
"""The line about the entries that were left out; empty when there is none."""


def fitted(entries: Sequence[Entry], budget: int, closing: Closing) -> str:
    """The entries that fit, and the line about those that do not."""
    kept = _kept(entries, budget - _closed(closing(())))
    if len(kept) < len(entries):
        # The longest line there can be: that nothing fits.
        kept = _kept(entries, budget - _closed(closing(entries)))
    left = [entry for index, entry in enumerate(entries) if index not in kept]
    text = "".join(entry.text for index, entry in enumerate(entries) if index in kept).lstrip("\n")
    said = "\n".join(part for part in (text, closing(left)) if part)
    return f"{said}\n" if said or entries else ""  # to nothing, nothing is said


def _closed(text: str) -> float:
    return estimate(f"\n{text}\n")


def _kept(entries: Sequence[Entry], room: float) -> set[int]:
    costs = [estimate(entry.text) for entry in entries]
    kept: set[int] = set()
    refused: set[int] = set()
    ranked = sorted((entry.rank, index) for index, entry in enumerate(entries) if entry.rank is not None)
    for _, index in ranked:
        if entries[index].above in refused:  # which did not fit, and fits even less with this one
            refused.add(index)
            continue
        wanted = _with_titles(entries, index, kept)
        cost = sum(costs[one] for one in wanted)
        if cost <= room:
            room -= cost
            kept.update(wanted)
        else:
            refused.add(index)
    return kept


def _with_titles(entries: Sequence[Entry], index: int, kept: set[int]) -> list[int]:
    """An entry and the titles above it, as far as they are not kept already."""
    wanted: list[int] = []
    while index >= 0 and index not in kept:
        wanted.append(index)
        index = entries[index].above
    return wanted
