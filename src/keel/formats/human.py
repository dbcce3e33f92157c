"""Results as compact, aligned text for people; colour and cutting to a width only where they were asked for.

A result's class may say its `LAYOUT`: parts in order, each a line with `{field}` in it or the name of a field. Where
it says none, all fields are shown. `{files:# file}` counts: 1 file, 1,234 files. Columns of a line stand two blanks
apart. What stands in the fields is left to the operations; no text of theirs can steer a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, fields_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

BOLD, DIM, PLACE, PLAIN = "\033[1m", "\033[2m", "\033[36m", "\033[0m"
INDENT = "  "
MOST_COLUMNS, MOST_PAIRS, MOST_WORDS = 4, 12, 20
UNBOUND = 0
"""The width of what is no screen: nothing is cut or wrapped for it."""


class Human:
    """The Format socket for people."""

    name = "human"

    def render(self, result: object, colour: bool = False) -> Iterator[str]:
        """The parts of a result's layout that have something to say."""
        return self.fitted(result, colour, UNBOUND)

    def fitted(self, result: object, colour: bool, width: int) -> Iterator[str]:
        """The same for a screen of a width: long lists are cut, wide tables become lines."""
        parts = (part for part in _parts(result, width) if part.lines)
        for number, part in enumerate(parts):
            for line in part.shown(number == 0, colour):
                yield f"{line}\n"


class Part:
    """Lines that belong together, below their title when they have one; verbatim ones are a text of their own."""

    __slots__ = ("lines", "title", "verbatim")

    def __init__(self, lines: list[str], title: str = "", verbatim: bool = False) -> None:
        self.lines, self.title, self.verbatim = lines, title, verbatim

    def plain(self) -> list[str]:
        """The lines, title included."""
        if not self.title:
            return self.lines
        return [f"{self.title}:", *(f"{INDENT}{line}".rstrip() for line in self.lines)]

    def shown(self, is_first: bool, colour: bool) -> list[str]:
        """The lines as a terminal may get them."""
        lines = [line if line.isprintable() else _safe(line) for line in self.plain()]
        if not colour or self.verbatim:
            return lines
        if self.title:
            return [f"{DIM}{lines[0]}{PLAIN}", *map(_with_place, lines[1:])]
        return [_bold(line) for line in lines] if is_first else lines


def _bold(line: str) -> str:
    """The first column stands out."""
    first, gap, rest = line.partition(INDENT)
    return f"{BOLD}{first}{PLAIN}{gap}{rest}"


def _with_place(line: str) -> str:
    """A row that begins with `path:line`, with that in a colour of its own."""
    first, gap, rest = line.lstrip().partition(INDENT)
    if not first.rpartition(":")[2].isdecimal():
        return line
    return f"{line[: len(line) - len(line.lstrip())]}{PLACE}{first}{PLAIN}{gap}{rest}"


def _parts(result: object, width: int) -> Iterator[Part]:
    if not isinstance(result, Record):
        yield _value("", result, width)
        return
    for part in getattr(result, "LAYOUT", fields_of(type(result))):
        if "{" in part:
            text = part.format_map(_Fields(result)).rstrip()
            verbatim = part.startswith("{") and part.find("}") == len(part) - 1
            yield Part(text.split("\n") if text else [], verbatim=verbatim)
        else:
            yield _value(part, getattr(result, part), width)


class _Fields(dict[str, object]):
    """A record as a mapping, for templates."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record

    def __missing__(self, name: str) -> object:
        value = getattr(self._record, name)
        return _Count(value) if type(value) is int else value


class _Count(int):
    """A number that can be written with what it counts: `{files:# file}`."""

    def __format__(self, how: str) -> str:
        if not how.startswith("#"):
            return int.__format__(self, how)  # `format` is the name of what this module offers
        return f"{int(self):,}{how[1:]}{'' if self == 1 else 's'}"


def _value(name: str, value: object, width: int) -> Part:
    """A field: beside its title when it is short, else below it; nothing when it is empty."""
    title = name.replace("_", " ")
    if value is None or value in ("", (), [], {}):
        return Part([])
    inside = width - len(INDENT) if width and title else width
    if isinstance(value, dict):
        is_table = all(isinstance(item, dict) for item in value.values())
        return Part(_table(value, inside) if is_table else _cut(_counts(value), inside), title)
    if isinstance(value, list | tuple):
        rows = [_row(item) for item in value]
        # Rows of records are the answer itself; words are remarks that a long list of would hide it.
        return Part(fitting(rows if isinstance(value[0], Record) else _cut(rows, inside), inside), title)
    if isinstance(value, Record):
        return Part([line for part in _parts(value, inside) for line in part.plain()], title)
    text = _scalar(value)
    if "\n" in text:
        return Part(text.split("\n"), title, verbatim=not title)
    return Part([f"{title}: {text}" if title else text])


def _row(item: object) -> str:
    if isinstance(item, Record):
        return next((line for part in _parts(item, UNBOUND) for line in part.plain()), "")
    return _scalar(item).replace("\n", "\\n")


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _number(value: object) -> str:
    """A cell of a table; what is counted is read more easily by thousands."""
    return f"{value:,}" if type(value) is int else _scalar(value)


def _counts(counts: Mapping[str, object]) -> list[str]:
    """Words with a number each, numbers below each other."""
    return _columns([[word or "(none)", _number(value)] for word, value in counts.items()])


def _table(rows: Mapping[str, Mapping[str, object]], width: int) -> list[str]:
    """Words with several numbers each: a column for each key, or a line for each word when that is too wide."""
    keys = list(dict.fromkeys(key for row in rows.values() for key in row))
    if len(keys) <= MOST_COLUMNS:
        heads = ["", *(key or "(none)" for key in keys)]
        lines = _columns([heads, *([word, *(_number(row.get(key, "")) for key in keys)] for word, row in rows.items())])
        if not width or max(map(_wide, lines)) <= width:
            return lines
    lines = [f"{word}: {_largest(row)}" for word, row in rows.items()]
    return [part for line in lines for part in _wrapped(line, width)] if width else lines


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """A word to the left, numbers to the right of their columns."""
    widths = [max(_wide(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        INDENT.join([_padded(word, widths[0]), *(" " * (width - _wide(cell)) + cell for cell, width in cells)])
        for word, cells in ((row[0], list(zip(row[1:], widths[1:], strict=True))) for row in rows)
    ]


def _largest(counts: Mapping[str, object]) -> str:
    """The largest numbers of a long row; how many others there are."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1] if isinstance(item[1], int) else 0, item[0]))
    shown = ", ".join(f"{word or '(none)'} {_number(value)}" for word, value in ordered[:MOST_PAIRS])
    more = len(ordered) - MOST_PAIRS
    return f"{shown}, and {more:,} more" if more > 0 else shown


def aligned(lines: Sequence[str]) -> list[str]:
    """Lines whose columns, two blanks apart, stand below each other; a column of numbers to the right."""
    rows = [line.split(INDENT) for line in lines]
    columns = [[row[at] for row in rows if at < len(row)] for at in range(max(map(len, rows), default=0))]
    widths = [max(map(_wide, column)) for column in columns]
    pads: list[Callable[[str, int], str]] = [_padded_left if _are_numbers(column) else _padded for column in columns]
    return [
        INDENT.join(pad(cell, width) for cell, width, pad in zip(row, widths, pads, strict=False)).rstrip()
        for row in rows
    ]


def fitting(rows: Sequence[str], width: int) -> list[str]:
    """Rows in columns; where those are too wide, as they are, and cut behind their first column."""
    lines = aligned(rows)
    if not width or max(map(_wide, lines)) <= width:
        return lines
    return [row if _wide(row) <= width else _cut_behind(row, width) for row in rows]


def _cut_behind(row: str, width: int) -> str:
    """A place is of no use without its end: what follows it is cut."""
    from keel.formats._screen import cut

    first, gap, rest = row.partition(INDENT)
    left = width - _wide(first) - len(gap)
    return f"{first}{gap}{cut(rest, left)}" if gap and left > 1 else first if gap else row


def _cut(lines: list[str], width: int) -> list[str]:
    """A list that would fill a screen, cut; elsewhere all of it is wanted."""
    more = len(lines) - MOST_WORDS
    return [*lines[:MOST_WORDS], f"… and {more:,} more"] if width and more > 1 else lines


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(cell.replace(",", "").isdecimal() for cell in cells)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _wide(text))


def _padded_left(text: str, width: int) -> str:
    return " " * (width - _wide(text)) + text


def _wide(text: str) -> int:
    if text.isascii():
        return len(text)
    from keel.formats._screen import columns  # only for names of other scripts: it costs start-up

    return columns(text)


def _wrapped(text: str, width: int) -> list[str]:
    from keel.formats._screen import wrapped

    return wrapped(text, width, INDENT)


def _safe(text: str) -> str:
    from keel.formats._screen import safe

    return safe(text)


format = Human()
