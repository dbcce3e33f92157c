"""The footprint: every path that keel may write for a workspace, so that all of it can be shown and removed.

Choosing the paths is left to `bootstrap.py`, removing them to the operations.
"""

from __future__ import annotations

from typing import NamedTuple


class Footprint(NamedTuple):
    """The paths that keel writes to; absolute, and they need not exist."""

    folder: str
    """The folder of everything that is not shared."""
    config: str
    """The configuration: written by keel at most once, and the user's from then on."""
    ignore: str
    ignore_text: str
    """The file that hides the folder from git, and its content."""
    graph: tuple[str, ...]
    """The database, and what SQLite puts beside it."""
    others: tuple[str, ...]
    """Everything else that is derived from source or temporary."""
    shared: tuple[str, ...]
    """The same, but shared by all working trees of the repository; they are in a folder of their own."""
