"""Grades: how strict a check is for a path, by the configuration and its overrides.

What the grades mean is left to the rules.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from keel.config import Enforcement
from keel.ports.rule import Grade


def grades(enforcement: Enforcement) -> Grade:
    """The value of a key for a path: of the overrides that match, the last one that names it wins."""

    def grade(key: str, path: str) -> str:
        value: str = getattr(enforcement, key)
        for override in enforcement.overrides:
            settings = dict(override.settings)
            if key in settings and _matches(path, override.pattern):
                value = settings[key]
        return value

    return grade


def _matches(path: str, pattern: str) -> bool:
    """`tests/**` is everything below `tests`, `**/x.py` every `x.py`."""
    return fnmatchcase(path, pattern) or (pattern.startswith("**/") and fnmatchcase(path, pattern[3:]))
