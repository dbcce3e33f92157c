"""Plans for findings: what can be done at each place that a finding is about, as edits of files.

Where the trees come from is `_judged.py`'s business, what can be done at a place `enforcement/mending.py`'s; whether it
is done, and whether it helped, is left to `fix.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from keel.enforcement.judge import breaks_of
from keel.enforcement.mending import Left, Mend, Mending
from keel.indexing.accepted import accepted
from keel.model.edits import Edit, edited
from keel.model.ids import unescape_path
from keel.operations._judged import Compared, compared_of
from keel.operations._line import line_of

if TYPE_CHECKING:
    from keel.model.findings import Affected, Finding
    from keel.ports.rule import Break
    from keel.ports.workspace import Workspace

Place = tuple[str, str]
"""Root and escaped path."""
NO_CALLER = "only people can write it"
"""Why nothing is done about a finding that is not about others."""

ENTANGLED = "another change is about the same text; it can be done after that one"
"""Why nothing is done at a place whose mends do not go together."""


class Planned(NamedTuple):
    """What can be done about one finding."""

    finding: Finding
    steps: tuple[tuple[Affected, Mend], ...]
    left: tuple[tuple[Affected | None, str], ...]
    """Places at which nothing is done, and why; None for the finding as a whole."""
    edits: Mapping[Place, tuple[Edit, ...]]


def planned(workspace: Workspace, findings: Sequence[Finding], since: str | None) -> list[Planned]:
    """A plan for each finding, in their order."""
    line = line_of(workspace)
    with workspace.store.reading() as reader:
        files = reader.files()
        base = accepted(line, files, since, workspace.accepted, reader)
        every = [_Plans(workspace, compared, base.sources) for compared in compared_of(workspace, reader, files, base)]
        plans: list[Planned] = []
        taken: dict[Place, tuple[Edit, ...]] = {}
        for finding in findings:
            plans.append(_plan(finding, every, taken))
            for place, edits in plans[-1].edits.items():
                taken[place] = (*taken.get(place, ()), *edits)
        return plans


def _plan(finding: Finding, every: Sequence[_Plans], taken: Mapping[Place, tuple[Edit, ...]]) -> Planned:
    """What can be done about a finding beside what is done about others."""
    if not finding.affected:
        return Planned(finding, (), ((None, NO_CALLER),), {})
    steps: list[tuple[Affected, Mend]] = []
    left: list[tuple[Affected | None, str]] = []
    edits: dict[Place, tuple[Edit, ...]] = {}
    for affected in finding.affected:
        found = [(each, plans) for plans in every for each in plans.at(finding, affected)]
        for broken, plans in found:
            mend = plans.mend(broken)
            if isinstance(mend, Left):
                left.append((affected, mend.why))
                continue
            place = (affected.root, affected.file)
            wanted = (*edits.get(place, ()), *mend.edits)
            if edited(b"", (*taken.get(place, ()), *wanted)) is None:
                left.append((affected, ENTANGLED))
                continue
            steps.append((affected, mend))
            edits[place] = wanted
        if not found:
            left.append((affected, "it is not clear what it is about"))
    return Planned(finding, tuple(dict.fromkeys(steps)), tuple(dict.fromkeys(left)), edits)


class _Plans:
    """The broken places of one language, by what findings say of them."""

    def __init__(self, workspace: Workspace, compared: Compared, sources: Mapping[Place, bytes | None]) -> None:
        trees = compared.trees
        self._breaks = breaks_of(trees)
        texts = _texts(workspace, compared)
        self._mending = Mending(trees, compared.language.editing(), texts, _former(compared, sources, texts))

    def at(self, finding: Finding, affected: Affected) -> Iterator[Break]:
        """What is broken at a place that a finding is about."""
        return (each for each in self._breaks if each.subject.id == finding.id and _is_at(each.affected, affected))

    def mend(self, broken: Break) -> Mend | Left:
        """What can be done about it."""
        return self._mending.of(broken, self._breaks)


def _is_at(one: Affected, other: Affected) -> bool:
    return (one.root, one.file, one.line, one.name) == (other.root, other.file, other.line, other.name)


def _texts(workspace: Workspace, compared: Compared) -> Callable[[int], bytes | None]:
    """The text of a file as it is on the disk, where offsets of facts are offsets of it."""
    files = compared.trees.now.facts.tree.files

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
    compared: Compared, sources: Mapping[Place, bytes | None], texts: Callable[[int], bytes | None]
) -> Callable[[int], bytes | None]:
    """The text of a file as it was in base, likewise."""
    files = compared.trees.base.facts.tree.files

    def text(number: int) -> bytes | None:
        row = files[number]
        if (row.root, row.path) not in sources:
            return texts(number)
        source = sources[row.root, row.path]
        return source if source is not None and compared.language.text(source) == source else None

    return text


def path_of(workspace: Workspace, place: Place) -> str:
    """Where a file is on the disk."""
    return os.path.join(workspace.roots[place[0]], unescape_path(place[1]))
