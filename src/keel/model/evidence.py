"""Evidence: the steps by which an edge was found, as languages give them.

The text of a step's line is read from the file by whoever shows it (as a `Step` of `nodes.py`); it is not kept.
"""

from __future__ import annotations

from typing import NamedTuple


class Clue(NamedTuple):
    """One step, before its text is read: what it shows, and where. Clues go from the reference to the definition."""

    kind: int
    """A StepKind."""
    file: int
    at: int
    """A byte offset in the file."""
