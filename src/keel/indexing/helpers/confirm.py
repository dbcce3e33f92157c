"""Confirming links: a helper's answers about files are merged into the links, and stored for the next run.

Asking is left to `questions.py`; how an answer and an edge become one, to the languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, cast

from keel.graph.open_calls import open_calls
from keel.indexing.context import IndexContext
from keel.indexing.report import Progress
from keel.indexing.stored_tree import stored_tree
from keel.indexing.tree import WorkspaceTree
from keel.model.answers import Answers, Named, decode, encode
from keel.model.kinds import Reason
from keel.model.rows import Amendment, FileLinks, FileRow, HelperAnswers
from keel.ports.definitions import Helper
from keel.ports.language import ConfirmingLinker, HelperTargets, Language, Linker
from keel.ports.store import GraphReader, GraphWriter

BATCH = 64


def confirm(
    context: IndexContext,
    language: Language,
    helper: Helper,
    writer: GraphWriter,
    files: Iterable[FileRow],
    fresh: Mapping[int, Answers],
    progress: Progress,
    is_late: bool = False,
    by: Linking | None = None,
) -> None:
    """Confirms files that were just linked, by new answers, or by stored ones about the same content.

    With `is_late`, stored answers are from before other files changed: a reference that does not resolve now is left
    so. `by` is what they were linked with, if it still exists.
    """
    rows = list(files)
    linker, landing = by if by is not None else _linking(stored_tree(context, writer, language), language)
    confirming = _Confirming(writer, linker, helper.tier, landing)
    for done, row in enumerate(rows):
        if done % BATCH == 0:
            progress("confirming", done, len(rows))
        answers = fresh.get(row.id) or stored_answers(writer, helper.tier, row)
        if answers is None:
            writer.forget_answers([row.id], helper.tier)
        else:
            confirming.file(row, answers, is_late)


class Linking(NamedTuple):
    """A linker, and the files of its language that it links."""

    linker: Linker
    files: Iterable[FileRow]


def _linking(tree: WorkspaceTree, language: Language) -> Linking:
    return Linking(language.linker(tree), tree.files.values())


def stored_answers(reader: GraphReader, tier: int, row: FileRow) -> Answers | None:
    """The stored answers about a file's current content."""
    found = reader.helper_answers(row.id, tier)
    return decode(found.answers) if found is not None and found.content == row.content else None


class Landing:
    """Resolves definitions that helpers named to their file and ordinal in a tree, if they exist there."""

    def __init__(self, rows: Iterable[FileRow], ordinals: Callable[[int], Mapping[tuple[str, int], int]]) -> None:
        self._files = {(row.root, row.path): row.id for row in rows}
        self._ordinals = ordinals
        """The definitions of a file, by qualified name and occurrence."""
        self._held: dict[int, Mapping[tuple[str, int], int]] = {}

    def targets(self, answers: Answers) -> HelperTargets:
        """Answers with the definitions that they name resolved."""
        places = [self._place(named) for named in answers.definitions]
        found = {
            item.reference: [place for index in item.definitions if (place := places[index]) is not None]
            for item in answers.items
        }
        return HelperTargets(
            found, [named for named, place in zip(answers.definitions, places, strict=True) if place is None]
        )

    def _place(self, named: Named) -> tuple[int, int] | None:
        file = self._files.get((named.root, named.path))
        if file is None:
            return None
        if file not in self._held:
            self._held[file] = self._ordinals(file)
        ordinal = self._held[file].get((named.qualified_name, named.occurrence))
        return None if ordinal is None else (file, ordinal)


class _Confirming:
    """Confirms one file after the other."""

    def __init__(self, writer: GraphWriter, linker: Linker, tier: int, rows: Iterable[FileRow]) -> None:
        self._writer = writer
        self._linker = linker
        self._tier = tier
        self._landing = Landing(rows, self._ordinals)

    def file(self, row: FileRow, answers: Answers, is_late: bool) -> None:
        """Merges answers into the links of a file."""
        said = self._landing.targets(answers)
        disagreements = 0
        if said.places:
            reasons, candidates = self._writer.links(row.id)
            if is_late:
                places = {index: held for index, held in said.places.items() if reasons[index] != Reason.NO_CANDIDATE}
                said = said._replace(places=places)
            found = FileLinks(row.id, self._writer.edges_of(row.id), reasons, candidates, set())
            references = self._writer.references(row.id) or b""
            amendment, disagreements = cast("ConfirmingLinker", self._linker).confirm(
                found, references, said, self._tier
            )
            if _differs(found, amendment):
                interface = self._writer.interface(row.id) or b""
                counted = open_calls(interface, references, amendment.reasons)
                self._writer.amend([amendment._replace(open_calls=counted)])
        self._writer.keep_answers([HelperAnswers(row.id, self._tier, row.content, encode(answers), disagreements)])

    def _ordinals(self, file: int) -> Mapping[tuple[str, int], int]:
        return {(node.qualified_name, node.occurrence): node.ordinal for node in self._writer.nodes(file)}


def _differs(found: FileLinks, amendment: Amendment) -> bool:
    return bool(amendment.keys) or (found.edges, found.reasons) != (amendment.edges, amendment.reasons)
