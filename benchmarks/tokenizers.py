"""Real tokenizers, with their vocabulary on this machine: what a text costs by each of them.

The product has none of this and estimates; tests and benchmarks hold its estimate against these.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

with warnings.catch_warnings():
    # It opens its vocabulary in a way that Python 3.11 warns of and later versions allow again.
    warnings.simplefilter("ignore", DeprecationWarning)
    import bpe_openai  # type: ignore[import-untyped]  # it ships no types

ENCODINGS = ("cl100k_base", "o200k_base")
AT_ONCE = 20_000
"""Letters handed over at a time; the tokenizer refuses very long texts, and no token spans a line's end and beyond."""


def tokens(text: str) -> dict[str, int]:
    """How many tokens the text has, by encoding."""
    return {name: sum(len(_encoding(name).encode(part)) for part in _parts(text)) for name in ENCODINGS}


def most_tokens(text: str) -> int:
    """How many it has by the encoding that needs most."""
    return max(tokens(text).values())


@cache
def _encoding(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return bpe_openai.get_encoding(name)


def _parts(text: str) -> Iterator[str]:
    part: list[str] = []
    length = 0
    for line in text.splitlines(keepends=True):
        if length + len(line) > AT_ONCE and part:
            yield "".join(part)
            part, length = [], 0
        part.append(line)
        length += len(line)
    yield "".join(part)
