"""The Publisher socket: where a finished graph is published to, such as a database that a team queries.

Building the graph is left to `indexing`; a publisher only reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from keel.ports.store import GraphReader


class Publisher(Protocol):
    """A destination that graphs are published to."""

    name: str

    def publish(self, graph: GraphReader, progress: Callable[[str, int, int], None]) -> None:
        """Publishes a graph as a whole; `progress` is called with the stage, how much of it is done, and the total."""
