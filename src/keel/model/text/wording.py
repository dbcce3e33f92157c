"""Counts in words: `1 class`, `2,000 classes`, and nothing for none.

What is counted is left to the callers.
"""

from __future__ import annotations

# Without `typing`, which would double the start of the fastest commands.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def counted(count: int, noun: str) -> str:
    """A number with its noun, in the plural where needed."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """`files`, `classes`, `suffixes`, `entries`."""
    if noun.endswith("try"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x")) else f"{noun}s"


def format_counts(counts: Mapping[str, int]) -> str:
    """Counts by noun, zeros left out: `3 classes, 1 function`."""
    return ", ".join(counted(count, noun) for noun, count in counts.items() if count)
