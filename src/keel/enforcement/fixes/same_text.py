"""Sameness: whether a current text is the text from before the edit, under another name.

A name that was removed and one that was added need not be the same definition: `verbose` may have been removed, and
`timeout` added. Their texts show it. What follows from it is left to `arguments.py` and `renames.py`.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Text(NamedTuple):
    """The text of a definition: its head, up to the body, and its body."""

    head: str
    body: str


def is_same_text(before: str, after: str, old: str, new: str) -> bool:
    """Whether two texts only differ by one name, and by layout."""
    return _laid_out(_renamed(before, old, new)) == _laid_out(_renamed(after, old, new))


def is_same_parameter(before: Text, after: Text, old: str, new: str) -> bool:
    """Whether a function uses a new parameter as it used the old one: on at least half of the lines that used the old.

    Where no line did, the heads decide: they must be the same but for the name.
    """
    used = _lines_with(_renamed(before.body, old, new), new)
    if not used:
        return is_same_text(before.head, after.head, old, new)
    is_handed_on = re.search(rf"^\s*{re.escape(old)}\s*=\s*{re.escape(new)}\s*$", after.body, re.MULTILINE)
    now = set(_lines_with(_renamed(after.body, old, new) if is_handed_on else after.body, new))
    return 2 * sum(line in now for line in used) >= len(used)


def _renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{re.escape(old)}\b", lambda _: new, text)


def _laid_out(text: str) -> str:
    return " ".join(text.split())


def _lines_with(text: str, name: str) -> list[str]:
    """The lines that contain a name, without their layout."""
    said = re.compile(rf"\b{re.escape(name)}\b")
    return [_laid_out(line) for line in text.splitlines() if said.search(line)]
