"""Spec documents: Markdown read as sections, each with its fenced blocks.

A fence opens with a word for what the block is and options: ` ```python path=pkg/a.py `. Prose is for readers; what
blocks mean is left to `facts`, `links` and `callgraph`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_heading = re.compile(r"(#+)\s+(.+?)\s*$").match
_fence = re.compile(r"(```+)\s*(\w+)?\s*(.*)$").match


class Block(NamedTuple):
    """A fenced block: its first word, its options, its text, and the line its text begins on."""

    word: str
    options: dict[str, str]
    text: str
    line: int

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that say something, with their numbers; `#` begins a remark."""
        for number, line in enumerate(self.text.splitlines(), self.line):
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, line.strip()


class Section(NamedTuple):
    """A heading with those above it, and the blocks up to the next heading."""

    titles: tuple[str, ...]
    line: int
    blocks: tuple[Block, ...]
    has_parts: bool
    """Whether smaller headings follow inside it."""
    prose: str
    """What is between its blocks."""

    @property
    def title(self) -> str:
        """The headings as one name; the document's own is left out where there are others."""
        return " / ".join(self.titles[1:] or self.titles)


class _Heading(NamedTuple):
    """A heading while its section is read."""

    level: int
    title: str
    line: int
    blocks: list[Block]
    prose: list[str]


class SpecError(Exception):
    """A document that cannot be read as a spec: where, and why."""


def read_sections(path: Path) -> list[Section]:
    """The sections of a document, in order."""
    headings: list[_Heading] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        heading, fence = _heading(lines[number]), _fence(lines[number])
        number += 1
        if heading:
            headings.append(_Heading(len(heading[1]), heading[2], number, [], []))
        elif fence:
            if not headings:
                raise SpecError(f"{path.name}:{number}: a block before the first heading")
            block, number = _block(path, lines, number, fence)
            headings[-1].blocks.append(block)
        elif headings:
            headings[-1].prose.append(lines[number - 1])
    return list(_sections(headings))


def _block(path: Path, lines: list[str], start: int, fence: re.Match[str]) -> tuple[Block, int]:
    end = start
    while end < len(lines) and lines[end].strip() != fence[1]:
        end += 1
    if end == len(lines):
        raise SpecError(f"{path.name}:{start}: a block that never ends")
    options = dict(_option(word) for word in shlex.split(fence[3]))
    text = "".join(f"{line}\n" for line in lines[start:end])
    return Block(fence[2] or "", options, text, start + 1), end + 1


def _option(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value


def _sections(headings: list[_Heading]) -> Iterator[Section]:
    above: list[_Heading] = []
    for index, heading in enumerate(headings):
        above = [entry for entry in above if entry.level < heading.level] + [heading]
        has_parts = index + 1 < len(headings) and headings[index + 1].level > heading.level
        titles = tuple(entry.title for entry in above)
        yield Section(titles, heading.line, tuple(heading.blocks), has_parts, "\n".join(heading.prose).strip())
