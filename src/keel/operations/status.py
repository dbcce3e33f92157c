"""Say whether the graph exists and is fresh, and what it does not cover.

Nothing is written. Shows what changed since the graph was made, which files were not read and why (by suffix), which
could not be opened, have syntax errors or failed to be read, what resolved its edges, and whether helpers such as ty
were asked. `keel sync` makes it fresh.

    keel status
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from keel.graph.counts import count_graph
from keel.indexing.pipeline import FOLDERS, VERSIONS, look_at
from keel.model.record import Record, field
from keel.querying.coverage import Coverage, broken_files, lost_files, name_of, unreadable_files
from keel.querying.current_graph import index_context
from keel.querying.helper_summary import help_in_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import ClassVar

    from keel.indexing.context import IndexContext
    from keel.indexing.scan.scan import Scan
    from keel.indexing.scan.scan_result import ScannedFile
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

MISSING, FRESH, STALE = "missing", "fresh", "stale"
GROUP = "ask"


class Params(Record):
    """Parameters of `status`; it always looks at the whole workspace."""

    limit: int = field("Name at most so many files of each sort; the answer counts the others.", default=20, least=0)


class Result(Coverage):
    """The state of the graph."""

    LAYOUT: ClassVar = (
        "{state}: {workspace}, {files:# file}, {nodes:# node}, {edges:# edge}",
        "{advice}",
        "added",
        "changed",
        "removed",
        "{more}",
        "languages",
        "limits",
        "tiers",
        "helpers",
        "unreadable",
        "broken",
        "lost",
        "{unread}",
        "warnings",
    )
    BOUNDED: ClassVar = ("added", "changed", "removed")

    state: str = field("Whether the graph is up to date with the files.", choices=(MISSING, FRESH, STALE))
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
    removed: tuple[str, ...] = field("Files of the graph that were removed.")
    languages: dict[str, int] = field("Files by language.")
    limits: tuple[str, ...] = field("What keel cannot do yet for some of these languages.")
    tiers: dict[str, int] = field("Edges by who produced their evidence.")
    helpers: tuple[str, ...] = field("Who was asked beside keel, about how many files, and how often they differed.")
    left_out: dict[str, int] = field("How many files are added, changed or removed beyond those named.", default={})
    warnings: tuple[str, ...] = field("What else was noticed.")

    @property
    def more(self) -> str:
        """How many files are not named, as text."""
        said = ", ".join(f"{count} {what}" for what, count in self.left_out.items())
        return f"… and {said}; --limit names more" if said else ""


def run(workspace: Workspace, params: Params) -> Result:
    """Compares the graph with the files."""
    _ = workspace.enforcement  # whose keys the rules declare: a wrong one is refused here, too
    return _bounded(_whole(workspace), params.limit)


def _whole(workspace: Workspace) -> Result:
    context = index_context(workspace)
    if not workspace.store.exists():
        return _result(workspace, MISSING, "run `keel map` to build it", look_at(context, [], None, time.time_ns()))
    with workspace.store.reading() as reader:
        known = reader.files()
        seen = look_at(context, known, reader.note(FOLDERS), time.time_ns())
        return _compared(workspace, context, reader, known, seen)


def _bounded(result: Result, limit: int) -> Result:
    """The same with bounded lists: a switch of branches can change thousands of files."""
    lists = {"added": result.added, "changed": result.changed, "removed": result.removed}
    return result.replace(
        **{what: files[:limit] for what, files in lists.items()},
        left_out={what: len(files) - limit for what, files in lists.items() if len(files) > limit},
    )


def _compared(
    workspace: Workspace, context: IndexContext, reader: GraphReader, known: Sequence[FileRow], seen: Scan
) -> Result:
    outdated = reader.note(VERSIONS) != context.versions
    changed = _changed(known, seen.suspects)
    differs = outdated or changed or seen.added or seen.missing or seen.manifests_changed
    counts = count_graph(reader)
    return _result(workspace, STALE if differs else FRESH, "run `keel sync`" if differs else "", seen).replace(
        files=len(known),
        nodes=sum(counts.nodes.values()),
        edges=sum(counts.edges.values()),
        outdated=outdated,
        changed=changed,
        languages=counts.files,
        limits=tuple(_limits(workspace, counts.files)),
        tiers=counts.tiers,
        helpers=help_in_words(workspace, reader),
        unreadable=unreadable_files(known, seen),
        broken=broken_files(reader),
        lost=lost_files(known),
    )


def _limits(workspace: Workspace, files: Collection[str]) -> Iterator[str]:
    """The capabilities that languages with files here lack, a line each language."""
    from keel.ports.language import conventions_of, editing_of, has_contracts

    for language in workspace.languages:
        if language.name in files:
            lacking = {
                "calls are not checked against signatures": has_contracts(language),
                "types and documentation are not asked for": conventions_of(language) is not None,
                "`keel fix` cannot edit it": editing_of(language) is not None,
            }
            words = [text for text, is_able in lacking.items() if not is_able]
            if words:
                yield f"{language.syntax.title or language.name}: {'; '.join(words)}"


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
        added=tuple(name_of(found.root, found.path) for found in seen.added),
        changed=(),
        removed=tuple(name_of(row.root, row.path) for row in seen.missing),
        languages={},
        limits=(),
        tiers={},
        helpers=(),
        unreadable=unreadable_files([], seen),
        broken=(),
        lost=(),
        not_read=seen.skipped,
        warnings=tuple(seen.warnings),
    )


def _changed(known: Sequence[FileRow], suspects: Sequence[ScannedFile]) -> tuple[str, ...]:
    """Those of the suspects whose content differs."""
    if not suspects:
        return ()
    from keel.indexing.facts import fingerprint

    content = {(row.root, row.path): row.content for row in known}
    differing = (found for found in suspects if fingerprint(found) != content[found.root, found.path])
    return tuple(name_of(found.root, found.path) for found in differing)
