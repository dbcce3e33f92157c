"""Evidence: the steps by which an edge was resolved, as languages give them.

The text of a step's line is not stored; reading it is left to `querying/evidence.py`, which makes a `Step` of
`nodes.py`.
"""

from __future__ import annotations

from typing import NamedTuple


class Clue(NamedTuple):
    """One step, before its text is read: its kind and position. Clues go from the reference to the definition."""

    kind: int
    """A StepKind."""
    file: int
    at: int
    """A byte offset in the file."""
