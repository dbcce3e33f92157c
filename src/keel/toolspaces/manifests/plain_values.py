"""Plain values: what a manifest may hold, which is what JSON can represent.

Reading them is left to `python_files.py` and `yaml_files.py`.
"""

from __future__ import annotations

import json
import math
from typing import NoReturn

DEEPEST = 40
"""How deep lists and mappings may lie in each other."""
DEEPEST_ANSWER = 100
"""The same for what tools answer, which is shown by those who go through it level by level."""
TOO_DEEP = "it is nested too deep"
WIDEST_INT = 1 << 63
"""Numbers beyond this are not carried by JSON everywhere."""


class Problem(Exception):
    """Something is wrong with a manifest: what, and on which line."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.text, self.line = text, line


def plain(value: object, depth: int = 0) -> object:
    """A value as JSON knows it: tuples and sets become lists; what JSON does not know is refused."""
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and -WIDEST_INT <= value < WIDEST_INT:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if depth >= DEEPEST:
        raise Problem("holds lists or mappings too deep in each other")
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item, depth + 1) for item in value), key=str)
    if isinstance(value, dict):
        wrong = [key for key in value if not isinstance(key, str)]
        if wrong:
            raise Problem(f"has a key that is no text: {wrong[0]!r}")
        return {_text(key): plain(item, depth + 1) for key, item in value.items()}
    raise Problem(f"holds a value that JSON does not know: {type(value).__name__}")


def read_json(text: str | bytes) -> object:
    """JSON from tools and servers; a ValueError when it is invalid, or nested too deep."""
    try:
        value: object = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    level = [value]
    for _ in range(DEEPEST_ANSWER):
        level = [item for each in level if isinstance(each, list | dict) for item in _inside(each)]
    if level:
        raise ValueError(TOO_DEEP)
    return value


def _inside(value: list[object] | dict[str, object]) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else value


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _text(text: str) -> str:
    """A text that can be written down: half a character, as a surrogate is, cannot."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Problem("holds a text that is no Unicode") from None
    return text
