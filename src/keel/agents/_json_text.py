"""A JSON parser that keeps positions, so that a value can be added or removed without changing the rest of the text.

Comments and trailing commas are allowed, as agents allow them in their settings. What is added or removed is left to
`_json_part.py`.
"""

from __future__ import annotations

import json
from typing import NamedTuple, NoReturn

from keel.ports.agent import Unfit

BOM = "\ufeff"
BLANKS = " \t\r\n"
DEEPEST = 100
"""The deepest nesting; deeper files are refused."""


class Node(NamedTuple):
    """A value, and its range in the text; `end` is exclusive."""

    start: int
    end: int
    value: object
    entries: tuple[Entry, ...] = ()
    """Of an object or an array."""
    tail: int = 0
    """Of an object or an array: behind the last token or comment before its closing bracket."""
    has_last_comma: bool = False


class Entry(NamedTuple):
    """A member of an object or an element of an array; `start` is that of its key."""

    key: str
    start: int
    node: Node
    lead: int
    """Behind the last token or comment before it; a line comment ends before its line break."""
    comma: int = -1
    """The position of its comma; -1 without one."""


def read(text: str) -> Node:
    """The value of a whole text; Unfit, with the line, when it is none."""
    reader = _Reader(text)
    at = reader.skip(1 if text.startswith(BOM) else 0)
    node = reader.node(at, 0)
    if reader.skip(node.end) != len(text):
        reader.refuse(reader.skip(node.end), "there is text after the end")
    return node


class _Reader:
    """Parses a text; every method takes the position to begin at."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._seen = 0
        """Behind the last comment that was skipped, or where skipping began."""

    def node(self, at: int, depth: int) -> Node:
        if depth > DEEPEST:
            self.refuse(at, f"it is nested deeper than {DEEPEST}")
        sign = self.text[at : at + 1]
        if sign in ("{", "["):
            return self._container(at, depth, "}" if sign == "{" else "]")
        end = self._string_end(at) if sign == '"' else self._word_end(at)
        return Node(at, end, self._decoded(at, end))

    def _container(self, start: int, depth: int, closing: str) -> Node:
        entries: list[Entry] = []
        at = self.skip(start + 1)
        while self.text[at : at + 1] != closing:
            if entries and entries[-1].comma < 0:
                self.refuse(at, "a comma is missing")
            entry = self._entry(at, depth, is_member=closing == "}")
            at = self.skip(entry.node.end)
            if self.text[at : at + 1] == ",":
                entry = entry._replace(comma=at)
                at = self.skip(at + 1)
            entries.append(entry)
        values = [entry.node.value for entry in entries]
        value: object = {entry.key: entry.node.value for entry in entries} if closing == "}" else values
        has_last_comma = bool(entries) and entries[-1].comma >= 0
        return Node(start, at + 1, value, tuple(entries), self._seen, has_last_comma)

    def _entry(self, at: int, depth: int, is_member: bool) -> Entry:
        lead = self._seen
        if not is_member:
            return Entry("", at, self.node(at, depth + 1), lead)
        if self.text[at : at + 1] != '"':
            self.refuse(at, "a name in quotes is missing")
        end = self._string_end(at)
        colon = self.skip(end)
        if self.text[colon : colon + 1] != ":":
            self.refuse(colon, "a colon is missing")
        return Entry(str(self._decoded(at, end)), at, self.node(self.skip(colon + 1), depth + 1), lead)

    def skip(self, at: int) -> int:
        """Behind blanks and comments; where the last comment ended is remembered."""
        text = self.text
        self._seen = at
        while at < len(text):
            if text[at] in BLANKS:
                at += 1
            elif text.startswith("//", at):
                end = text.find("\n", at)
                at = self._seen = len(text) if end < 0 else end
            elif text.startswith("/*", at):
                end = text.find("*/", at)
                if end < 0:
                    self.refuse(at, "a comment is not closed")
                at = self._seen = end + 2
            else:
                break
        return at

    def _string_end(self, at: int) -> int:
        end = at + 1
        while end < len(self.text) and self.text[end] not in '"\n':
            end += 2 if self.text[end] == "\\" else 1
        if self.text[end : end + 1] != '"':
            self.refuse(at, "a text is not closed")
        return end + 1

    def _word_end(self, at: int) -> int:
        end = at
        while end < len(self.text) and self.text[end] not in BLANKS + ',:]}[{/"':
            end += 1
        if end == at:
            self.refuse(at, "a value is missing")
        return end

    def _decoded(self, start: int, end: int) -> object:
        try:
            return json.loads(self.text[start:end])
        except ValueError:
            self.refuse(start, "a value cannot be read")

    def refuse(self, at: int, problem: str) -> NoReturn:
        line = self.text.count("\n", 0, at) + 1
        raise Unfit(f"it is not valid JSON (line {line}: {problem})")


def added(text: str, holder: Node, depth: int, value: object, name: str = "") -> str:
    """The text with a value added behind the last one of an object (under a name) or array, indented like it."""
    layout = layout_of(text)
    is_one_line = bool(holder.entries) and "\n" not in text[holder.start : holder.end]
    entry = json.dumps(value, ensure_ascii=False) if is_one_line else layout.written(value, depth + 1)
    if name:
        entry = f"{json.dumps(name, ensure_ascii=False)}: {entry}"
    before, between, close = text[: holder.tail], text[holder.tail : holder.end - 1], text[holder.end - 1 :]
    if holder.entries and not holder.has_last_comma:
        last = holder.entries[-1].node.end
        before = f"{text[:last]},{text[last : holder.tail]}"
    comma = "," if holder.has_last_comma else ""
    if is_one_line:
        return f"{before} {entry}{comma}{between}{close}"
    if "\n" not in between:
        between = layout.line(depth)
    return f"{before}{layout.line(depth + 1)}{entry}{comma}{between}{close}"


def removed(text: str, holder: Node, index: int) -> str:
    """The text without one entry of an object or array."""
    entry, entries = holder.entries[index], holder.entries
    end = entry.comma + 1 if entry.comma >= 0 else entry.node.end
    start = entry.lead
    if _ends_line(text, start) and not text[end:].lstrip(" \t\r").startswith("\n"):
        start += 1  # a line comment before it would swallow what follows
    if len(entries) == 1:
        rest = text[holder.start + 1 : start] + text[end : holder.end - 1]
        inside = rest if rest.strip() else ""
        return text[: holder.start + 1] + inside + text[holder.end - 1 :]
    head = text[:start]
    if entry.comma < 0:
        before = entries[index - 1].comma
        head = text[:before] + text[before + 1 : start]
    return head + text[end:]


def _ends_line(text: str, at: int) -> bool:
    """Whether a comment to the end of its line may end here; where there is none, a line less or more is no harm."""
    return text[at : at + 1] == "\n" and "//" in text[text.rfind("\n", 0, at) + 1 : at]


class Layout(NamedTuple):
    """How a file is laid out."""

    unit: str = "  "
    newline: str = "\n"

    def line(self, depth: int) -> str:
        """The beginning of a new line."""
        return self.newline + self.unit * depth

    def written(self, value: object, depth: int) -> str:
        """A value that begins somewhere in a line of that depth."""
        text = json.dumps(value, indent=self.unit, ensure_ascii=False)
        return text.replace("\n", self.line(depth))


def layout_of(text: str) -> Layout:
    """The layout that a file has, as far as it is seen from its first entry."""
    newline = "\r\n" if "\r\n" in text else "\n"
    root = read(text)
    if not root.entries:
        return Layout(newline=newline)
    line_start = text.rfind("\n", 0, root.entries[0].start) + 1
    unit = text[line_start : root.entries[0].start]
    return Layout(unit if line_start and unit and not unit.strip(" \t") else "  ", newline)
