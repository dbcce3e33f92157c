"""The FactsCache socket: facts by content, so that no text is parsed twice.

It is a hint, never the truth: a cache that is missing, damaged or full only costs time, so its methods do not raise.
Making facts is left to `indexing/facts.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol


class FactsCache(Protocol):
    """Encoded facts (interface and references) by key; a key covers content, language and extractor version."""

    def holds_any(self) -> bool:
        """Whether the cache has any entry; without one, the caller need not compute keys."""

    def get(self, keys: Collection[bytes]) -> dict[bytes, tuple[bytes, bytes]]:
        """The entries that exist among these keys."""

    def put(self, entries: Iterable[tuple[bytes, bytes, bytes]]) -> None:
        """Stores entries, each as (key, interface, references); may drop any of them."""
