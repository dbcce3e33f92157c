"""Confirming links: what a helper said of files is laid over what linking found, and kept for the next time.

Asking is left to `ask.py`; how an answer and an edge become one, to the languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from keel.indexing.line import Line
from keel.indexing.report import Progress
from keel.indexing.stored import stored_tree
from keel.model.answers import Answers, Named, decode, encode
from keel.model.rows import Amendment, FileLinks, FileRow, HelperAnswers
from keel.ports.definitions import Helper
from keel.ports.language import Language, Linker, Said
from keel.ports.store import GraphWriter

BATCH = 64


def confirm(
    line: Line,
    language: Language,
    helper: Helper,
    writer: GraphWriter,
    files: Iterable[FileRow],
    fresh: Mapping[int, Answers],
    progress: Progress,
) -> None:
    """Confirms files that were just linked, by fresh answers, or by those that are kept of the same content."""
    tree = stored_tree(line, writer, language)
    confirming = _Confirming(writer, language.linker(tree), helper.tier, tree.files.values())
    rows = list(files)
    for done, row in enumerate(rows):
        if done % BATCH == 0:
            progress("confirming", done, len(rows))
        answers = fresh.get(row.id) or _kept(writer, helper.tier, row)
        if answers is None:
            writer.forget_answers([row.id], helper.tier)
        else:
            confirming.file(row, answers)


def _kept(writer: GraphWriter, tier: int, row: FileRow) -> Answers | None:
    kept = writer.helper_answers(row.id, tier)
    return decode(kept.answers) if kept is not None and kept.content == row.content else None


class _Confirming:
    """Confirms one file after the other."""

    def __init__(self, writer: GraphWriter, linker: Linker, tier: int, rows: Iterable[FileRow]) -> None:
        self._writer = writer
        self._linker = linker
        self._tier = tier
        self._files = {(row.root, row.path): row.id for row in rows}
        self._ordinals: dict[int, dict[tuple[str, int], int]] = {}

    def file(self, row: FileRow, answers: Answers) -> None:
        """Lays answers over the links of a file."""
        said = self._said(answers)
        disagreements = 0
        if said:
            reasons, candidates = self._writer.links(row.id)
            found = FileLinks(row.id, self._writer.edges_of(row.id), reasons, candidates, set())
            references = self._writer.references(row.id) or b""
            amendment, disagreements = self._linker.confirm(found, references, said, self._tier)
            if _differs(found, amendment):
                self._writer.amend([amendment])
        kept = HelperAnswers(row.id, self._tier, row.content, encode(answers), disagreements)
        self._writer.keep_answers([kept])

    def _said(self, answers: Answers) -> Said:
        places = [self._place(named) for named in answers.definitions]
        return {
            item.reference: [place for index in item.definitions if (place := places[index]) is not None]
            for item in answers.items
        }

    def _place(self, named: Named) -> tuple[int, int] | None:
        """Where a definition is now, if it is still there."""
        file = self._files.get((named.root, named.path))
        if file is None:
            return None
        known = self._ordinals.get(file)
        if known is None:
            nodes = self._writer.nodes(file)
            known = self._ordinals[file] = {(node.qualified_name, node.occurrence): node.ordinal for node in nodes}
        ordinal = known.get((named.qualified_name, named.occurrence))
        return None if ordinal is None else (file, ordinal)


def _differs(found: FileLinks, amendment: Amendment) -> bool:
    return bool(amendment.keys) or (found.edges, found.reasons) != (amendment.edges, amendment.reasons)
