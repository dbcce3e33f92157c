"""The accepted tree: which files differ from it, by the stored baseline (`baseline.py`) or by git (`differences.py`).

The facts that these files had there are left to `facts.py`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from keel.errors import StoreBusy, StoreFull, UsageError
from keel.indexing.base.baseline import LAST_COMMIT, recall, remember
from keel.indexing.base.sources import Accepted, Sources
from keel.indexing.pipeline import FOLDERS, REVISION, look_at

if TYPE_CHECKING:
    from keel.indexing.context import IndexContext
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader


def accepted_tree(
    context: IndexContext, files: Sequence[FileRow], since: str | None, snapshot: str, reader: GraphReader | None = None
) -> Accepted:
    """The former content of the files that differ; without `since`, that of the last commit or the snapshot.

    With a reader of the graph, the baseline stored there is used for the last commit, if it is valid.
    """
    if since is not None and not since.strip():
        raise UsageError("the commit to compare with has no name", "a variable that was to hold it may be empty")
    if reader is not None and since is None:
        known = recall(context, reader, files)
        if known is not None:
            key, sources = known
            if context.graph_cache is not None:
                context.graph_cache.know_base(context.languages, reader, key, is_now=not sources)
            return Accepted(LAST_COMMIT, sources, {}, key=key)
    from keel.indexing.base.differences import look_up  # git is a process, and seldom needed

    found = look_up(context, files, since, snapshot)
    if reader is not None and since is None and found.is_plain and not found.manifest_files:
        _remember(context, reader, files, found.sources)
    return found


def _remember(context: IndexContext, reader: GraphReader, files: Sequence[FileRow], sources: Sources) -> None:
    """Stores what git answered, unless something has changed since the scan: then the next run will."""
    from keel.indexing.verification import is_unchanged

    if not is_unchanged(context, reader, files, look_at(context, files, reader.note(FOLDERS), time.time_ns())):
        return
    with suppress(StoreBusy, StoreFull), context.store.writing() as writer:
        if writer.note(REVISION) == reader.note(REVISION):
            remember(context, writer, files, sources)
        if context.graph_cache is not None:
            context.graph_cache.follow(writer)
