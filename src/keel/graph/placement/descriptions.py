"""A description in words, scored against the modules: which of them are about the same topics.

Names count more than documentation, the module's own name counts most, and a rare word more than a common one. A module
that has several of the words comes before one that has a single one most often. Existing functions are scored in
`placement.py`.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from keel.graph.placement.placement import NAMED, Fit, Sign, some
from keel.model.text.topics import name_topics, prose_topics
from keel.model.text.words import stem

if TYPE_CHECKING:
    from keel.graph.placement.modules import Modules
    from keel.model.profiles import ModuleProfile

IN_NAMES, IN_TEXT = 1.0, 0.5
"""The weight of a word in the names of functions and classes, and in documentation."""
IN_PATH, AROUND = 3.0, 1.0
"""The weight of a word in the module's name, and in the name of a directory around it."""


def signs_of_text(modules: Modules, text: str) -> list[Sign]:
    """What each word of a description points to: the module that has it most with 1, others with less."""
    signs = (_sign(modules, root, word) for root, word in prose_topics(text).items())
    return [sign for sign in signs if sign is not None]


def _sign(modules: Modules, root: str, word: str) -> Sign | None:
    strengths = {folder: _strength(profile, root) for folder, profile in modules.profiles.items()}
    known = {folder: strength for folder, strength in strengths.items() if strength}
    if not known:
        return None
    best = max(known.values())
    weight = log2(1 + len(strengths) / len(known))
    return Sign(NAMED, word, weight, {folder: strength / best for folder, strength in known.items()})


def _strength(profile: ModuleProfile, root: str) -> float:
    """How much a module is about a word; twice the uses in twice the code count the same."""
    around, _, last = profile.folder[1].rpartition("/")
    called = IN_PATH * (root in name_topics(last)) + AROUND * (root in name_topics(around))
    count = IN_NAMES * profile.names[root] + IN_TEXT * profile.keywords[root]
    return called + 4 * log2(1 + count) / log2(8 + profile.size + len(profile.classes))


def reasons_of_text(profile: ModuleProfile, fit: Fit) -> list[str]:
    """Why a module fits a description: where it has each of the words, once."""
    path = name_topics(profile.folder[1])
    said: dict[str, list[str]] = {}
    for sign in fit.signs:
        root = stem(sign.what)
        named = "names there have" if root in profile.names else "methods or documentation there have"
        said.setdefault("it is called" if root in path else named, []).append(sign.what)
    return [f"{where} {some(words)}" for where, words in said.items()]
