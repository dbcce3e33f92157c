"""Resolves the id of a tool: to its file, its space, and the files that it shadows.

The first space that has the id wins, always in the same order. Nothing is cached, so that a new or a deleted file
counts at once. Parsing the file is left to `toolspaces/manifests/manifest.py`.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from keel.errors import ToolNotFoundError, ToolTwice, ToolUnreadable
from keel.toolspaces.item_ids import checked_id
from keel.toolspaces.spaces import SUFFIXES, Space, Spaces, spaces_of

NEAREST = 3


class ResolvedTool(NamedTuple):
    """A resolved tool: its file, its space, and the files of lower spaces that it shadows."""

    item_id: str
    path: str
    space: Space
    shadows: tuple[tuple[str, str], ...] = ()
    """Space and path of each, the one that would take its place first."""


def resolve_tool(item_id: str, project_path: str | os.PathLike[str]) -> tuple[str, str]:
    """The path of a tool and the name of its space: project first, then user, then system."""
    found = find_tool(item_id, spaces_of(project_path))
    return found.path, found.space.name


def find_tool(item_id: str, spaces: Spaces, wanted_by: str = "") -> ResolvedTool:
    """The tool of the first space that has it, with what it shadows in the others."""
    item_id = checked_id(item_id)
    there = [(space, paths) for space in spaces if (paths := _paths(item_id, space))]
    if not there:
        searched = [_path(item_id, space, suffix) for space in spaces for suffix in SUFFIXES]
        raise ToolNotFoundError(item_id, searched, _nearest(item_id, spaces), wanted_by)
    space, paths = there[0]
    if len(paths) > 1:
        raise ToolTwice(item_id, paths)
    return ResolvedTool(
        item_id, paths[0], space, tuple((lower.name, path) for lower, below in there[1:] for path in below)
    )


def _path(item_id: str, space: Space, suffix: str) -> str:
    return os.path.join(space.tools, *item_id.split("/")) + suffix


def _paths(item_id: str, space: Space) -> list[str]:
    return [path for suffix in SUFFIXES if _is_there(item_id, path := _path(item_id, space, suffix))]


def _is_there(item_id: str, path: str) -> bool:
    """Whether the folder has the name. A dangling link counts: what it shadows must not run in its place."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise ToolUnreadable(item_id, path, error.strerror or str(error)) from error
    return True


def _nearest(item_id: str, spaces: Spaces) -> list[str]:
    import difflib  # only when something is wrong

    from keel.toolspaces.listing import ids_of

    known = sorted({known for space in spaces for known in ids_of(space)})
    return difflib.get_close_matches(item_id, known, n=NEAREST)
