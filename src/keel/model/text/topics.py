"""Topics: what names and prose are about, as stems with the words they were written as.

Splitting and stemming is left to `words.py`; using topics, to placement.
"""

from __future__ import annotations

from keel.model.text.words import SAY_NOTHING, pieces_of, stem

LEAST_LETTERS = 2
_VAGUE = (
    "get given make new return set two used using function method class object value code data name type helper called"
    " thing something"
)
VAGUE = SAY_NOTHING | frozenset(_VAGUE.split())
"""Words of a description that do not help to place it."""


def name_topics(name: str) -> dict[str, str]:
    """The stems a name is made of, each with the word as it is written there."""
    words = (piece.lower() for piece in pieces_of(name) if len(piece) >= LEAST_LETTERS)
    return {stem(word): word for word in words}


def prose_topics(text: str) -> dict[str, str]:
    """The same of a text, without stop words; names in it are split."""
    return {root: word for root, word in name_topics(text).items() if word not in VAGUE}
