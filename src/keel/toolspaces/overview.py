"""The overview: every tool that can be asked for, and what each says about itself.

Files without a word of a manifest are modules that tools use, not tools. Files are looked at as far as their manifest
goes; whether a tool can be run is left to `check.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from keel.errors import ManifestError, ToolError
from keel.toolspaces.listing import files_of
from keel.toolspaces.manifest import NOTHING_SAID, Manifest, parsed
from keel.toolspaces.reading import read_inside
from keel.toolspaces.spaces import Spaces


class Entry(NamedTuple):
    """A tool that wins, with what it says; or why it cannot be read."""

    item_id: str
    space: str
    path: str
    shadows: tuple[tuple[str, str], ...]
    manifest: Manifest | None
    problem: str = ""


def entries(spaces: Spaces) -> Iterator[Entry]:
    """Every tool of the spaces by id, once: the one that a request for it would find."""
    files = [(space, files_of(space)) for space in spaces]
    for item_id in sorted({item_id for _, held in files for item_id in held}):
        (space, paths), *lower = [(space, held[item_id]) for space, held in files if item_id in held]
        shadows = tuple((below.name, path) for below, beneath in lower for path in beneath)
        if len(paths) > 1:
            yield Entry(item_id, space.name, paths[0], shadows, None, f"it is there twice: {' and '.join(paths)}")
            continue
        try:
            data = read_inside(item_id, paths[0], space.root, space.real)
            manifest = parsed(item_id, paths[0], data, at_a_glance=True)
        except ManifestError as error:
            if error.problem == NOTHING_SAID:
                continue
            yield Entry(item_id, space.name, paths[0], shadows, None, error.problem)
        except ToolError as error:
            yield Entry(item_id, space.name, paths[0], shadows, None, error.message())
        else:
            yield Entry(item_id, space.name, paths[0], shadows, manifest)
