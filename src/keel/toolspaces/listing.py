"""Lists the ids of a space, by the names of its files alone.

The content of the files is left to `toolspaces/manifests/manifest.py`, which of several spaces wins to `resolve.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from keel.toolspaces.item_ids import is_id
from keel.toolspaces.reading import is_inside
from keel.toolspaces.spaces import SUFFIXES, Space


def ids_of(space: Space) -> list[str]:
    """The ids of a space, sorted; an id that exists as `.py` and as `.yaml` is listed once."""
    return sorted({item_id for item_id, _ in _files(space.tools, "", space.real, ())})


def files_of(space: Space) -> dict[str, list[str]]:
    """The files of a space by id."""
    found: dict[str, list[str]] = {}
    for item_id, path in _files(space.tools, "", space.real, ()):
        found.setdefault(item_id, []).append(path)
    return {item_id: sorted(paths) for item_id, paths in sorted(found.items())}


def _files(folder: str, prefix: str, real_root: str, above: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Id and path of every tool below a folder. A link out of the space, or back up, is not followed."""
    real = os.path.realpath(folder)
    if real in above or not is_inside(real, real_root):
        return
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return  # missing or unreadable: resolving one of its ids reports which
    for entry in entries:
        stem, dot, _ = entry.name.rpartition(".")
        if dot and entry.name.endswith(SUFFIXES) and is_id(prefix + stem):
            yield prefix + stem, entry.path
        elif is_id(prefix + entry.name) and _is_folder(entry):
            yield from _files(entry.path, f"{prefix}{entry.name}/", real_root, (*above, real))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a ring of links, for one
        return False
