"""Expectations: lines of a spec block against lines that keel's answer is made into.

A line is a head and attributes, parted by two blanks: `method A.f(self) -> int  flags=async doc="Runs."`. Heads must be
equal; of the attributes only those that the expectation names are compared. What heads say is left to `facts` and
`links`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

_attribute = re.compile(r"(\w+)=(\"(?:[^\"\\]|\\.)*\"|\S*)").match


class ExpectedLine(NamedTuple):
    """A head and its attributes."""

    head: str
    attributes: dict[str, str]

    def __str__(self) -> str:
        attributes = " ".join(f"{name}={value}" for name, value in self.attributes.items())
        return f"{self.head}  {attributes}" if attributes else self.head


def parse_line(text: str) -> ExpectedLine:
    """A line of a spec block; blanks inside the head count as one."""
    head, *rest = re.split(r"\s{2,}(?=\w+=)", text, maxsplit=1)
    attributes: dict[str, str] = {}
    remaining = rest[0] if rest else ""
    while remaining:
        match = _attribute(remaining)
        if match is None:
            raise ValueError(f"not an attribute: {remaining!r}")
        attributes[match[1]] = match[2]
        remaining = remaining[match.end() :].lstrip()
    return ExpectedLine(" ".join(head.split()), attributes)


def compare(
    expected: Iterable[tuple[int, ExpectedLine]], actual: Iterable[ExpectedLine], sort_of: Callable[[str], str]
) -> list[str]:
    """What is wrong: lines that are not there, and lines of a mentioned sort that are not expected.

    `none <sort>` says that there is no line of that sort.
    """
    left = list(actual)
    wrong: list[str] = []
    mentioned: set[str] = set()
    for number, line in expected:
        if line.head.startswith("none "):
            mentioned.add(line.head.removeprefix("none "))
            continue
        mentioned.add(sort_of(line.head))
        found = next((each for each in left if _fits(line, each)), None)
        if found is None:
            near = [str(each) for each in left if each.head == line.head]
            wrong.append(f"line {number}: missing: {line}" + "".join(f"\n    there is: {each}" for each in near))
        else:
            left.remove(found)
    wrong += [f"unexpected: {line}" for line in left if sort_of(line.head) in mentioned]
    return wrong


def _fits(expected: ExpectedLine, actual: ExpectedLine) -> bool:
    return expected.head == actual.head and all(
        actual.attributes.get(name, "none") == value for name, value in expected.attributes.items()
    )
