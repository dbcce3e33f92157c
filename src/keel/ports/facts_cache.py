"""The FactsCache socket: facts by content, so that no text is read twice.

A hint, never a truth: a cache that is missing, damaged or full only costs time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol


class FactsCache(Protocol):
    """Encoded facts (interface and references) by key; a key covers content, language and extractor version."""

    def holds_any(self) -> bool:
        """Whether it is worth asking."""

    def get(self, keys: Collection[bytes]) -> dict[bytes, tuple[bytes, bytes]]:
        """What is there of these."""

    def put(self, entries: Iterable[tuple[bytes, bytes, bytes]]) -> None:
        """Keeps (key, interface, references)."""
