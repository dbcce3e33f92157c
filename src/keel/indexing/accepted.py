"""The accepted tree: which files differ from it, as it is remembered (`baseline.py`) or looked up (`differences.py`).

What they said there is in `accepted_facts.py`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from keel.errors import StoreBusy, StoreFull, UsageError
from keel.indexing.baseline import LAST_COMMIT, recall, remember
from keel.indexing.pipeline import FOLDERS, REVISION, look_at
from keel.indexing.sources import Accepted, Sources

if TYPE_CHECKING:
    from keel.indexing.line import Line
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader


def accepted(
    line: Line, files: Sequence[FileRow], since: str | None, snapshot: str, reader: GraphReader | None = None
) -> Accepted:
    """What the files that differ were; without `since`, in the last commit or the snapshot.

    With a reader of the graph the last commit is taken as that remembers it, if it does.
    """
    if since is not None and not since.strip():
        raise UsageError("the commit to compare with has no name", "a variable that was to hold it may be empty")
    if reader is not None and since is None:
        known = recall(line, reader, files)
        if known is not None:
            key, sources = known
            if line.warmth is not None:
                line.warmth.know_base(line.languages, reader, key, is_now=not sources)
            return Accepted(LAST_COMMIT, sources, {}, key=key)
    from keel.indexing.differences import look_up  # git is a process, and seldom asked

    found = look_up(line, files, since, snapshot)
    if reader is not None and since is None and found.is_plain and not found.steering:
        _remember(line, reader, files, found.sources)
    return found


def _remember(line: Line, reader: GraphReader, files: Sequence[FileRow], sources: Sources) -> None:
    """Notes what git said, unless something has changed since the files were looked at: then the next run will."""
    from keel.indexing.doubt import is_unfounded

    if not is_unfounded(line, reader, files, look_at(line, files, reader.note(FOLDERS), time.time_ns())):
        return
    with suppress(StoreBusy, StoreFull), line.store.writing() as writer:
        if writer.note(REVISION) == reader.note(REVISION):
            remember(line, writer, files, sources)
        if line.warmth is not None:
            line.warmth.follow(writer)
