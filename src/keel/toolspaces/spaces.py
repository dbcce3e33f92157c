"""The three spaces of tools, and their precedence.

Project `{project}/.ai/`, then user `~/.ai/` (or `$USER_SPACE/.ai/`), then system, which comes with the package and is
never written. Finding tools in a space is left to `resolve.py` and `listing.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

PROJECT, USER, SYSTEM = "project", "user", "system"
RANK: Mapping[str, int] = {PROJECT: 3, USER: 2, SYSTEM: 1}
"""Precedence: the higher one is searched first, and may rely on the lower ones."""

FOLDER, TOOLS = ".ai", "tools"
SUFFIXES = (".py", ".yaml")
"""A tool is code, or only configuration."""
USER_SPACE = "USER_SPACE"
"""When this is set in the environment, it is the folder that the user's `.ai` is in."""


class Space(NamedTuple):
    """A space: its name, and the `.ai` folder that nothing of it may lie outside of."""

    name: str
    root: str
    real: str
    """The same without links, which what it holds is measured by."""

    @property
    def tools(self) -> str:
        """The folder that the ids of its tools are relative to."""
        return os.path.join(self.root, TOOLS)


Spaces = tuple[Space, ...]
"""The spaces as they are searched, the highest precedence first."""


def spaces_of(project_path: str | os.PathLike[str], environ: Mapping[str, str] | None = None) -> Spaces:
    """The spaces that a project's tools come from; one folder is one space, the first of its names."""
    user = user_folder(os.environ if environ is None else environ)
    roots = [
        (PROJECT, os.path.join(os.path.abspath(project_path), FOLDER)),
        *([(USER, os.path.join(user, FOLDER))] if user else []),
        (SYSTEM, system_root()),
    ]
    found: dict[str, Space] = {}
    for name, root in roots:
        # Work in one's home folder would otherwise find each tool twice, shadowing itself.
        real = os.path.realpath(root)
        found.setdefault(real, Space(name, root, real))
    return tuple(found.values())


def has_own_tools(spaces: Spaces) -> bool:
    """Whether the project or the user has tools; the system's always exist."""
    return any(os.path.isdir(space.tools) for space in spaces if space.name != SYSTEM)


def user_folder(environ: Mapping[str, str]) -> str:
    """The folder that the user's `.ai` is in; empty when there is no home folder."""
    said = environ.get(USER_SPACE) or environ.get("HOME") or "~"
    folder = os.path.expanduser(said)
    return "" if folder.startswith("~") else os.path.abspath(folder)


def system_root() -> str:
    """The `.ai` folder of this package."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), FOLDER)
