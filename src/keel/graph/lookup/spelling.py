"""Spelling correction: mistyped words replaced by words that the graph has.

Words are as `model/text/words.py` makes them. Searching for them is left to `graph/search.py` and `nearest.py`.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.ports.store import GraphReader

SHORTEST = 4
"""Letters of the shortest word that is corrected."""
KNOWN_ALIKE = 1000
"""How many indexed words a mistyped one is compared with."""


def nearest_word(reader: GraphReader, word: str, least: float) -> str:
    """The known word most similar to a mistyped one, by its first letters, one of them wrong or missing."""
    if len(word) < SHORTEST:
        return ""
    known: dict[str, int] = {}
    for beginning in dict.fromkeys((word[:3], word[:2], word[1] + word[0] + word[2], word[0] + word[2])):
        known |= reader.known_words(beginning, KNOWN_ALIKE)
    alike = difflib.get_close_matches(word, known, n=3, cutoff=least)
    closeness = {one: difflib.SequenceMatcher(None, word, one).ratio() for one in alike}
    return max(alike, key=lambda one: (round(closeness[one], 1), known[one], one), default="")
