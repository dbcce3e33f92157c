"""Plans for findings: what can be done at each place that a finding is about, as edits of files.

The comparison is left to `judgement.py`, the fix of a place to `enforcement/fixes/fix.py`; applying it, and whether it
helped, to `operations/fix.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from keel.checking.judgement import Compared, compared_of
from keel.enforcement.breaks.removed import broken_references
from keel.enforcement.fixes.fix import Fixer
from keel.enforcement.fixes.source_text import SourceTexts
from keel.enforcement.fixes.steps import Fix, Left
from keel.enforcement.judge import breaks_of
from keel.indexing.base.accepted_tree import accepted_tree
from keel.model.edits import Edit, edited
from keel.model.ids import unescape_path
from keel.model.refs import FileKey
from keel.ports.language import editing_of
from keel.querying.current_graph import index_context

if TYPE_CHECKING:
    from keel.model.findings import Affected, Finding
    from keel.ports.rule import Break
    from keel.ports.workspace import Workspace

NO_CALLER = "only its author can write it"
"""Why there is no fix for a finding without affected callers."""

ENTANGLED = "another fix changes the same text; run it again after that one"
"""Why there is no fix at a place whose fixes conflict."""


class Planned(NamedTuple):
    """What can be done about one finding."""

    finding: Finding
    steps: tuple[tuple[Affected, Fix], ...]
    left: tuple[tuple[Affected | None, str], ...]
    """Places without a fix, and why; None for the finding as a whole."""
    edits: Mapping[FileKey, tuple[Edit, ...]]


def planned(workspace: Workspace, findings: Sequence[Finding], since: str | None) -> list[Planned]:
    """A plan for each finding, in their order."""
    context = index_context(workspace)
    with workspace.store.reading() as reader:
        files = reader.files()
        base = accepted_tree(context, files, since, workspace.accepted, reader)
        every = [_Plans(workspace, compared, base.sources) for compared in compared_of(workspace, reader, files, base)]
        plans: list[Planned] = []
        taken: dict[FileKey, tuple[Edit, ...]] = {}
        for finding in findings:
            is_first = all(finding.id != each.finding.id for each in plans)
            plans.append(_plan(finding, every, taken, is_first))
            for place, edits in plans[-1].edits.items():
                taken[place] = (*taken.get(place, ()), *edits)
        return plans


def _plan(
    finding: Finding, every: Sequence[_Plans], taken: Mapping[FileKey, tuple[Edit, ...]], is_first: bool
) -> Planned:
    """The plan for a finding, given the plans for others; the first finding of a definition also plans its other
    places.
    """
    if not finding.affected:
        return Planned(finding, (), ((None, NO_CALLER),), {})
    steps: list[tuple[Affected, Fix]] = []
    left: list[tuple[Affected | None, str]] = []
    edits: dict[FileKey, tuple[Edit, ...]] = {}

    def put(affected: Affected, fix: Fix | Left) -> None:
        place = (affected.root, affected.file)
        wanted = (*edits.get(place, ()), *(fix.edits if isinstance(fix, Fix) else ()))
        if isinstance(fix, Left):
            left.append((affected, fix.why))
        elif edited(b"", (*taken.get(place, ()), *wanted)) is None:
            left.append((affected, ENTANGLED))
        else:
            steps.append((affected, fix))
            edits[place] = wanted

    for affected in finding.affected:
        found = [(each, plans) for plans in every for each in plans.at(finding, affected)]
        for broken, plans in found:
            put(affected, plans.fix(broken))
        if not found:
            left.append((affected, "the reference at this place is not known"))
    for affected, fix in [each for plans in every for each in plans.besides(finding)] if is_first and steps else ():
        put(affected, fix)
    edits = {place: wanted for place, wanted in edits.items() if wanted}
    return Planned(finding, tuple(dict.fromkeys(steps)), tuple(dict.fromkeys(left)), edits)


class _Plans:
    """The broken places of one language, by the finding that reports them."""

    def __init__(self, workspace: Workspace, compared: Compared, sources: Mapping[FileKey, bytes | None]) -> None:
        self._comparison = comparison = compared.comparison
        self._breaks = breaks_of(comparison)
        texts = _texts(workspace, compared)
        written = SourceTexts(comparison, texts, _former(compared, sources, texts))
        self._fixer = Fixer(written, editing_of(compared.language))

    def at(self, finding: Finding, affected: Affected) -> Iterator[Break]:
        """The breaks at a place that a finding is about."""
        return (each for each in self._breaks if each.subject.id == finding.id and _is_at(each.affected, affected))

    def fix(self, broken: Break) -> Fix | Left:
        """The fix of a break."""
        return self._fixer.of(broken, self._breaks)

    def besides(self, finding: Finding) -> Iterator[tuple[Affected, Fix | Left]]:
        """Fixes at places that the finding does not name: without them, a removed name would still be referred to."""
        gone = [each for each in self._all_gone if each.subject.id == finding.id]
        for broken in gone:
            if not any(_is_at(broken.affected, each.affected) for each in self._breaks):
                fix = self._fixer.of(broken, self._all_gone)
                if isinstance(fix, Fix):
                    yield broken.affected, fix
        for broken in gone[:1]:
            yield from self._fixer.besides(broken)

    @cached_property
    def _all_gone(self) -> list[Break]:
        """Every use of removed definitions, also those on lines that a type checker ignores."""
        return list(broken_references(self._comparison._replace(lines=lambda file: ())))


def _is_at(one: Affected, other: Affected) -> bool:
    return (one.root, one.file, one.line, one.name) == (other.root, other.file, other.line, other.name)


def _texts(workspace: Workspace, compared: Compared) -> Callable[[int], bytes | None]:
    """The current text of a file, where offsets of facts are offsets of it."""
    files = compared.comparison.now.facts.tree.files

    def text(number: int) -> bytes | None:
        row = files[number]
        try:
            with open(path_of(workspace, (row.root, row.path)), "rb") as file:
                source = file.read()
        except OSError:
            return None
        return source if compared.language.text(source) == source else None

    return text


def _former(
    compared: Compared, sources: Mapping[FileKey, bytes | None], texts: Callable[[int], bytes | None]
) -> Callable[[int], bytes | None]:
    """The text of a file in base, likewise."""
    files = compared.comparison.base.facts.tree.files

    def text(number: int) -> bytes | None:
        row = files[number]
        if (row.root, row.path) not in sources:
            return texts(number)
        source = sources[row.root, row.path]
        return source if source is not None and compared.language.text(source) == source else None

    return text


def path_of(workspace: Workspace, place: FileKey) -> str:
    """The path of a file on disk."""
    return os.path.join(workspace.roots[place[0]], unescape_path(place[1]))
