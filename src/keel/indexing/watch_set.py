"""The watch set of a workspace, as its graph knows it: the folders to watch, and files that a watch does not cover.

Watching itself is left to `indexing/watch/inotify.py`, recording what it reports to `indexing/watch/notices.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from keel.indexing.pipeline import FOLDERS
from keel.indexing.scan.file_filter import file_filter
from keel.indexing.scan.folders import decode, key_of, on_disk, prefix_of
from keel.ports.language import manifest_names

if TYPE_CHECKING:
    from keel.indexing.context import IndexContext
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader


def folders_of(context: IndexContext, reader: GraphReader) -> tuple[list[str], list[str]]:
    """The arguments of `follow`, by the last listing of the graph's files."""
    manifest_files = {name for language in context.languages for name in manifest_names(language)}
    key = key_of(context.roots, file_filter(context.suffixes.keys(), manifest_files))
    folders = decode(reader.note(FOLDERS), key)
    if folders is None:
        return [], []
    # A device, as /dev/null in place of a configuration, is written all the time, and never changes.
    deciding = [path for path in folders.watched if os.path.isfile(path) or not os.path.exists(path)]
    return folders.paths, deciding


def hard_links(roots: Mapping[str, str], files: Iterable[FileRow]) -> list[str]:
    """The files that have more than one name, so that they can be written by a name that is not watched."""
    found = []
    prefixes = {name: prefix_of(folder) for name, folder in roots.items()}
    for row in files:
        path = on_disk(prefixes[row.root], row.path)
        try:
            if os.lstat(path).st_nlink > 1:
                found.append(path)
        except OSError:  # a scan will tell
            continue
    return found
