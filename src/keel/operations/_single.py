"""Whether one file is as the graph knows it: all that a question about a single symbol has to look at.

Changes of the whole workspace are `indexing`'s to see.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from keel.indexing.racy import is_racy
from keel.model.hashing import content_hash
from keel.model.ids import unescape_path
from keel.model.rows import INDEXED, FileRow

if TYPE_CHECKING:
    from keel.ports.workspace import Workspace

NOW, LAST_SYNC = "now", "the last sync"
"""Of when the edges of an answer are: the whole graph was synced for it, or only its own files were looked at."""


def as_stored(workspace: Workspace) -> str:
    """Of when the edges of the stored graph are."""
    return NOW if workspace.is_watched else LAST_SYNC


def is_as_stored(workspace: Workspace, file: FileRow) -> bool:
    """By its stat, and by its content where the stat leaves doubt; not looked at where somebody watches."""
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
        from keel.indexing.regular import read_regular

        return content_hash(read_regular(path)[0]) == file.content
    except OSError:
        return False
