"""Say whether the graph is there and fresh, and what it does not cover.

Nothing is written. Shows what changed since the graph was made, which files were not read and why (by suffix), which
could not be opened or failed to be read, and who produced the evidence of its edges. `keel sync` makes it fresh.

    keel status
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from keel.graph.tally import tally
from keel.indexing.found import outermost
from keel.indexing.line import Line
from keel.indexing.pipeline import FOLDERS, VERSIONS
from keel.indexing.scan import Scan, scan
from keel.model.record import Record, field
from keel.model.rows import LOST, UNREADABLE
from keel.operations._line import line_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import ClassVar

    from keel.indexing.found import Found
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

MISSING, FRESH, STALE = "missing", "fresh", "stale"


class Params(Record):
    """`status` takes nothing: it looks at the whole workspace."""


class Result(Record):
    """How the graph stands."""

    LAYOUT: ClassVar = (
        "{state}: {workspace}, {files} files, {nodes} nodes, {edges} edges",
        "{advice}",
        "added",
        "changed",
        "removed",
        "languages",
        "tiers",
        "unreadable",
        "lost",
        "not_read",
        "warnings",
    )

    state: str = field("Whether the graph says what the files say.", choices=(MISSING, FRESH, STALE))
    workspace: str = field("What the graph is called.")
    folder: str = field("The workspace folder.")
    roots: dict[str, str] = field("The folders of the roots by name.")
    advice: str = field("What to do about it; empty when there is nothing to do.")
    files: int = field("Files in the graph.")
    nodes: int = field("Nodes in the graph.")
    edges: int = field("Edges in the graph.")
    outdated: bool = field("Whether the graph was made by another version of keel's readers.")
    added: tuple[str, ...] = field("Files that are not in the graph yet.")
    changed: tuple[str, ...] = field("Files whose text differs from what the graph knows.")
    removed: tuple[str, ...] = field("Files of the graph that are gone.")
    languages: dict[str, int] = field("Files by language.")
    tiers: dict[str, int] = field("Edges by who produced their evidence.")
    unreadable: tuple[str, ...] = field("Files that could not be opened; what was known about them stands.")
    lost: tuple[str, ...] = field("Files whose reader failed; they are in the graph without definitions.")
    not_read: dict[str, dict[str, int]] = field("Files that were not read: reason, then how many by suffix.")
    warnings: tuple[str, ...] = field("What else was noticed.")


def run(workspace: Workspace, params: Params) -> Result:
    """Compares the graph with the files."""
    line = line_of(workspace)
    if not workspace.store.exists():
        return _result(workspace, MISSING, "run `keel map` to build it", _look(line, [], None))
    with workspace.store.reading() as reader:
        known = reader.files()
        seen = _look(line, known, reader.note(FOLDERS))
        return _compared(workspace, line, reader, known, seen)


def _look(line: Line, known: Sequence[FileRow], folders: bytes | None) -> Scan:
    steering = {name for language in line.languages for name in language.steering}
    return scan(line.roots, line.suffixes.keys(), known, folders, time.time_ns(), steering)


def _compared(workspace: Workspace, line: Line, reader: GraphReader, known: Sequence[FileRow], seen: Scan) -> Result:
    outdated = reader.note(VERSIONS) != line.versions
    changed = _changed(known, seen.suspects)
    differs = outdated or changed or seen.added or seen.missing or seen.steering_changed
    counts = tally(reader)
    return _result(workspace, STALE if differs else FRESH, "run `keel sync`" if differs else "", seen).replace(
        files=len(known),
        nodes=sum(counts.nodes.values()),
        edges=sum(counts.edges.values()),
        outdated=outdated,
        changed=changed,
        languages=counts.files,
        tiers=counts.tiers,
        unreadable=_unreadable(known, seen),
        lost=tuple(_name(row.root, row.path) for row in known if row.state == LOST),
    )


def _result(workspace: Workspace, state: str, advice: str, seen: Scan) -> Result:
    return Result(
        state=state,
        workspace=workspace.name,
        folder=workspace.folder,
        roots=dict(workspace.roots),
        advice=advice,
        files=0,
        nodes=0,
        edges=0,
        outdated=False,
        added=tuple(_name(found.root, found.path) for found in seen.added),
        changed=(),
        removed=tuple(_name(row.root, row.path) for row in seen.missing),
        languages={},
        tiers={},
        unreadable=_unreadable([], seen),
        lost=(),
        not_read=seen.skipped,
        warnings=tuple(seen.warnings),
    )


def _changed(known: Sequence[FileRow], suspects: Sequence[Found]) -> tuple[str, ...]:
    """Those of the suspects whose content differs."""
    if not suspects:
        return ()
    from keel.indexing.facts import fingerprint

    content = {(row.root, row.path): row.content for row in known}
    differing = (found for found in suspects if fingerprint(found) != content[found.root, found.path])
    return tuple(_name(found.root, found.path) for found in differing)


def _unreadable(known: Sequence[FileRow], seen: Scan) -> tuple[str, ...]:
    stored = [(row.root, row.path) for row in known if row.state == UNREADABLE]
    return tuple(_name(root, path) for root, path in outermost([*stored, *seen.unreadable]))


def _name(root: str, path: str) -> str:
    return f"{root}/{path}"
