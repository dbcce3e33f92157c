"""The stored graph, and whether one file is as the graph has it: all that a query about a single symbol checks.

Detecting changes of the whole workspace is left to `indexing`.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from keel.errors import GraphMissing
from keel.indexing.scan.mtimes import is_racy
from keel.model.hashing import content_hash
from keel.model.ids import unescape_path
from keel.model.rows import INDEXED, FileRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

NOW, LAST_SYNC = "now", "the last sync"
"""As of when the graph behind an answer is; it is the last sync where the graph could not be written."""


@contextmanager
def stored_graph(workspace: Workspace) -> Iterator[GraphReader]:
    """The graph as it was last written; in a new working tree, at first, a copy of another one's."""
    with ExitStack() as stack:
        try:
            reader = stack.enter_context(workspace.store.reading())
        except GraphMissing:
            from keel.querying.current_graph import is_begun

            if not is_begun(workspace):
                raise
            reader = stack.enter_context(workspace.store.reading())
        yield reader


def is_as_stored(workspace: Workspace, file: FileRow) -> bool:
    """By its stat, and by its content where the stat is not conclusive; not checked while a watch is running."""
    if workspace.is_watched:
        return True
    folder = workspace.roots.get(file.root)
    if folder is None or file.state != INDEXED:
        return False
    path = os.path.join(folder, unescape_path(file.path))
    try:
        status = os.lstat(path)
        if status.st_size != file.size:
            return False
        if status.st_mtime_ns == file.mtime_ns and not is_racy(file.mtime_ns, file.looked_ns):
            return True
        from keel.indexing.scan.regular_files import read_regular

        return content_hash(read_regular(path)[0]) == file.content
    except OSError:
        return False
