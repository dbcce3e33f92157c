"""The Publisher socket: where a finished graph is published to, such as a database that a team asks.

What is in the graph is left to the write line; a publisher only reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from keel.ports.store import GraphReader


class Publisher(Protocol):
    """A place that graphs are published to."""

    name: str

    def publish(self, graph: GraphReader, progress: Callable[[str, int, int], None]) -> None:
        """Publishes a graph whole; `progress` is told the stage, how much of it is done, and of how much."""
