"""Asking a helper, such as ty, what the references of files name.

Every reference is asked about once, except by a helper whose answers are expensive: that one is only asked about open
or unsure ones. Open references that a helper with a second opinion leaves unanswered are asked about again. A helper
that fails costs its answers and one warning. Merging the answers is left to `confirm.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeVar

from keel.indexing.context import IndexContext
from keel.indexing.helpers.source_roots import sources_of
from keel.indexing.report import Progress
from keel.indexing.scan.folders import on_disk, prefix_of
from keel.indexing.stored_tree import stored_tree
from keel.model.answers import Answer, Answers, Named
from keel.model.facts import MODULE_DEF, Lines, decode_references
from keel.model.kinds import Reason, Tier
from keel.model.metadata import star_of
from keel.model.rows import INDEXED, EdgeRow, FileRow
from keel.ports.definitions import Definition, Definitions, Helper, Position, Project
from keel.ports.language import Language, confirming_of
from keel.ports.store import GraphReader

T = TypeVar("T")
SETTLED = (Reason.LINKED, Reason.EXTERNAL)
"""Reasons that need no second opinion: linking has resolved it, or knows that it is outside of the workspace."""
SURE = 95
"""In hundredths: an edge of at least this confidence is not worth an expensive answer."""
OWN_TIERS = frozenset({int(Tier.TIER1_TREESITTER), int(Tier.TIER2_TREESITTER_HEURISTIC)})
TOLD_EVERY = 64


class Asked(NamedTuple):
    """The result of asking."""

    answers: dict[int, Answers]
    """By file; those that the helper failed on are missing."""
    warnings: list[str]


class _Question(NamedTuple):
    file: int
    references: tuple[int, ...]
    position: Position
    is_open: bool
    """Whether it has no edge yet."""
    is_sure: bool
    """Whether its edge is as sure as a name can be, or its target is outside of the workspace."""


_Answered = dict[int, dict[int, list[Named]]]
"""The definitions that were named, by file and reference."""


def ask(
    context: IndexContext,
    language: Language,
    helper: Helper,
    reader: GraphReader,
    files: Iterable[FileRow],
    progress: Progress,
) -> Asked:
    """A helper's answers about files; it is asked about each root separately."""
    asking = _Asking(context, language, reader)
    asked = Asked({}, [])
    rows = sorted((row for row in files if row.state == INDEXED), key=attrgetter("root", "path"))
    for root, group in groupby(rows, key=attrgetter("root")):
        of_root = list(group)
        project = asking.project(root, context.roots[root], len(of_root))
        asking.root(helper, project, of_root, progress, asked)
    return asked


class _Asking:
    """Turns references into questions, and definitions into names."""

    def __init__(self, context: IndexContext, language: Language, reader: GraphReader) -> None:
        self._reader = reader
        self._language = language
        self._tree = stored_tree(context, reader, language)
        prefixes = {root: prefix_of(folder) for root, folder in context.roots.items()}
        self._prefixes = prefixes
        self._paths = {row.id: on_disk(prefixes[row.root], row.path) for row in self._tree.files.values()}
        self._files = {path: file for file, path in self._paths.items()}
        self._names: dict[int, dict[tuple[int, int], Named]] = {}

    def project(self, root: str, folder: str, asked: int) -> Project:
        """A root as helpers see it; a folder that is itself a package is not one that imports start from."""
        found = sources_of(self._language, self._tree, self._prefixes, root)
        files = sum(row.root == root and row.state == INDEXED for row in self._tree.files.values())
        return Project(folder, found, asked == files)

    def root(self, helper: Helper, project: Project, rows: list[FileRow], progress: Progress, asked: Asked) -> None:
        """The steps for one root: all questions once, the open ones a second time."""
        with helper.open(project, False) as first:
            questions = self._questions(_with_progress(rows, progress, f"asking {helper.name}"))
            if helper.is_expensive:
                questions = (question for question in questions if not question.is_sure)
            said, silent, lost = self._answers(first, questions)
            _note(asked, first)
            unanswered = set() if first.available else lost if said else {row.id for row in rows}
        if silent and helper.has_second_opinion and not unanswered:
            with helper.open(project, True) as second:
                more, _, _ = self._answers(second, _with_progress(silent, progress, f"asking {helper.name} again"))
                _note(asked, second)
            for file, found in more.items():
                said.setdefault(file, {}).update(found)
        asked.answers.update((row.id, _packed(said.get(row.id, {}))) for row in rows if row.id not in unanswered)

    def _questions(self, rows: Iterable[FileRow]) -> Iterator[_Question]:
        """Every question about files, file by file; none where helpers cannot confirm the language."""
        confirming = confirming_of(self._language)
        if confirming is None:
            return
        for row in rows:
            interface = self._tree.interface(row.id)
            reasons, _ = self._reader.links(row.id)
            lines, path = Lines(interface.lines), self._paths[row.id]
            encoded = self._reader.references(row.id) or b""
            unsure = self._unsure(row.id, encoded)
            for references, at in confirming.questions(interface, encoded):
                is_open = any(reasons[reference] not in SETTLED for reference in references)
                is_sure = not is_open and unsure.isdisjoint(references)
                yield _Question(row.id, references, Position(path, *lines.place(at)), is_open, is_sure)

    def _unsure(self, file: int, references: bytes) -> set[int]:
        """The references of a file with an edge that is less sure than by name, and may become surer."""
        places = {(edge.source, edge.at) for edge in self._reader.edges_of(file) if _may_gain(edge)}
        items = decode_references(references).items
        return {index for index, item in enumerate(items) if (item.source, item.at) in places}

    def _answers(
        self, definitions: Definitions, questions: Iterable[_Question]
    ) -> tuple[_Answered, list[_Question], set[int]]:
        """The answers; the open questions without one; and the files with a lost answer."""
        waiting: deque[_Question] = deque()
        said: _Answered = {}
        silent: list[_Question] = []
        lost: set[int] = set()
        for _, answer in definitions.ask(_positions(questions, waiting)):
            question = waiting.popleft()
            if answer and (named := self._landed(answer)):
                said.setdefault(question.file, {}).update(dict.fromkeys(question.references, named))
            elif answer is None:
                lost.add(question.file)
            elif question.is_open and not answer:
                silent.append(question)
        return said, silent, lost

    def _landed(self, definitions: Iterable[Definition]) -> list[Named]:
        """Positions as names. What is no definition of the graph, such as a parameter, or is outside of it, is left
        out."""
        named: list[Named] = []
        for one in definitions:
            file = self._files.get(one.path)
            place = one[1:3] if one[1:3] != one[3:5] else WHOLE
            if file is not None and (found := self._names_of(file).get(place)) is not None:
                named.append(found)
        return named

    def _names_of(self, file: int) -> dict[tuple[int, int], Named]:
        """The definitions of a file by line and column of their name; the module under `WHOLE`."""
        known = self._names.get(file)
        if known is None:
            interface, row = self._tree.interface(file), self._tree.files[file]
            lines = Lines(interface.lines)
            known = self._names[file] = {
                WHOLE if ordinal == MODULE_DEF else lines.place(definition.name_at): Named(
                    row.root, row.path, interface.text(definition.qualified_name), definition.occurrence
                )
                for ordinal, definition in enumerate(interface.defs)
                if ordinal >= MODULE_DEF
            }
        return known


def _may_gain(edge: EdgeRow) -> bool:
    """Not where a star import limits the confidence, and another helper has confirmed the target."""
    return edge.confidence < SURE and not (edge.tier not in OWN_TIERS and star_of(edge.metadata))


WHOLE = (0, 0)
"""The position of a module: its definition is the whole file, and helpers name an empty range for it."""


def _positions(questions: Iterable[_Question], waiting: deque[_Question]) -> Iterator[Position]:
    for question in questions:
        waiting.append(question)
        yield question.position


def _packed(said: dict[int, list[Named]]) -> Answers:
    """Answers as they are stored; each definition is written once."""
    numbers: dict[Named, int] = {}
    items = [
        Answer(reference, [numbers.setdefault(one, len(numbers)) for one in named])
        for reference, named in sorted(said.items())
    ]
    return Answers(list(numbers), items)


def _note(asked: Asked, definitions: Definitions) -> None:
    """Records a helper's warning, once."""
    trouble = definitions.trouble
    if trouble is not None and (text := str(trouble)) not in asked.warnings:
        asked.warnings.append(text)


def _with_progress(items: Sequence[T], progress: Progress, stage: str) -> Iterator[T]:
    """The items, while reporting progress."""
    for done, item in enumerate(items):
        if done % TOLD_EVERY == 0:
            progress(stage, done, len(items))
        yield item
