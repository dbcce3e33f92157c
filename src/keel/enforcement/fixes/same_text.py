"""Sameness: whether what stands in the text now is what stood there before the edit, under another name.

A name that goes and a name that comes need not be the same thing: `verbose` may have been taken out, and `timeout` put
in. The text of both tells. What follows from it is left to `arguments.py` and `renames.py`.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Text(NamedTuple):
    """The text of a definition: what stands before its body, and its body."""

    head: str
    body: str


def is_same_text(before: str, after: str, old: str, new: str) -> bool:
    """Whether a text only differs by one name, and by its layout."""
    return _laid_out(_renamed(before, old, new)) == _laid_out(_renamed(after, old, new))


def is_same_parameter(before: Text, after: Text, old: str, new: str) -> bool:
    """Whether a function uses a parameter for what it used another for: on half the lines at least that said the other.

    Where none did, the head tells: it must be the same but for the name.
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
    """The lines that say a name, without their layout."""
    said = re.compile(rf"\b{re.escape(name)}\b")
    return [_laid_out(line) for line in text.splitlines() if said.search(line)]
