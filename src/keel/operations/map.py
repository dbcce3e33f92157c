"""Build the graph of the workspace from all its files, and show it as a map.

Every file is read and every reference linked again; a file whose text is as it was is not parsed twice. The existing
graph stays readable until the new one is committed. Use it once on a new workspace; after that, `sync` brings the graph
up to date, and so do questions, as far as their answer needs it. A new working tree of a repository starts from the
graph of another one, and only what differs is read.

    keel map
    keel map --fresh
    keel map --no-ty
    keel map --no-tier3
    keel map --depth 1
    keel map --depth 2 --scope src/billing
    keel map --depth 2 --llm --max-tokens 2000

`--depth` says how much is shown: 0 counts, 1 modules with their sizes and the most referenced symbols, 2 functions and
classes with their signatures, 3 everything, with the first line of each doc. `--scope` narrows what is shown to a
folder, a file, or a package by its dotted name. Modules that most others depend on come first, source before tests.

keel's own edges are committed first and can be used at once; then the type checker ty is asked about all calls,
imports, bases and decorators of Python, and its answers take precedence. `--no-ty` leaves that out, for every later
`sync` too. Where ty is missing or fails, keel's own edges are kept, and a warning says so. The same holds for the
server and the indexes that `[resolution.tier3]` in the configuration names, and for `--no-tier3`: they are asked after
ty.

To be shown (`--depth` 1 or more, or `--scope`), an existing graph is brought up to date, which gives the same graph as
building it again, in a fraction of the time. The answer names every file that could not be read or whose reader failed.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from keel.errors import BaseError
from keel.graph.counts import count_graph
from keel.graph.lookup.handles import PathScope
from keel.graph.lookup.scope import in_scope
from keel.graph.structure import structural_edges
from keel.graph.workspace_map import (
    Module,
    Symbol,
    Use,
    WorkspaceMap,
    count_use,
    hottest,
    module_of,
    ranked,
    symbols_of,
)
from keel.indexing.pipeline import bring_up_to_date, build
from keel.indexing.worktrees import start_from_another
from keel.model.kinds import EdgeKind, NodeKind, Tier
from keel.model.record import Record, field
from keel.model.text.wording import counted
from keel.querying.current_graph import index_context

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.indexing.report import Report
    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntaxes
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

GROUP = "build"

SUMMARY, MODULES, SYMBOLS, EVERYTHING = range(4)
MAX_REFERENCED = 10


class Params(Record):
    """Parameters of `map`."""

    fresh: bool = field(
        "Reuse nothing of the existing graph: for one that is damaged, or was made by a newer keel.", default=False
    )
    no_ty: bool = field("Do not ask the type checker ty, until the next map.", default=False)
    no_tier3: bool = field("Do not ask the server or the indexes of `[resolution.tier3]`.", default=False)
    depth: int = field(
        "Show 0 counts, 1 modules, 2 functions and classes too, 3 everything.", default=SUMMARY, least=0, most=3
    )
    scope: str = field("Show only this folder, file, or package (`pkg.sub`).", default="")
    limit: int = field("Show at most so many modules.", default=500, least=1)
    offset: int = field("Leave out so many modules before the first.", default=0, least=0)


class Result(WorkspaceMap):
    """What `map` did, and the map."""

    LAYOUT: ClassVar = (
        "{done}",
        "nodes",
        "edges",
        "most_referenced",
        "modules",
        "symbols",
        "{more}",
        "unreadable",
        "broken",
        "lost",
        "warnings",
    )

    outcome: str = field(
        "`mapped`: built from everything; `updated`: from what changed; `checked`: nothing had changed.",
        choices=("mapped", "updated", "checked"),
    )
    files: int = field("Files in the graph.")
    nodes: dict[str, int] = field("Nodes by kind; of a scope, those in it.")
    edges: dict[str, int] = field("Edges by kind; of a scope, those that leave it or lie in it.")
    seconds: float = field("How long it took.")
    unreadable: tuple[str, ...] = field("Files that could not be opened; what was known about them is kept.")
    broken: tuple[str, ...] = field("Files with text that is no code; what can be read of them is in the graph.")
    lost: tuple[str, ...] = field("Files whose reader failed; they are in the graph without definitions.")
    warnings: tuple[str, ...] = field("What else was noticed.")

    @property
    def done(self) -> str:
        """What was done, as text."""
        within = f"; in {self.scope}:" if self.scope else ""
        return f"{self.outcome} {counted(self.files, 'file')} in {self.seconds:.1f} s{within}"


def run(workspace: Workspace, params: Params) -> Result:
    """Builds the graph, or brings it up to date to be shown, and draws the map."""
    started = time.perf_counter()
    workspace.prepare()
    report, outcome = _made(workspace, params)
    with workspace.store.reading() as reader:
        drawn = _drawn(workspace, reader, params)
    return drawn.replace(
        outcome=outcome,
        seconds=round(time.perf_counter() - started, 3),
        unreadable=report.unreadable,
        broken=report.broken,
        lost=report.lost,
        warnings=report.warnings,
    )


def _made(workspace: Workspace, params: Params) -> tuple[Report, str]:
    context = index_context(workspace)
    left_out = {"tier2_ty"} if params.no_ty else set()
    left_out |= {"tier3_lsp", "tier3_scip"} if params.no_tier3 else set()
    if left_out:
        wanted = {
            language: [helper for helper in helpers if Tier(helper.tier).word not in left_out]
            for language, helpers in context.helpers.items()
        }
        context = context._replace(helpers=wanted)
    is_begun = not params.fresh and not workspace.store.exists() and start_from_another(context)
    if params.fresh or not (params.depth or params.scope or is_begun):
        report = build(context, workspace.progress, params.fresh)
        return report.with_warnings(_accept(workspace)), "mapped"
    report = bring_up_to_date(context, workspace.progress)
    return report, "mapped" if report.built else "checked" if report.is_quiet and not is_begun else "updated"


def _accept(workspace: Workspace) -> list[str]:
    """Accepts the files where there is no commit to compare edits with; returns why it cannot be done."""
    from keel.checking.plain_tools import take_snapshot
    from keel.indexing.base.differences import needs_snapshot

    try:
        if needs_snapshot(workspace.roots):
            with workspace.store.reading() as reader:
                take_snapshot(workspace, reader.files())
    except BaseError as error:  # the graph exists all the same
        return [f"edits cannot be compared with anything: {error}"]
    return []


def _drawn(workspace: Workspace, reader: GraphReader, params: Params) -> Result:
    """The map at the requested depth; what the run did is filled in by the caller."""
    files = reader.files()
    inside = in_scope(files, params.scope, PathScope(workspace.roots, workspace.here)) if params.scope else files
    use = count_use(reader, workspace.syntaxes) if params.depth or params.scope else None
    counts = count_graph(reader)
    nodes, edges = _counted(reader, inside, use) if use and params.scope else (counts.nodes, counts.edges)
    empty = Result(
        outcome="mapped",
        files=len(files),
        nodes=nodes,
        edges=edges,
        seconds=0.0,
        scope=params.scope,
        depth=params.depth,
        most_referenced=(),
        modules=(),
        symbols=(),
        total=len(inside),
        offset=params.offset,
        left_out={},
        unreadable=(),
        broken=(),
        lost=(),
        warnings=(),
    )
    return _with_modules(reader, inside, use, params, empty, workspace.syntaxes) if use and params.depth else empty


def _counted(reader: GraphReader, files: list[FileRow], use: Use) -> tuple[dict[str, int], dict[str, int]]:
    """Nodes and edges of some files by kind."""
    nodes: Counter[int] = Counter()
    edges: Counter[int] = Counter()
    inside = {file.id for file in files}
    for file in files:
        stored = reader.nodes(file.id)
        nodes.update(node.kind for node in stored)
        edges.update(int(edge.kind) for edge in structural_edges(stored))
    for (source, kind), count in use.edges.items():
        if source in inside:
            edges[kind] += count
    return (
        {kind.word: nodes[kind] for kind in NodeKind if nodes[kind]},
        {kind.word: edges[kind] for kind in EdgeKind if edges[kind]},
    )


def _with_modules(
    reader: GraphReader, files: list[FileRow], use: Use, params: Params, result: Result, syntaxes: Syntaxes
) -> Result:
    modules: list[Module] = []
    symbols: list[Symbol] = []
    defined: list[tuple[FileRow, StoredNode]] = []
    left: Counter[str] = Counter()
    for number, file in enumerate(ranked(files, use)):
        nodes = reader.nodes(file.id)
        module = module_of(file, nodes, use)
        defined.extend((file, node) for node in nodes)
        if params.offset <= number < params.offset + params.limit:
            modules.append(module)
            if params.depth >= SYMBOLS:
                everything = params.depth >= EVERYTHING
                symbols.extend(symbols_of(reader, file, nodes, use, syntaxes[file.language], everything))
        else:
            left.update({"module": 1, "class": module.classes, "function": module.functions})
    return result.replace(
        most_referenced=tuple(hottest(reader, defined, use, MAX_REFERENCED, syntaxes)),
        modules=tuple(modules),
        symbols=tuple(symbols),
        left_out={what: count for what, count in left.items() if count},
    )
