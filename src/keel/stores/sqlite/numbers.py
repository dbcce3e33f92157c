"""Many numbers as one parameter of a statement: there can be more of them than it takes parameters.

Which numbers they are, and what is asked of them, is left to whoever writes the statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SOME = "(SELECT value FROM json_each(?{}))"
"""What a column is `IN`, formatted with the place of the parameter."""


def as_list(numbers: Iterable[int]) -> str:
    """The parameter."""
    return f"[{','.join(map(str, numbers))}]"
