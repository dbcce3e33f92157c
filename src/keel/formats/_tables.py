"""Lists and tables of the human format: columns below each other, numbers by thousands, all within a width.

A module of its own, since the fastest commands print one line and need no table. Which values are shown is left to
`human.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.formats._screen import columns as wide
from keel.formats._screen import cut, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GAP = "  "
"""The text between columns."""

MAX_COLUMNS, MAX_PAIRS, MAX_WORDS = 4, 12, 20


def word_for(value: object) -> str:
    """A single value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def counts_of(counts: Mapping[str, object]) -> list[str]:
    """Words with a number each, numbers below each other."""
    return _in_columns([[word or "(none)", _cell(value)] for word, value in counts.items()])


def table_of(rows: Mapping[str, Mapping[str, object]], width: int) -> list[str]:
    """Words with several numbers each: a column for each key, or a line for each word when that is too wide."""
    keys = list(dict.fromkeys(key for row in rows.values() for key in row))
    if len(keys) <= MAX_COLUMNS:
        heads = ["", *(key or "(none)" for key in keys)]
        lines = _in_columns(
            [heads, *([word, *(_cell(row.get(key, "")) for key in keys)] for word, row in rows.items())]
        )
        if not width or max(map(wide, lines)) <= width:
            return lines
    lines = [f"{word}: {_largest(row)}" for word, row in rows.items()]
    return [part for line in lines for part in wrapped(line, width, GAP)] if width else lines


def _cell(value: object) -> str:
    """What is counted is read more easily by thousands."""
    return f"{value:,}" if type(value) is int else word_for(value)


def _in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """A word to the left, numbers to the right of their columns."""
    widths = [max(wide(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        GAP.join([_padded(word, widths[0]), *(" " * (width - wide(cell)) + cell for cell, width in cells)])
        for word, cells in ((row[0], list(zip(row[1:], widths[1:], strict=True))) for row in rows)
    ]


def _largest(counts: Mapping[str, object]) -> str:
    """The largest numbers of a long row; how many others there are."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1] if isinstance(item[1], int) else 0, item[0]))
    shown = ", ".join(f"{word or '(none)'} {_cell(value)}" for word, value in ordered[:MAX_PAIRS])
    more = len(ordered) - MAX_PAIRS
    return f"{shown}, and {more:,} more" if more > 0 else shown


def aligned(lines: Sequence[str]) -> list[str]:
    """Lines with aligned columns, two blanks apart; a column of numbers is aligned to the right."""
    rows = [line.split(GAP) for line in lines]
    columns = [[row[at] for row in rows if at < len(row)] for at in range(max(map(len, rows), default=0))]
    widths = [max(map(wide, column)) for column in columns]
    pads: list[Callable[[str, int], str]] = [_padded_left if _are_numbers(column) else _padded for column in columns]
    return [
        GAP.join(pad(cell, width) for cell, width, pad in zip(row, widths, pads, strict=False)).rstrip() for row in rows
    ]


def fitting(rows: Sequence[str], width: int) -> list[str]:
    """Rows in columns; where those are too wide, as they are, and cut behind their first column."""
    lines = aligned(rows)
    if not width or max(map(wide, lines)) <= width:
        return lines
    return [row if wide(row) <= width else _cut_behind(row, width) for row in rows]


def _cut_behind(row: str, width: int) -> str:
    """A place is of no use without its end: what follows it is cut."""
    first, gap, rest = row.partition(GAP)
    left = width - wide(first) - len(gap)
    return f"{first}{gap}{cut(rest, left)}" if gap and left > 1 else first if gap else row


def shortened(lines: list[str], width: int) -> list[str]:
    """A list that would fill a screen, cut; elsewhere all of it is wanted."""
    more = len(lines) - MAX_WORDS
    return [*lines[:MAX_WORDS], f"… and {more:,} more"] if width and more > 1 else lines


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(cell.replace(",", "").isdecimal() for cell in cells)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - wide(text))


def _padded_left(text: str, width: int) -> str:
    return " " * (width - wide(text)) + text
