"""Which of the known files may have changed, by what a watch has reported; or that all of them have to be checked.

Checking them is left to `scan.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from keel.indexing.scan.file_filter import FileFilter, matters
from keel.indexing.scan.folders import Folders, must_list, prefix_of
from keel.indexing.scan.mtimes import COARSE_TICK
from keel.indexing.watch.notices import Touched
from keel.model.ids import escape_path
from keel.model.refs import FileKey
from keel.model.rows import UNREADABLE, FileRow


def suspect_files(
    roots: Mapping[str, str], names: FileFilter, known: Sequence[FileRow], touched: Touched, before: Folders
) -> list[FileRow] | None:
    """The files that were touched, may be written unseen, or have an mtime that cannot be trusted.

    None when more than known files was touched, or not all folders are watched: then anything can have changed.
    """
    if touched.paths is None or before.barred or not touched.watched.issuperset(before.paths):
        return None
    if must_list(before, roots):  # a deciding file that did not exist cannot be watched
        return None
    prefixes = {name: prefix_of(folder) for name, folder in roots.items()}
    rows = {(row.root, row.path): row for row in known}
    found: dict[FileKey, FileRow] = {}
    for path in (*touched.paths, *touched.doubtful):
        place = _file_key(path, prefixes)
        row = rows.get(place)
        if row is not None:
            found[place] = row
        elif path in touched.paths and (path in touched.watched or matters(path, names)):
            return None
    for row in known:
        if row.root not in prefixes:
            return None
        if row.mtime_ns >= row.looked_ns - COARSE_TICK or row.state == UNREADABLE:
            found[row.root, row.path] = row
    return [found[place] for place in sorted(found)]


def _file_key(path: str, prefixes: Mapping[str, str]) -> FileKey:
    """The root and escaped path of a path on disk; empty when it is in no root."""
    for root, prefix in prefixes.items():
        if path.startswith(prefix):
            return root, escape_path(path[len(prefix) :])
    return "", ""
