"""The overview: every tool of the spaces, with its manifest.

Files without any name of a manifest are modules that tools use, not tools. Files are parsed up to the end of their
manifest; whether a tool can be run is left to `check.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keel.errors import ManifestError, ToolError
from keel.toolspaces.listing import files_of
from keel.toolspaces.manifests.manifest import NOTHING_SAID, Manifest, parsed
from keel.toolspaces.reading import read_inside
from keel.toolspaces.spaces import Space, Spaces


class Entry(NamedTuple):
    """A tool with what it says; or why it cannot be read."""

    item_id: str
    space: str
    path: str
    shadows: tuple[tuple[str, str], ...]
    """Space and path of those that it shadows."""
    manifest: Manifest | None
    problem: str = ""
    data: bytes = b""
    """Its file; empty when that cannot be read."""
    shadowed_by: str = ""
    """The space of the one that wins in its place."""

    @property
    def language(self) -> str:
        """What its file is written in."""
        return "yaml" if self.path.endswith(".yaml") else "python"


def entries(spaces: Spaces, with_shadowed: bool = False) -> Iterator[Entry]:
    """Every tool of the spaces by id, once: the one that a request for it would find. Those that it shadows may come
    behind it."""
    files = [(space, files_of(space)) for space in spaces]
    for item_id in sorted({item_id for _, held in files for item_id in held}):
        there = [(space, held[item_id]) for space, held in files if item_id in held]
        winner = _entry(item_id, there)
        if winner is None:
            continue
        yield winner
        for rank in range(1, len(there) if with_shadowed else 0):
            shadowed = _entry(item_id, there[rank:])
            if shadowed is not None:
                yield shadowed._replace(shadowed_by=winner.space)


def _entry(item_id: str, there: Sequence[tuple[Space, list[str]]]) -> Entry | None:
    """The first of several tools of one id, each with its files; None when it is a module and no tool."""
    (space, paths), *lower = there
    shadows = tuple((below.name, path) for below, beneath in lower for path in beneath)
    if len(paths) > 1:
        return Entry(item_id, space.name, paths[0], shadows, None, f"it is there twice: {' and '.join(paths)}")
    data = b""
    try:
        data = read_inside(item_id, paths[0], space.root, space.real)
        manifest = parsed(item_id, paths[0], data, at_a_glance=True)
    except ManifestError as error:
        is_module = error.problem == NOTHING_SAID
        return None if is_module else Entry(item_id, space.name, paths[0], shadows, None, error.problem, data)
    except ToolError as error:
        return Entry(item_id, space.name, paths[0], shadows, None, error.message())
    return Entry(item_id, space.name, paths[0], shadows, manifest, data=data)
