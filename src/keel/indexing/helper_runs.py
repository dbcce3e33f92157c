"""Running helpers such as ty: whether a graph was made with them, and asking them after files were linked.

`map` asks about everything in transactions of its own, one per helper, so that keel's own answers can be used meanwhile
and no writer waits; `sync` asks about what it links again, in its own transaction. A helper's answers are merged into
the links that were known before it. A graph that was made without a helper stays without it until the next `map`. When
a helper is off in a run, neither it nor the others are asked: their answers about other files still count, and the next
run catches up. Asking and merging themselves are left to `helpers/`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.indexing.context import IndexContext
    from keel.indexing.report import Progress
    from keel.indexing.update import Update
    from keel.model.rows import FileRow
    from keel.ports.definitions import Helper
    from keel.ports.language import Language
    from keel.ports.store import GraphReader, GraphWriter

HELP = "help"
"""A note about the whole graph: the helpers it was made with."""
OWED = "help owed"
"""A note: the numbers of the files that they are still to be asked about, since a run that does not ask skipped
them."""
PENDING, NONE = b"pending", b""
"""They are being asked, or the process that asked was stopped; none was asked. Anything else: those that were, as
marks."""


def state_of(reader: GraphReader) -> bytes:
    """The helpers that the graph was made with."""
    return reader.note(HELP) or NONE


def was_helped(state: bytes) -> bool:
    """Whether a helper has been asked about all of the graph."""
    return state not in (PENDING, NONE)


def owed_in(reader: GraphReader) -> tuple[int, ...]:
    """The files that helpers are still to be asked about."""
    return tuple(map(int, (reader.note(OWED) or b"").split()))


def mark_of(language: str, helper: Helper) -> bytes:
    """How the state records that a helper was asked about the files of a language."""
    return f"{language}:{helper.tier}".encode()


def help_later(context: IndexContext, writer: GraphWriter) -> None:
    """Records that a graph that was just built waits for its helpers, or has none."""
    writer.forget_answers()
    _owe(writer, ())
    writer.set_note(HELP, PENDING if any(_asked(context)) else NONE)


def may_ask(context: IndexContext, reader: GraphReader) -> bool:
    """Whether none of the helpers that the graph was made with is off."""
    marks = _marks(state_of(reader))
    return not any(helper.is_off and mark_of(one.name, helper) in marks for one, helper in _wanted(context))


def helpers_of(context: IndexContext, reader: GraphReader, language: Language) -> list[Helper]:
    """The helpers that the graph was made with, in order."""
    marks = _marks(state_of(reader))
    return [helper for helper in context.helpers.get(language.name, ()) if mark_of(language.name, helper) in marks]


def has_unwanted(context: IndexContext, reader: GraphReader) -> bool:
    """Whether the graph was made with a helper that is not to be asked any more."""
    state = state_of(reader)
    return was_helped(state) and not _marks(state) <= {mark_of(one.name, helper) for one, helper in _wanted(context)}


def forget_unwanted(context: IndexContext, writer: GraphWriter) -> None:
    """Removes the answers of helpers that are not to be asked any more; everything has to be linked again."""
    wanted = {mark_of(language.name, helper) for language, helper in _wanted(context)}
    for mark in _marks(state_of(writer)) - wanted:
        language, _, tier = mark.decode().partition(":")
        writer.forget_answers([row.id for row in writer.files() if row.language == language], int(tier or 0))
    writer.set_note(HELP, b" ".join(sorted(_marks(state_of(writer)) & wanted)))


def help_with_all(context: IndexContext, progress: Progress) -> list[str]:
    """Asks about everything while others may read and write, then confirms it; returns warnings."""
    warnings: list[str] = []
    for language, helper in _asked(context):
        warnings += _help_with(context, language, helper, progress)
    with context.store.reading() as reader:
        is_pending = state_of(reader) == PENDING
    if is_pending:  # no helper could be asked
        with context.store.writing() as writer:
            writer.set_note(HELP, NONE)
    return warnings


def _help_with(context: IndexContext, language: Language, helper: Helper, progress: Progress) -> list[str]:
    from keel.indexing.gc_pause import gc_pause
    from keel.indexing.helpers.confirm import confirm
    from keel.indexing.helpers.questions import ask

    with gc_pause(), context.store.reading() as reader:
        rows = _of(reader, language)
        answers, warnings = ask(context, language, helper, reader, rows, progress)
    if rows and not answers:
        return warnings
    with gc_pause(), context.store.writing() as writer:
        marks = _marks(state_of(writer))
        if state_of(writer) == NONE or mark_of(language.name, helper) in marks:
            return warnings  # another process was faster
        now = _of(writer, language)
        late = _late(writer, rows, now)
        if late:
            answers.update(ask(context, language, helper, writer, late, progress).answers)
        confirm(context, language, helper, writer, now, answers, progress)
        writer.set_note(HELP, b" ".join(sorted({*marks, mark_of(language.name, helper)})))
    return warnings


def help_with(context: IndexContext, writer: GraphWriter, update: Update, progress: Progress) -> list[str]:
    """Asks about some of the files that were just linked, and confirms all of them; returns warnings."""
    from keel.indexing.helpers.confirm import confirm
    from keel.indexing.helpers.questions import ask

    warnings: list[str] = []
    for language, helper, rows in _linked(context, writer, update):
        wanted = [row for row in rows if row.id in update.asked]
        found = ask(context, language, helper, writer, wanted, progress)
        confirm(context, language, helper, writer, rows, found.answers, progress)
        warnings += found.warnings
    _owe(writer, ())
    return warnings


def do_without(context: IndexContext, writer: GraphWriter, update: Update, progress: Progress) -> list[str]:
    """Confirms files that were just linked by stored answers about the same content; the files to ask about are
    recorded."""
    from keel.indexing.helpers.confirm import confirm

    for language, helper, rows in _linked(context, writer, update):
        by = update.linking(language)
        confirm(context, language, helper, writer, rows, {}, progress, is_late=True, by=by)
    _owe(writer, {*owed_in(writer), *update.asked})
    return []


def _linked(
    context: IndexContext, writer: GraphWriter, update: Update
) -> Iterator[tuple[Language, Helper, list[FileRow]]]:
    """The helpers that were asked about all of the graph, each with the files of its language that an update has
    linked."""
    marks = _marks(state_of(writer))
    for language, helper in _wanted(context):
        own = [row for file in update.linked if (row := update.files[file]).language == language.name]
        if own and mark_of(language.name, helper) in marks:
            yield language, helper, sorted(own, key=lambda row: row[1:3])


def _owe(writer: GraphWriter, files: Collection[int]) -> None:
    writer.set_note(OWED, b" ".join(b"%d" % file for file in sorted(files)))


def _wanted(context: IndexContext) -> Iterator[tuple[Language, Helper]]:
    """The helpers whose answers count, in order."""
    return ((language, helper) for language in context.languages for helper in context.helpers.get(language.name, ()))


def _asked(context: IndexContext) -> Iterator[tuple[Language, Helper]]:
    """The helpers that are asked in this run, in order."""
    return ((language, helper) for language, helper in _wanted(context) if not helper.is_off)


def _marks(state: bytes) -> frozenset[bytes]:
    return frozenset(state.split()) if was_helped(state) else frozenset()


def _of(reader: GraphReader, language: Language) -> list[FileRow]:
    return [row for row in reader.files() if row.language == language.name]


def _late(writer: GraphWriter, before: list[FileRow], now: list[FileRow]) -> list[FileRow]:
    """Files that changed while others were asked about, and those with edges into them."""
    asked = {(row.id, row.content) for row in before}
    changed = [row for row in now if (row.id, row.content) not in asked]
    near = {row.id for row in changed}.union(*({into.id for into in writer.files_into(row.id)} for row in changed))
    return [row for row in now if row.id in near]
