"""The footprint: every path that keel may write for a workspace, so that all of it can be shown and taken back.

Which paths these are is `bootstrap`'s choice; taking them away is left to the operations.
"""

from __future__ import annotations

from typing import NamedTuple


class Footprint(NamedTuple):
    """Where keel keeps its things; paths are absolute, and nothing need be there."""

    folder: str
    """Holds everything but what is shared."""
    config: str
    """The configuration: written by keel at most once, and the user's from then on."""
    ignore: str
    ignore_text: str
    """The file that hides the folder from git, and what keel writes into it."""
    graph: tuple[str, ...]
    """The database, and what SQLite puts beside it."""
    others: tuple[str, ...]
    """Everything else that is made from source or for a while."""
    shared: tuple[str, ...]
    """The same, but used by all working trees of the repository; they stand in a folder of their own."""
