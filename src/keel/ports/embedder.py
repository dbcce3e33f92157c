"""The Embedder socket: a model that turns text into vectors that are close to each other when the texts mean the same.

To all other parts vectors are opaque bytes. Keeping them is left to the store, ranking by similarity to
`graph/search.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class Nearness(Protocol):
    """An index of many vectors in memory, for repeated queries."""

    def nearest(self, vector: bytes, limit: int) -> list[int]:
        """The numbers of the vectors nearest to a vector, the nearest first; ties are ordered by number."""


class Embedder(Protocol):
    """An embedding model that works without a network.

    - The same text always gives the same vector, in any process.
    - A text without any word that the model knows gives an empty vector, which is near nothing.
    - Nothing is loaded before the first text is embedded.
    """

    @property
    def name(self) -> str:
        """The model and its version: vectors of different names are not comparable."""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text, in order, all of one length except the empty ones."""

    def gather(self, vectors: Iterable[tuple[int, bytes]]) -> Nearness:
        """An index of numbered vectors."""
