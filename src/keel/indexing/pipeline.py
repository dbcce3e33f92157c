"""The indexing pipeline: files → facts → links → delta → store, in one function each for `sync` and `map`.

`bring_up_to_date` is `sync`: it scans for changes and stops at once when there are none. `build` is `map`: the same
over everything. Judging a delta is left to `checking`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from keel.errors import StoreBusy, StoreDamaged, StoreFull, StoreNewer
from keel.indexing.context import VECTORS, IndexContext
from keel.indexing.helper_runs import (
    do_without,
    forget_unwanted,
    has_unwanted,
    help_later,
    help_with,
    help_with_all,
    may_ask,
    owed_in,
    state_of,
    was_helped,
)
from keel.indexing.report import Progress, Report, no_progress
from keel.indexing.scan.scan import Scan, scan
from keel.ports.language import manifest_names

if TYPE_CHECKING:
    from keel.indexing.watch.notices import Touched
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader, GraphWriter

FOLDERS = "folders"
VERSIONS = "versions"
REVISION = "revision"
"""Notes about the whole graph: the folders as scanned, the extractor versions, how often it was written."""

TRIES = 3
"""How often an unusable graph is discarded before its damage is reported."""


def bring_up_to_date(context: IndexContext, progress: Progress = no_progress, asks: bool = True) -> Report:
    """Brings the graph up to date with the files; builds it when there is none.

    Without `asks`, for speed, helpers such as ty are not asked: their answers about other files still count, and the
    next run that asks catches up.
    """
    if not context.store.exists() and not _starts_from_another(context):
        return build(context, progress)
    now = time.time_ns()
    with context.store.reading() as reader:
        seen = _look(context, reader, now, asks)
    if seen.is_quiet and not seen.moved:
        return _settled(context, seen, seen.report)
    try:
        with context.store.writing() as writer:
            if writer.note(REVISION) != seen.revision:  # another process wrote in between
                seen = _look(context, writer, now, asks)
            if seen.is_quiet:
                writer.set_note(FOLDERS, seen.scan.folders)
                if context.graph_cache is not None:
                    context.graph_cache.follow(writer)
                report = seen.report
            else:
                report = _update(context, writer, seen, now, progress)
    except (StoreBusy, StoreFull):
        # A graph that cannot be written, such as on a read-only disk, can still be known to be up to date.
        if _says_the_same(context, now):
            return seen.report
        raise
    return _settled(context, seen, report)


def _settled(context: IndexContext, seen: Seen, report: Report) -> Report:
    """The graph equals what was scanned: the notices up to then are settled."""
    if context.graph_cache is not None and context.graph_cache.notices is not None:
        context.graph_cache.notices.settle(seen.mark)
    return report


def _starts_from_another(context: IndexContext) -> bool:
    """Whether a graph was found to start from; usually there is none, and this is the last step before a long build."""
    from keel.indexing.worktrees import start_from_another

    return start_from_another(context)


def _says_the_same(context: IndexContext, now: int) -> bool:
    """Whether the graph is up to date with the files, determined without writing."""
    from keel.indexing.verification import is_unchanged

    with context.store.reading() as reader:
        seen = _look(context, reader, now, asks=False)
        return not seen.outdated and is_unchanged(context, reader, seen.known, seen.scan)


def build(context: IndexContext, progress: Progress = no_progress, fresh: bool = False) -> Report:
    """Makes the graph from everything: every file is read again, every reference linked again.

    An existing graph stays readable until the new one is committed. `fresh` takes nothing over from it, and discards
    one that cannot be used. Helpers such as ty are asked when keel's own answers are committed.
    """
    report = _built(context, progress, fresh)
    return report.with_warnings(help_with_all(context, progress)) if any(context.helpers.values()) else report


def _built(context: IndexContext, progress: Progress, fresh: bool) -> Report:
    for _ in range(TRIES if fresh else 0):
        mark = context.store.mark()
        try:
            return _build(context, progress, fresh=True)
        except (StoreDamaged, StoreNewer):
            # Such a graph is of no use; but another process may have put a good one in its place by now.
            context.store.discard(mark)
    return _build(context, progress, fresh)


def _build(context: IndexContext, progress: Progress, fresh: bool = False) -> Report:
    now = time.time_ns()
    with context.store.writing() as writer:
        # Read before the clearing: a reader of the old graph must see that this is another revision.
        revision = writer.note(REVISION)
        if fresh and not writer.empty:
            writer.clear()
        known = [] if writer.empty else writer.files()
        found = look_at(context, known, None, now)
        outdated = writer.note(VERSIONS) != context.versions
        seen = Seen(known, found, True, outdated, revision)
        report = _update(context, writer, seen, now, progress, everything=True)
        help_later(context, writer)
        return report


class Seen(NamedTuple):
    """The stored files, a scan, and whether more than files has changed since the graph was written."""

    known: list[FileRow]
    scan: Scan
    moved: bool
    """The scan has a new state to store for the next one."""
    outdated: bool
    """The facts are of another extractor version."""
    revision: bytes | None
    """The revision of the graph that this is about."""
    helped: bool = False
    """Helpers such as ty were asked about all of it."""
    unwanted: bool = False
    """One of them was, and is not to be asked any more."""
    asks: bool = True
    """They are asked about what is linked again."""
    owed: tuple[int, ...] = ()
    """Files that helpers are still to be asked about, since a run that does not ask skipped them."""
    mark: int = 0
    """The last notice of the watch that this includes."""

    @property
    def is_quiet(self) -> bool:
        """Whether no file has to be read."""
        return not (self.outdated or self.unwanted or self.owed) and self.scan.is_quiet

    @property
    def report(self) -> Report:
        """The report of a run without changes."""
        unreadable = tuple(f"{root}/{path}" for root, path in self.scan.unreadable)
        return Report(files=len(self.known), unreadable=unreadable, warnings=tuple(self.scan.warnings))


def _look(context: IndexContext, reader: GraphReader, now: int, asks: bool) -> Seen:
    known = context.files(reader)
    folders = reader.note(FOLDERS)
    notices = context.graph_cache.notices if context.graph_cache is not None else None
    touched = notices.touched() if notices is not None else None
    found = look_at(context, known, folders, now, touched)
    outdated = reader.note(VERSIONS) != context.versions
    helped = was_helped(state_of(reader))
    unwanted = has_unwanted(context, reader)
    asks = asks and may_ask(context, reader)
    owed = owed_in(reader) if helped and asks else ()
    mark = touched.mark if touched is not None else 0
    moved = found.folders is not folders
    return Seen(known, found, moved, outdated, reader.note(REVISION), helped, unwanted, asks, owed, mark)


def _embed(context: IndexContext, writer: GraphWriter, progress: Progress, is_built: bool, asks: bool) -> None:
    """Vectors for new and changed symbols; a graph that was built without them gets them on the first search by
    meaning."""
    if not (is_built or writer.note(VECTORS)):
        return
    from keel.indexing.rows.vectors import make_vectors, owe_vectors

    if not asks:
        owe_vectors(writer)
    elif (embedder := context.embedder()) is not None:
        make_vectors(writer, embedder, context.syntaxes, progress)


def look_at(
    context: IndexContext, known: Sequence[FileRow], folders: bytes | None, now: int, touched: Touched | None = None
) -> Scan:
    """Compares the current files with those of the graph; nothing is written."""
    manifest_files = {name for language in context.languages for name in manifest_names(language)}
    return scan(
        context.roots, context.suffixes.keys(), known, folders, now, manifest_files, touched, context.syntaxes.values()
    )


def _update(
    context: IndexContext,
    writer: GraphWriter,
    seen: Seen,
    now: int,
    progress: Progress,
    everything: bool = False,
) -> Report:
    # Reading and linking import parsers and decoders: a scan that finds nothing needs none of it.
    from keel.indexing.update import Helped, Update

    if seen.unwanted:
        forget_unwanted(context, writer)
    helped = Helped(seen.asks, seen.owed) if seen.helped and was_helped(state_of(writer)) else None
    update = Update(context, writer, seen.known, seen.scan, now, progress, helped)
    report = update.run(everything or seen.outdated or seen.unwanted, seen.outdated)
    if helped is not None:
        confirm = help_with if seen.asks else do_without
        report = report.with_warnings(confirm(context, writer, update, progress))
    _embed(context, writer, progress, is_built=everything, asks=seen.asks)
    writer.set_note(FOLDERS, seen.scan.folders)
    writer.set_note(VERSIONS, context.versions)
    writer.set_note(REVISION, b"%d" % (int(seen.revision or 0) + 1))
    if context.graph_cache is not None:
        from keel.indexing.base_capture import capture_base  # only in the daemon

        capture_base(context, context.graph_cache, update, seen.known, helped)
        context.graph_cache.follow(writer, update.files, update.put)
    return report
