"""Passes many numbers as one parameter of a statement, beyond SQLite's limit on parameters.

The statement itself is left to the callers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SOME = "(SELECT value FROM json_each(?{}))"
"""The right side of `IN`, formatted with the number of the parameter."""


def as_list(numbers: Iterable[int]) -> str:
    """The parameter."""
    return f"[{','.join(map(str, numbers))}]"
