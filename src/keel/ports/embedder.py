"""The Embedder socket: somebody who turns words into vectors that are near each other when the words mean the same.

Vectors are bytes to everybody else. Where they are kept is the store's business, what is made of nearness that of
`graph/search.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class Nearness(Protocol):
    """Many vectors in memory, to be asked often."""

    def nearest(self, vector: bytes, limit: int) -> list[int]:
        """The numbers of those nearest to a vector, the nearest first; equally near ones by number."""


class Embedder(Protocol):
    """A model of meaning that works without a network.

    - The same text always gives the same vector, in any process.
    - A text without a word that the model knows gives an empty vector, which is near nothing.
    - Nothing is loaded before the first text is embedded.
    """

    @property
    def name(self) -> str:
        """The model and its version: vectors of another are worth nothing to this one."""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text, all of one length but for the empty ones."""

    def gather(self, vectors: Iterable[tuple[int, bytes]]) -> Nearness:
        """Numbered vectors, ready to be asked."""
