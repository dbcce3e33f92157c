"""Grades: how strict a check is for a path, by the configuration and its overrides.

Which keys exist, and what their values mean, is left to the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache

from keel.config import OFF, Enforcement, Exclude
from keel.model.record import Field
from keel.ports.rule import Grade

NOTHING = Exclude()
EXISTING = "_existing"
"""Suffix of the key for unchanged code."""


def grades(enforcement: Enforcement, keys: Mapping[str, Field], exclude: Exclude = NOTHING) -> Grade:
    """The value of a key for a path: of the overrides that match, the last one that names the key wins.

    A path that is excluded from a check gets the value `off`. An override that relaxes a check for new code, and does
    not name existing code, relaxes it for existing code too.
    """
    chosen = dict(enforcement.settings)
    overrides = [(each.pattern, dict(each.settings)) for each in enforcement.overrides]

    @cache
    def matching(path: str) -> list[dict[str, str]]:
        return [settings for pattern, settings in overrides if _matches(path, pattern)]

    def grade(key: str, path: str) -> str:
        if any(_matches(path, pattern) for pattern in getattr(exclude, key, ())):
            return OFF
        value = chosen.get(key, str(keys[key].default))
        for settings in matching(path):
            new = settings.get(key.removesuffix(EXISTING), "")
            if key in settings:
                value = settings[key]
            elif new in keys[key].choices:
                value = max(value, new, key=keys[key].choices.index)  # from strict to lax
        return value

    return grade


def _matches(path: str, pattern: str) -> bool:
    """Whether a glob matches: `tests/**` all below `tests`, `**/x.py` every `x.py`; one without `/` matches names
    anywhere.
    """
    names = path.split("/")
    return fnmatchcase(names[-1], pattern) if "/" not in pattern else _fits(names, pattern.split("/"))


def _fits(names: Sequence[str], globs: Sequence[str]) -> bool:
    """Matches part by part; `**` matches any number of folders, and at the end everything below."""
    if not names or not globs:
        return not names and not globs
    if globs[0] == "**":
        return len(globs) == 1 or any(_fits(names[start:], globs[1:]) for start in range(len(names)))
    return fnmatchcase(names[0], globs[0]) and _fits(names[1:], globs[1:])
