"""keel's part of a text file: a section between two marks, a TOML table between them, or a whole file.

Text outside of the marks is never changed. The content of the sections is left to each agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record
from keel.ports.agent import Unfit

if TYPE_CHECKING:
    from collections.abc import Mapping


class Section(Record):
    """Lines of keel's between two marks, at the end of a file."""

    path: str
    body: str
    """Whole lines."""
    begin: str = "# keel: begin"
    end: str = "# keel: end"
    """The marks, each a line of its own."""
    executable: bool = False

    def merged(self, text: str | None) -> str:
        """The file with the section: where it was, else at the end."""
        block = f"{self.begin}\n{self.body}{self.end}\n"
        if text is None or not text.strip():
            return block
        found = self._found(text)
        near = text if found is None else text[found[0] : found[1]]
        newline = "\r\n" if "\r\n" in near else "\n"
        block = block.replace("\n", newline)
        if found is not None:
            return text[: found[0]] + block + text[found[1] :]
        gap = newline if text.endswith("\n") else newline * 2
        return f"{text}{gap}{block}"

    def without(self, text: str) -> str:
        """The file without the section, and without the empty line before it."""
        found = self._found(text)
        if found is None:
            return text
        before, after = text[: found[0]], text[found[1] :]
        for gap in ("\r\n\r\n", "\n\n"):
            if before.endswith(gap):
                before = before[: -len(gap) // 2]
                break
        return before + after

    def is_bare(self, text: str) -> bool:
        """Whether nothing is left."""
        return not text.strip()

    def _found(self, text: str) -> tuple[int, int] | None:
        """From the first mark to behind the second; None without marks."""
        lines = text.splitlines(keepends=True)
        words = [line.strip() for line in lines]
        begins, ends = words.count(self.begin), words.count(self.end)
        if not begins and not ends:
            return None
        first = words.index(self.begin) if begins else -1
        last = words.index(self.end) if ends else -1
        if begins != 1 or ends != 1 or last < first:
            raise Unfit(f"its marks '{self.begin}' and '{self.end}' are not one pair; put them right or remove them")
        start = sum(map(len, lines[:first]))
        return start, start + sum(map(len, lines[first : last + 1]))


class TomlSection(Section):
    """A table of keel's in a TOML file of others."""

    table: tuple[str, ...] = ()

    def merged(self, text: str | None) -> str:
        """The file with the table; all other values are unchanged."""
        before = _toml(text or "")
        others = _toml(self.without(text or ""))
        if _at(others, self.table) is not None:
            raise Unfit(f"[{'.'.join(self.table)}] already exists, and was not written by keel")
        merged = Section.merged(self, text)
        try:
            after = _toml(merged)
        except Unfit:
            raise Unfit(f"[{'.'.join(self.table)}] cannot be added to it; add it yourself") from None
        if _without(after, self.table) != _without(before, self.table):
            raise Unfit(f"[{'.'.join(self.table)}] cannot be added to it without changing the rest; add it yourself")
        return merged

    def without(self, text: str) -> str:
        """The file without the table."""
        shorter = Section.without(self, text)
        if shorter != text and _without(_toml(text), self.table) != _without(_toml(shorter), self.table):
            raise Unfit(f"the lines after [{'.'.join(self.table)}] would change their meaning; remove it yourself")
        return shorter


class WholeFile(Record):
    """A file that keel has written as a whole, recognised by its first line."""

    path: str
    text: str
    executable: bool = False

    def merged(self, text: str | None) -> str:
        """The file; one that keel did not write is kept."""
        if text is not None and text.strip() and not self._is_keels(text):
            raise Unfit("it already exists, and was not written by keel")
        return self.text

    def without(self, text: str) -> str:
        """Nothing; a file that was changed is kept."""
        if not self._is_keels(text):
            return text
        if text.replace("\r\n", "\n") != self.text:
            raise Unfit("it was changed since keel wrote it; remove it yourself")
        return ""

    def is_bare(self, text: str) -> bool:
        """Whether nothing is left."""
        return not text.strip()

    def _is_keels(self, text: str) -> bool:
        return text.partition("\n")[0].rstrip("\r") == self.text.partition("\n")[0]


def _toml(text: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unfit(f"it is not valid TOML ({error})") from None


def _at(value: object, table: tuple[str, ...]) -> object:
    for name in table:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _without(value: Mapping[str, object], table: tuple[str, ...]) -> dict[str, object]:
    """A document without one table, and without the tables that only held it."""
    name, rest = table[0], table[1:]
    inner = value.get(name)
    others = {key: each for key, each in value.items() if key != name}
    kept = _without(inner, rest) if rest and isinstance(inner, dict) else {}
    return {**others, name: kept} if kept else others
