"""A model of meaning for tests: the fake of the Embedder socket.

Two texts are the nearer, the more of their words they share; words of one thesaurus line count as the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from zlib import crc32

from keel.ports.embedder import Nearness

SAME = ("money price cost amount", "delete remove drop", "begin start")
MEANINGS = {word: line.split()[0] for line in SAME for word in line.split()}
BUCKETS = 64


class FakeEmbedder:
    """Counts words in buckets; remembers what it was asked to embed."""

    def __init__(self, name: str = "fake 1") -> None:
        self.name = name
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text."""
        self.embedded += texts
        return [_vector(text) for text in texts]

    def gather(self, vectors: Iterable[tuple[int, bytes]]) -> Nearness:
        """Numbered vectors, ready to be asked."""
        return _FakeNearness(dict(vectors))


class _FakeNearness:
    def __init__(self, vectors: dict[int, bytes]) -> None:
        self._vectors = {number: vector for number, vector in vectors.items() if vector}

    def nearest(self, vector: bytes, limit: int) -> list[int]:
        """The numbers of those nearest to a vector, by the words they share."""
        if not vector:
            return []
        shared = {number: _cosine(vector, other) for number, other in self._vectors.items()}
        return sorted(shared, key=lambda number: (-shared[number], number))[: max(limit, 0)]


def _vector(text: str) -> bytes:
    counts = bytearray(BUCKETS)
    for word in text.lower().split():
        bucket = crc32(MEANINGS.get(word, word).encode()) % BUCKETS
        counts[bucket] = min(counts[bucket] + 1, 255)
    return bytes(counts) if any(counts) else b""


def _cosine(one: bytes, other: bytes) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    lengths = sum(a * a for a in one) * sum(b * b for b in other)
    return round(product / math.sqrt(lengths), 6)
