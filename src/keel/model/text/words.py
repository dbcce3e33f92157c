"""Words: text as search sees it, whether a name, a docstring, a path or a question.

Names are split at case, digits and underscores; words are stemmed, so that `redirects` finds `redirect`. The same
function makes the indexed words and those of a query. Query languages are left to the stores: the words are letters and
digits alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_WORD_LENGTH = 40
"""The length of a word that counts; longer text is data, not a word."""

_pieces = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_vowel = re.compile(r"[aeiouy]")

SAY_NOTHING = frozenset(
    (
        *("a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by"),
        *("can", "could", "did", "do", "does", "doing", "each", "either", "else", "for", "from", "had", "has", "have"),
        *("how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "let", "may", "me", "might", "more"),
        *("most", "much", "must", "my", "need", "no", "nor", "not", "of", "off", "on", "once", "one", "only", "or"),
        *("other", "our", "out", "over", "own", "s", "same", "shall", "should", "so", "some", "such", "t", "than"),
        *("that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too"),
        *("until", "up", "upon", "us", "very", "via", "want", "was", "we", "were", "what", "when", "where", "whether"),
        *("which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "would", "you", "your"),
    )
)
"""Stop words: words of a sentence that do not tell code apart."""


def pieces_of(name: str) -> list[str]:
    """The words of a name, as they are written: `getHTTPUser_2` gives `get`, `HTTP`, `User`, `2`."""
    return _pieces.findall(name)


def stem(word: str) -> str:
    """A lower-case word without its ending: plural, `-ing`, `-ed`, a last `e` or `y`; more would confuse names."""
    known = _stems.get(word)
    if known is None:
        if len(_stems) >= MAX_STEMS:
            _stems.clear()
        known = _stems[word] = IRREGULAR.get(word) or _stemmed(word)
    return known


IRREGULAR = {"setting": "setting", "settings": "setting", "used": "use", "using": "use"}
"""Stems that no rule gives."""
MAX_STEMS = 1 << 16
_stems: dict[str, str] = {}
"""Cached stems, since a project uses the same words again and again; a plain dict is faster than `lru_cache`."""


def _stemmed(word: str) -> str:
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-2]
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _stemmed(word[:-1])
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            return _without(word, word[: -len(ending)])
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}i"
    return word[:-1] if word.endswith("e") else word


def _without(word: str, rest: str) -> str:
    """The rest of `running`, `parsed`: `run`, `pars`; a word that is no form of another stays: `string`, `seed`."""
    if len(rest) < 3 or not _vowel.search(rest) or rest.endswith("e"):
        return word
    if rest[-1] == rest[-2] and rest[-1] not in "lsz":
        return rest[:-1]
    return rest


def words_in(text: str) -> list[str]:
    """The stems of a text without stop words, each once, in order."""
    found: dict[str, None] = {}
    for piece in _pieces.findall(text):
        word = piece.lower()
        if word not in SAY_NOTHING and len(word) <= MAX_WORD_LENGTH:
            found[stem(word)] = None
    return list(found)


def name_words(name: str) -> list[str]:
    """A name as search sees it: whole, in words, and their stems; each once."""
    whole = name.lower()
    words = [piece.lower() for piece in _pieces.findall(name)]
    return list(dict.fromkeys((whole, *words, *map(stem, words)) if whole else words))


def joined(name: str) -> str:
    """A name without separators, to compare spellings: `get_user` is `getUser`."""
    return "".join(_pieces.findall(name)).lower()


def distinct(words: Iterable[str], known: Iterable[str]) -> list[str]:
    """The words that are not among the known ones."""
    seen = set(known)
    return [word for word in words if word not in seen]
