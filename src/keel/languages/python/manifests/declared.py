"""What one manifest declares, with its paths as written, and ways to read it whatever shape it has.

Placing the paths in the workspace is left to the folder's recipe, `read.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

HERE = "."


class Unreadable(Exception):
    """A manifest that is not what its name says; the text says why."""


class PackageFolder(NamedTuple):
    """A folder as written, and the dotted package that it holds, if any."""

    folder: str
    package: str = ""


class Declared(NamedTuple):
    """Everything a manifest can say about where code begins."""

    name: str = ""
    sources: Sequence[PackageFolder] = ()
    extra: Sequence[str] = ()
    packages: Sequence[str] = ()
    members: Sequence[str] = ()
    excluded: Sequence[str] = ()


def table(value: object, *keys: str) -> dict[str, object]:
    """The table below some keys; an empty one where there is another value, or none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def texts(value: object) -> list[str]:
    """The strings of a list, or the one string; other values do not count."""
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def text(value: object) -> str:
    """A string, or none."""
    return value if isinstance(value, str) else ""


def package_folders(directories: object) -> list[PackageFolder]:
    """The folders of setuptools' `package-dir`: one for each package, and for all others under the empty name."""
    return [PackageFolder(folder, package) for package, folder in table(directories).items() if isinstance(folder, str)]


def parent_of(path: str) -> str:
    """The folder that holds a package given by its path: `src` for `src/shop`."""
    return path.strip("/").rpartition("/")[0] or HERE


def last_part(path: str) -> str:
    """The last name of a path."""
    return path.strip("/").rpartition("/")[2]
