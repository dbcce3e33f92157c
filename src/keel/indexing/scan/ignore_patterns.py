"""One line of an ignore file as a rule, by git's own semantics.

Combining the rules of a file, and of several files, is left to `ignore.py`. A library was tried: it applies a rule
about a folder to all files below it, and so disagrees with git on nested exceptions.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WILD = frozenset("*?[\\")


class Rule(NamedTuple):
    """One rule: which paths it applies to, and whether it ignores them or keeps them after all."""

    ignores: bool
    folders_only: bool
    by_name: bool
    """It applies to the last segment of a path; else to the whole path below the ignore file."""
    matches: re.Pattern[str]


def rule_of(line: str) -> Rule | None:
    """The rule in a line; None for comments, blank lines and patterns that cannot match."""
    line = _without_trailing_spaces(line)
    if line.startswith("#"):
        return None
    ignores = not line.startswith("!")
    pattern = line if ignores else line[1:]
    folders_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    by_name = "/" not in pattern
    expression = _expression(pattern.removeprefix("/"))
    if not pattern or expression is None:
        return None
    return Rule(ignores, folders_only, by_name, re.compile(expression, re.DOTALL))


def _without_trailing_spaces(line: str) -> str:
    bare = line.rstrip(" ")
    slashes = len(bare) - len(bare.rstrip("\\"))
    # An odd number of backslashes before the spaces keeps the first of them.
    return bare + " " if slashes % 2 and len(bare) < len(line) else bare


def _expression(pattern: str) -> str | None:
    """A glob as a regular expression; None when the glob is malformed and so matches nothing."""
    parts, at = [], 0
    while at < len(pattern):
        letter = pattern[at]
        if letter == "*":
            part, at = _stars(pattern, at)
        elif letter == "?":
            part, at = "[^/]", at + 1
        elif letter == "[":
            part, at = _bracket(pattern, at)
        elif letter == "\\":
            part, at = re.escape(pattern[at + 1 : at + 2]), at + 2
        else:
            part, at = re.escape(letter), at + 1
        if not part:
            return None
        parts.append(part)
    return "".join(parts)


def _stars(pattern: str, at: int) -> tuple[str, int]:
    """`*` stops at a slash; `**` does not where it is a whole segment of a path."""
    end = at
    while pattern[end : end + 1] == "*":
        end += 1
    # Git compares what is before the first wildcard separately, so that `**` begins a segment there too.
    begins_part = pattern[:at].endswith("/") or not _WILD.intersection(pattern[:at])
    if end - at < 2 or not begins_part:
        return "[^/]*", end
    if end == len(pattern):
        return ".*", end
    if pattern[end] == "/":
        return "(?:.*/)?", end + 1
    return "[^/]*", end


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """A set of characters such as `[a-z]`, `[!a]`, `[[:digit:]]`; nothing when it is not closed."""
    at += 1
    negated = pattern.startswith(("!", "^"), at)
    at += negated
    parts: list[str] = []
    while at < len(pattern) and (pattern[at] != "]" or not parts):
        if pattern.startswith("[:", at) and ":]" in pattern[at:]:
            end = pattern.index(":]", at)
            named = _CLASSES.get(pattern[at + 2 : end])
            if named is None:
                return "", at
            parts.append(named)
            at = end + 2
            continue
        low, at = _letter(pattern, at)
        parts.append(re.escape(low))
        if pattern[at : at + 1] == "-" and pattern[at + 1 : at + 2] not in ("", "]"):
            high, at = _letter(pattern, at + 1)
            parts.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else "")
    if at >= len(pattern):
        return "", at
    # A set never matches a slash.
    return f"(?!/)[{'^' * negated}{''.join(parts)}]", at + 1


def _letter(pattern: str, at: int) -> tuple[str, int]:
    if pattern[at] == "\\" and at + 1 < len(pattern):
        at += 1
    return pattern[at], at + 1


_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-\/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
