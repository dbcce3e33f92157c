"""Results as compact, aligned text for people; colour and cutting to a width only where they were asked for.

A result's class may declare its `LAYOUT`: parts in order, each a line with `{field}` in it or the name of a field.
Without one, all fields are shown. `{files:# file}` counts: 1 file, 1,234 files. Columns of a line are two blanks apart.
Lists in its `BOUNDED` fields have the length that was asked for, and are not cut again. The values are left to the
operations; escape sequences in them never reach a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator

BOLD, DIM, PLACE, PLAIN = "\033[1m", "\033[2m", "\033[36m", "\033[0m"
INDENT = "  "
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
    """The first column is highlighted."""
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
            text = filled(part, result)
            verbatim = part.startswith("{") and part.find("}") == len(part) - 1
            yield Part(text.split("\n") if text else [], verbatim=verbatim)
        else:
            yield _value(part, getattr(result, part), width, is_bounded=part in getattr(result, "BOUNDED", ()))


def filled(template: str, record: object) -> str:
    """A line of a layout, filled with the fields of a record."""
    return template.format_map(_Fields(record)).rstrip()


class _Fields(dict[str, object]):
    """A record as a mapping, for templates."""

    def __init__(self, record: object) -> None:
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


def _value(name: str, value: object, width: int, is_bounded: bool = False) -> Part:
    """A field: beside its title when it is short, else below it; nothing when it is empty."""
    from keel.formats._tables import counts_of, fitting, shortened, table_of, word_for
    from keel.model.text.plain import TITLES, in_plain_words

    title = TITLES.get(name) or name.replace("_", " ")
    if value is None or value in ("", (), [], {}):
        return Part([])
    inside = width - len(INDENT) if width and title else width
    if isinstance(value, dict):
        if name in TITLES:
            value = {in_plain_words(word): count for word, count in value.items()}
        is_table = all(isinstance(item, dict) for item in value.values())
        return Part(table_of(value, inside) if is_table else shortened(counts_of(value), inside), title)
    if isinstance(value, list | tuple):
        if isinstance(value[0], Record):
            return Part(fitting([_row(item) for item in value], inside), title)
        words = [word_for(item).replace("\n", "\\n") for item in value]
        # A list of words is a remark, and a long one would hide the answer; records are the answer itself.
        return Part(fitting(words if is_bounded else shortened(words, inside), inside), title)
    if isinstance(value, Record):
        return Part([line for part in _parts(value, inside) for line in part.plain()], title)
    text = word_for(value)
    if "\n" in text:
        return Part(text.split("\n"), title, verbatim=not title)
    return Part([f"{title}: {text}" if title else text])


def _row(record: object) -> str:
    return next((line for part in _parts(record, UNBOUND) for line in part.plain()), "")


def _safe(text: str) -> str:
    from keel.formats._screen import safe

    return safe(text)


format = Human()
