"""Names and prose as words: `parseHTTPDates` is parse, http and date, so that what is about the same is seen to be.

Words are cut back to a stem by a few rules for English endings; nothing is looked up. What is done with them is left to
search and to placement.
"""

from __future__ import annotations

import re

PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
"""The parts of a name in any of the usual spellings."""
LEAST_LETTERS = 2
ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ers", "er"), ("ed", ""), ("es", "e"), ("s", ""))
"""What is cut off, and what comes in its place; of those that fit, the first."""
LEAST_STEM = 3
KEPT = ("ss", "us", "is")
"""Endings that look like a plural and are none."""
_EMPTY = (
    "a an and any are as at be been but by can do does each for from get given has have if in into is it its make more"
    " new no not of on one only or other our out over return set should so some such than that the their them then"
    " there these this to two up used using was what when where whether which who will with without would you"
    " function method class object value code data name type helper called thing something"
)
EMPTY = frozenset(_EMPTY.split())
"""Words of a description that say nothing about where it belongs."""


def name_words(name: str) -> dict[str, str]:
    """The stems a name is made of, each with the word as it is written there."""
    words = (part.lower() for part in PARTS.findall(name) if len(part) >= LEAST_LETTERS)
    return {stem(word): word for word in words}


def prose_words(text: str) -> dict[str, str]:
    """The same of a text, without words that say nothing; names in it are taken apart."""
    return {root: word for root, word in name_words(text).items() if word not in EMPTY}


def stem(word: str) -> str:
    """A word without its ending: `dates`, `dated` and `dating` come to stand together, as far as rules can tell."""
    for ending, instead in ENDINGS:
        if word.endswith(ending) and not word.endswith(KEPT) and len(word) - len(ending) >= LEAST_STEM:
            return _doubled(f"{word[: -len(ending)]}{instead}")
    return _doubled(word)


def _doubled(word: str) -> str:
    """`mapp` of `mapping` is `map`; a silent e at the end does not tell words apart."""
    if len(word) > LEAST_STEM and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        return word[:-1]
    return word[:-1] if len(word) > LEAST_STEM and word.endswith("e") else word
