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
LOOKED_AT = 200
BEGINNING = 3
"""Letters of a word that are likely to be right even when it is mistyped."""

_words = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")


def nearest_names(reader: GraphReader, handle: str) -> list[str]:
    """Names that look like the last part of a handle, the most alike first."""
    last = re.split(r"[.:/#]", handle)[-1] or handle
    words = _words.findall(last)
    asked = (" ".join([last, *words]), " ".join(word[:BEGINNING] for word in words))
    names = dict.fromkeys(name for text in asked for name in reader.names_like(text, LOOKED_AT))
    # Capitals are mistyped as easily as letters: they do not count, and each name is given back as it is written.
    written: dict[str, list[str]] = {}
    for name in names:
        written.setdefault(name.lower(), []).append(name)
    alike = difflib.get_close_matches(last.lower(), written, n=MOST)
    return [name for lowered in alike for name in written[lowered]][:MOST]
