"""Results that stream as JSON lines, one object a line.

The schema of the lines is left to `model/lines.py`, a result that is one object to `json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

TOGETHER = 1000
"""Lines that are handed on at a time."""


class JsonLines:
    """The Format socket as JSON lines, for results that have `lines`."""

    name = "jsonl"

    def render(self, result: Any, colour: bool = False) -> Iterator[str]:
        """The lines of the result, many at a time."""
        encoder = msgspec.json.Encoder()
        lines = iter(result.lines)
        while some := list(islice(lines, TOGETHER)):
            yield encoder.encode_lines(some).decode()


format = JsonLines()
