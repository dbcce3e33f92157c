"""Build the graph of the workspace from all its files.

Every file is read and every reference linked again; a file whose text is as it was is not parsed twice. The graph that
is there stays readable until the new one is committed. Use it once on a new workspace; after that, `sync` brings the
graph up to date, and so do questions as far as their answer needs it.

    keel map
    keel map --fresh

The answer counts what the graph holds, and names every file that could not be read or whose reader failed.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from keel.graph.tally import tally
from keel.indexing.pipeline import build
from keel.model.record import Record, field
from keel.operations._line import line_of

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "build"


class Params(Record):
    """What `map` can be asked."""

    fresh: bool = field(
        "Take nothing over from the graph that is there: the way out of a damaged or a newer one.", default=False
    )


class Result(Record):
    """What `map` did."""

    LAYOUT: ClassVar = (
        "mapped {files} files in {seconds:.1f} s",
        "nodes",
        "edges",
        "unreadable",
        "broken",
        "lost",
        "warnings",
    )

    files: int = field("Files in the graph.")
    nodes: dict[str, int] = field("Nodes by kind.")
    edges: dict[str, int] = field("Edges by kind.")
    seconds: float = field("How long it took.")
    unreadable: tuple[str, ...] = field("Files that could not be opened; what was known about them stands.")
    broken: tuple[str, ...] = field("Files with text that is no code; what can be read of them is in the graph.")
    lost: tuple[str, ...] = field("Files whose reader failed; they are in the graph without definitions.")
    warnings: tuple[str, ...] = field("What else was noticed.")


def run(workspace: Workspace, params: Params) -> Result:
    """Builds the graph and counts it."""
    started = time.perf_counter()
    workspace.prepare()
    report = build(line_of(workspace), workspace.progress, params.fresh)
    with workspace.store.reading() as reader:
        counts = tally(reader)
    return Result(
        files=report.files,
        nodes=counts.nodes,
        edges=counts.edges,
        seconds=round(time.perf_counter() - started, 3),
        unreadable=report.unreadable,
        broken=report.broken,
        lost=report.lost,
        warnings=report.warnings,
    )
