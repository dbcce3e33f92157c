"""Versions: whether the version of a tool is in the range of its executor, by the rules of PEP 440.

Which executor restricts which tool is left to `validation.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from packaging.version import InvalidVersion, Version


def version_issues(child: str, version: str, parent: str, constraint: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with the version of a child; both ends of what its parent allows are allowed."""
    least, most = constraint.get("min_version"), constraint.get("max_version")
    if least is None and most is None:
        return
    if not version:
        yield f"Tool '{child}' says no __version__, and '{parent}' requires {_range(least, most)}."
        return
    own = _read(version)
    if own is None:
        yield f"Tool '{child}' has the version '{version}', which is no version; '{parent}' requires one."
    for bound, name in ((least, "min_version"), (most, "max_version")):
        if bound is None:
            continue
        limit = _read(bound)
        if limit is None:
            yield f"Tool '{parent}' has the {name} '{bound}' for '{child}', which is no version."
        elif own is not None and (own < limit if bound is least else own > limit):
            yield f"Tool '{child}' has the version {version}, and '{parent}' requires {_range(least, most)}."
            return


def _read(text: object) -> Version | None:
    try:
        return Version(text) if isinstance(text, str) else None
    except InvalidVersion:
        return None


def _range(least: object, most: object) -> str:
    if most is None:
        return f"at least {least}"
    return f"at most {most}" if least is None else f"{least} to {most}"
