"""The Conventions socket: what a language requires to be written at a function, such as types and documentation.

It is optional. Where it is required, and how strictly, is left to rules and configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Conventions(Protocol):
    """What functions of one language lack; `interface` is the value that the language itself decodes."""

    def untyped(self, interface: Any, ordinal: int) -> tuple[Sequence[str], bool] | None:
        """The parameters without a type, and whether the result has none; None for a function that needs no types."""

    def undocumented(self, interface: Any, ordinal: int, full: bool) -> str | None:
        """What the documentation of a public function lacks, in words; None when nothing, or when it is not public."""
