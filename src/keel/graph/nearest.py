"""The names nearest to one that nothing has, for errors that help.

Whether a name is known is `handles.py`'s question.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.ports.store import GraphReader

MOST = 5
LOOKED_AT = 1000

_words = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")


def nearest_names(reader: GraphReader, handle: str) -> list[str]:
    """Names that look like the last part of a handle, the most alike first."""
    last = re.split(r"[.:/#]", handle)[-1] or handle
    words = _words.findall(last)
    attempts = (" ".join([last, *words]), _beginnings(words, 3), _beginnings(words[:1], 1))
    for text in attempts:
        near = _alike(last, reader.names_like(text, LOOKED_AT))
        if near:
            return near
    return []


def _beginnings(words: list[str], letters: int) -> str:
    """What is likely to be right even when a word is mistyped."""
    return " ".join(word[:letters] for word in words)


def _alike(wanted: str, names: list[str]) -> list[str]:
    """The most alike first. Capitals are mistyped as easily as letters: they do not count."""
    written: dict[str, list[str]] = {}
    for name in names:
        written.setdefault(name.lower(), []).append(name)
    alike = difflib.get_close_matches(wanted.lower(), written, n=MOST)
    return [name for lowered in alike for name in written[lowered]][:MOST]
