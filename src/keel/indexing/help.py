"""Help from outside: whether a graph was made with helpers such as ty, and asking them when files were linked.

`map` asks about everything in a step of its own, so that keel's own answers can be used meanwhile and no writer waits;
`sync` asks about what it links again, in its own transaction. A graph that was made without helpers stays without them
until the next `map`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.indexing.line import Line
    from keel.indexing.report import Progress
    from keel.model.rows import FileRow
    from keel.ports.definitions import Helper
    from keel.ports.language import Language
    from keel.ports.store import GraphReader, GraphWriter

HELP = "help"
"""Notes about the whole graph: who helped to make it."""
OWED = "help owed"
"""The numbers of the files that they are to be asked about, since a run in a hurry did not."""
PENDING, NONE = b"pending", b""
"""They are being asked, or whoever asked was stopped; nobody was asked. Anything else: the names of those asked."""


def state_of(reader: GraphReader) -> bytes:
    """Who helped to make the graph."""
    return reader.note(HELP) or NONE


def was_helped(state: bytes) -> bool:
    """Whether helpers have been asked about all of the graph."""
    return state not in (PENDING, NONE)


def owed_in(reader: GraphReader) -> tuple[int, ...]:
    """The files that helpers are still to be asked about."""
    return tuple(map(int, (reader.note(OWED) or b"").split()))


def help_later(line: Line, writer: GraphWriter) -> None:
    """Notes that a graph that was just built waits for its helpers, or has none."""
    writer.forget_answers()
    _owe(writer, ())
    writer.set_note(HELP, PENDING if line.helpers else NONE)


def help_with_all(line: Line, progress: Progress) -> list[str]:
    """Asks about everything while others may read and write, then confirms it; gives what there is to tell."""
    warnings: list[str] = []
    for language in line.languages:
        helper = line.helpers.get(language.name)
        if helper is not None:
            warnings += _help_with(line, language, helper, progress)
    return warnings


def _help_with(line: Line, language: Language, helper: Helper, progress: Progress) -> list[str]:
    from keel.indexing.ask import ask
    from keel.indexing.collection import no_collection
    from keel.indexing.confirm import confirm

    with no_collection(), line.store.reading() as reader:
        rows = _of(reader, language)
        answers, warnings = ask(line, language, helper, reader, rows, progress)
    with no_collection(), line.store.writing() as writer:
        if state_of(writer) != PENDING:
            return warnings  # somebody else was faster
        now = _of(writer, language)
        late = _late(writer, rows, now)
        if late and answers:
            answers.update(ask(line, language, helper, writer, late, progress).answers)
        confirm(line, language, helper, writer, now, answers, progress)
        writer.set_note(HELP, _names(line) if answers or not rows else NONE)
    return warnings


def help_with(
    line: Line, writer: GraphWriter, asked: Collection[int], linked: Collection[int], progress: Progress
) -> list[str]:
    """Asks about some of the files that were just linked, and confirms all of them; gives what there is to tell."""
    from keel.indexing.ask import ask
    from keel.indexing.confirm import confirm

    warnings: list[str] = []
    for language in line.languages:
        helper = line.helpers.get(language.name)
        rows = [row for row in _of(writer, language) if row.id in linked]
        if helper is not None and rows:
            wanted = [row for row in rows if row.id in asked]
            found = ask(line, language, helper, writer, wanted, progress)
            confirm(line, language, helper, writer, rows, found.answers, progress)
            warnings += found.warnings
    _owe(writer, ())
    return warnings


def do_without(
    line: Line, writer: GraphWriter, asked: Collection[int], linked: Collection[int], progress: Progress
) -> list[str]:
    """Confirms files that were just linked by what is kept of the same content; those to ask about are noted."""
    from keel.indexing.confirm import confirm

    for language in line.languages:
        helper = line.helpers.get(language.name)
        rows = [row for row in _of(writer, language) if row.id in linked]
        if helper is not None and rows:
            confirm(line, language, helper, writer, rows, {}, progress)
    _owe(writer, {*owed_in(writer), *asked})
    return []


def _owe(writer: GraphWriter, files: Collection[int]) -> None:
    writer.set_note(OWED, b" ".join(b"%d" % file for file in sorted(files)))


def _of(reader: GraphReader, language: Language) -> list[FileRow]:
    return [row for row in reader.files() if row.language == language.name]


def _late(writer: GraphWriter, before: list[FileRow], now: list[FileRow]) -> list[FileRow]:
    """Files that changed while others were asked about, and those with edges into them."""
    asked = {(row.id, row.content) for row in before}
    changed = [row for row in now if (row.id, row.content) not in asked]
    near = {row.id for row in changed}.union(*({into.id for into in writer.files_into(row.id)} for row in changed))
    return [row for row in now if row.id in near]


def _names(line: Line) -> bytes:
    return " ".join(sorted(helper.name for helper in line.helpers.values())).encode()
