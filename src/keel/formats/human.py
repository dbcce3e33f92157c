"""Results as compact, aligned text for people; colour only where it was asked for.

A result's class may say its `LAYOUT`: parts in order, each a line with `{field}` in it or the name of a field. Where
it says none, all fields are shown. What stands in them is left to the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BOLD, DIM, PLAIN = "\033[1m", "\033[2m", "\033[0m"
INDENT = "  "
MOST_COLUMNS, MOST_PAIRS = 4, 12


class Human:
    """The Format socket for people."""

    name = "human"

    def render(self, result: object, colour: bool = False) -> Iterator[str]:
        """The parts of a result's layout that have something to say."""
        parts = (part for part in _parts(result) if part)
        for number, part in enumerate(parts):
            for line in part:
                yield f"{_coloured(line, number == 0) if colour else line}\n"


def _coloured(line: str, is_first: bool) -> str:
    """The first column of the first line, and titles, stand out."""
    if is_first:
        first, gap, rest = line.partition(INDENT)
        return f"{BOLD}{first}{PLAIN}{gap}{rest}"
    return line if line.startswith(INDENT) or not line.endswith(":") else f"{DIM}{line}{PLAIN}"


def _parts(result: object) -> Iterator[list[str]]:
    if not isinstance(result, Record):
        yield _value("", result)
        return
    for part in getattr(result, "LAYOUT", fields_of(type(result))):
        if "{" in part:
            text = part.format_map(_Fields(result)).rstrip()
            yield text.split("\n") if text else []
        else:
            yield _value(part, getattr(result, part))


class _Fields(dict[str, object]):
    """A record as a mapping, for templates."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record

    def __missing__(self, name: str) -> object:
        return getattr(self._record, name)


def _value(name: str, value: object) -> list[str]:
    """A field as lines: beside its title when it is short, else below it; nothing when it is empty."""
    title = name.replace("_", " ")
    if value is None or value in ("", (), [], {}):
        return []
    if isinstance(value, dict):
        rows = _table(value) if all(isinstance(item, dict) for item in value.values()) else _counts(value)
        return _below(title, rows)
    if isinstance(value, list | tuple):
        return _below(title, aligned([_row(item) for item in value]))
    if isinstance(value, Record):
        return _below(title, [line for part in _parts(value) for line in part])
    text = _scalar(value)
    return _below(title, text.split("\n")) if "\n" in text else [f"{title}: {text}" if title else text]


def _below(title: str, lines: list[str]) -> list[str]:
    return [f"{title}:", *(f"{INDENT}{line}".rstrip() for line in lines)] if title else lines


def _row(item: object) -> str:
    if isinstance(item, Record):
        return next((line for part in _parts(item) for line in part), "")
    return _scalar(item)


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _counts(counts: Mapping[str, object]) -> list[str]:
    """Words with a number each, numbers below each other."""
    width = max(map(len, counts))
    digits = max(len(_scalar(value)) for value in counts.values())
    return [f"{word:<{width}}  {_scalar(value):>{digits}}" for word, value in counts.items()]


def _table(rows: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Words with several numbers each: a column for each key, or a line for each word when that is too wide."""
    keys = list(dict.fromkeys(key for row in rows.values() for key in row))
    if len(keys) > MOST_COLUMNS:
        return [f"{word}: {_largest(row)}" for word, row in rows.items()]
    cells = [["", *keys], *([word, *(_scalar(row.get(key, "")) for key in keys)] for word, row in rows.items())]
    widths = [max(len(line[column]) for line in cells) for column in range(len(keys) + 1)]
    return [
        f"{word:<{widths[0]}}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        for word, *rest in cells
    ]


def _largest(counts: Mapping[str, object]) -> str:
    """The largest numbers of a long row; how many others there are."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1] if isinstance(item[1], int) else 0, item[0]))
    shown = ", ".join(f"{word or '(none)'} {_scalar(value)}" for word, value in ordered[:MOST_PAIRS])
    more = len(ordered) - MOST_PAIRS
    return f"{shown}, and {more} more" if more > 0 else shown


def aligned(lines: Sequence[str]) -> list[str]:
    """Lines whose columns, two blanks apart, stand below each other."""
    rows = [line.split(INDENT) for line in lines]
    columns = max(map(len, rows), default=0)
    widths = [max((len(row[column]) for row in rows if column < len(row)), default=0) for column in range(columns)]
    return [INDENT.join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]


format = Human()
