"""How many tokens a text has, estimated: a cheap rule in place of a tokenizer's vocabulary of megabytes.

The costs of words, numbers and signs were fitted to the public tokenizers cl100k and o200k on answers about real
packages, and a margin was added, so that a text has fewer tokens than is said here; `make bench-tokens` prints how well
that holds. Fitting an answer into a budget is left to `_budget.py`.
"""

from __future__ import annotations

import re

WORD, LONG, VERY_LONG = 0.85, 0.1, 0.17
"""What a word costs, and what each letter adds beyond the fourth and again beyond the eighth: it comes in pieces."""
LEADING = {"": 0.0, " ": 0.05, "_": 0.3, ".": 0.55}
"""The sign before a word, which is often part of its token."""
CAPITALS, CAPITAL = 0.8, 0.5
NUMBER = 1.25
"""Up to three digits."""
BREAK, BLANK = 1.2, 0.75
SIGNS, SIGN = 0.65, 0.15
"""A run of signs, and what each adds beyond the first."""
MARGIN = 1.2

_pieces = re.compile(
    r"(?P<lead>[ _.]?)(?P<word>[A-Z]?[a-z]+)|(?P<capitals>[A-Z]+)|(?P<number>\d{1,3})"
    r"|(?P<break>\n\s*)|(?P<blank>\s+)|(?P<foreign>[^\x00-\x7f]+)|(?P<signs>[!-/:-@\[-`{-~\x00-\x1f\x7f]+)"
)


def estimate(text: str) -> float:
    """About how many tokens the text has, rather too many than too few."""
    return MARGIN * sum(map(_cost, _pieces.finditer(text)))


def _cost(piece: re.Match[str]) -> float:
    length = piece.end() - piece.start()
    match piece.lastgroup:
        case "word":
            lead = piece["lead"]
            letters = length - len(lead)
            return WORD + LEADING[lead] + LONG * max(0, letters - 4) + VERY_LONG * max(0, letters - 8)
        case "capitals":
            return CAPITALS + CAPITAL * (length - 1)
        case "number":
            return NUMBER
        case "break":
            return BREAK
        case "blank":
            return BLANK
        case "foreign":
            return len(piece.group().encode("utf-8", "surrogatepass"))  # no token is less than a byte
        case _:
            return SIGNS + SIGN * (length - 1)
