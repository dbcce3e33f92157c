"""Check an edit: which callers it breaks, and what the changed code lacks.

Compares the current files with their base: the last commit, or where this branch left `--since REF`, or, outside git,
the last `keel map` or `keel accept`. Reported are callers that no longer fit a signature (E001, E005), references to
removed definitions (E004), new or changed functions without type hints (E002) or docstrings (E003), and new functions
that likely belong elsewhere (W001) or exist already (W002). The same two trees give the same findings, however often it
is run; fixing, reverting or committing clears them.

Where a changed contract has callers, the type checker ty is asked what it reports about them now and did not before:
what it confirms is an error, what it proves correct is no finding. `evidence` says whether ty was used. Without it
(`KEEL_NO_TY`, `[resolution] ty = false`, or a ty that fails) keel decides by its own analysis.

    keel compile src/auth/login.py
    keel compile
    keel compile --since origin/main --json
    keel compile --all
    keel compile --since origin/main --format sarif --output keel.sarif

To keep a finding on purpose, suppress it with a reason: by `# keel:suppress E001 — reason` on the line above the
definition, by `[suppress]` in `.keel/config.toml`, or for one run by `--suppress CODE`. It becomes S001, which does not
count and is never hidden: `--json` and `--verbose` show it.

While code is incomplete, `--batch-start` defers the checks that only make sense on finished code (E002, E003, W001,
W002) until `--batch-end`, or until 60 seconds pass without a compile; broken callers are reported at once.

An error that is found again in the same session comes with another instruction the second time, and is a warning from
the third time on (`[circuit_breaker]` in the configuration), so that an agent does not retry for ever. Fixing it resets
the count; a run with fewer affected places than the last does not count. A session is the one that `--session` or
KEEL_SESSION names, or else the last one until it was idle for two hours. Git hooks and builds should use
`--session git` or `--session ci`, in which nothing is counted: an error that was downgraded elsewhere still stops a
commit.

With files, only findings whose cause or affected place is in one of them are shown, and the others are counted;
without, all. `--all` judges the hints and docstrings of the whole workspace. When nothing is wrong, nothing is printed.
Findings on code that is unchanged since base are counted; `--verbose`, `--all` and `--json` list them.

`--llm` prints one line per finding within `--max-tokens`, those that break others first. `--format sarif` is for code
scanning, `--format github` for annotations in a workflow, on every line that is broken.

Exit code: 0 without errors (with `--strict`, also without warnings), 1 with errors, 2 when the check could not be made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.checking.findings import FORMATS as FORMATS
from keel.checking.findings import ReadableReport, report_of
from keel.checking.run import TOOLS, Call, Judged, PlainTools, Settled
from keel.checking.settlement import asked_with_due, opened, settled
from keel.graph.lookup.handles import PathScope
from keel.indexing.pipeline import bring_up_to_date
from keel.model.findings import SHOWN_SESSION
from keel.model.record import Record, field
from keel.model.refs import FileKey
from keel.model.report import Info
from keel.querying.current_graph import index_context

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import ClassVar

    from keel.indexing.base.sources import Accepted
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

GROUP = "check"
QUICK = True
STARTS_DAEMON = True


class Params(Record):
    """Parameters of `compile`."""

    AT_TERMINAL: ClassVar = ("strict", "verbose")

    files: tuple[str, ...] = field(
        "Files or folders to check; without any, everything that differs from base.", default=(), positional=True
    )
    since: str | None = field("Compare with the commit where this branch left this one, as CI does.", default=None)
    all: bool = field("Judge the type hints and docstrings of the whole workspace.", default=False)
    strict: bool = field("Warnings fail too: with any, the exit code is 1.", default=False)
    verbose: bool = field("List everything, and say what was compared.", default=False)
    suppress: tuple[str, ...] = field("A code to suppress in this run.", default=())
    batch_start: bool = field(
        "Defer checks that make sense on finished code only until the batch is over.", default=False
    )
    batch_end: bool = field("End the batch, and make the deferred checks now.", default=False)
    session: str = field(
        "The session that failed attempts are counted in; `git` and `ci` count none (default: KEEL_SESSION).",
        default="",
    )


class Result(ReadableReport):
    """The findings about the edit."""

    command: str = field("The command that answered.", default="compile")

    @property
    def logged(self) -> list[str]:
        """What happened to the batch and to the session state, and why ty gave no evidence, for the log."""
        remarks = (*self.warnings, *(self.info.findings if self.info is not None else ()))
        told = [f"{each.code} {each.message}" for each in remarks if each.file == SHOWN_SESSION]
        return [*told, *([f"without a type checker: {self.evidence_missing}"] if self.evidence_missing else [])]


def run(workspace: Workspace, params: Params) -> Result:
    """Brings the graph up to date, compares it with base, and judges the difference."""
    if workspace.graph_cache is None:
        return _run(workspace, params)
    from keel.indexing.gc_pause import gc_pause

    with gc_pause():  # where much is kept, looking through it takes longer than the answer
        return _run(workspace, params)


def _run(workspace: Workspace, params: Params) -> Result:
    from keel.indexing.base.accepted_tree import accepted_tree

    _ = workspace.enforcement  # a wrong key is refused whether or not anything is judged
    call = opened(workspace, params.suppress, params.batch_start, params.batch_end, params.session)
    workspace.prepare()
    context = index_context(workspace)
    bring_up_to_date(context, workspace.progress, asks=False)
    with workspace.store.reading() as reader:
        files = context.files(reader)
        base = accepted_tree(context, files, params.since, workspace.accepted, reader)
        tools = _tools(workspace, params)
        if not base.has_snapshot:
            _accept(workspace, files)
        known = {(row.root, row.path) for row in files} | base.sources.keys() | tools.there | tools.changed
        asked = asked_with_due(call, _with_those_run(workspace, _asked(workspace, params, known)), known)
        judged = _judged(workspace, reader, files, base, tools, asked, params, call)
        done = settled(workspace, call, judged, None if params.all else asked, known, params.since)
        compared = asked if asked is not None else sorted({*base.sources, *tools.changed})
        return _result(workspace, params, base, asked, compared, judged, done)


def _accept(workspace: Workspace, files: Sequence[FileRow]) -> None:
    """Where there is no base yet, saves the current tree as the one that the next edit is compared with."""
    from keel.checking.plain_tools import take_snapshot
    from keel.indexing.base.differences import needs_snapshot

    if needs_snapshot(workspace.roots):
        take_snapshot(workspace, files)


def _tools(workspace: Workspace, params: Params) -> PlainTools:
    """The tools that no language reads; none when files are named and no tool is among them, or there are no tools."""
    import os

    if not os.path.isdir(os.path.join(workspace.folder, TOOLS)):
        return PlainTools()
    places = PathScope(workspace.roots, workspace.here)
    if params.files and not any(inside.startswith(TOOLS) for path in params.files for _, inside in places.of(path)):
        return PlainTools()
    from keel.checking.plain_tools import plain_tools

    return plain_tools(workspace, params.since)


def _asked(workspace: Workspace, params: Params, known: Collection[FileKey]) -> list[FileKey] | None:
    """The files that were asked about; None for all. A file that is no source has nothing to check."""
    import os

    from keel.errors import UsageError

    if not params.files:
        return None
    places = PathScope(workspace.roots, workspace.here)
    found: list[FileKey] = []
    for path in params.files:
        on_disk = os.path.join(workspace.here, path)
        meant = [place for place in dict.fromkeys(places.of(path)) if place in known][:1]
        if os.path.isdir(on_disk):
            meant = _below(workspace, known, on_disk)
        elif not meant and not os.path.exists(on_disk):
            raise UsageError(f"there is no file {path}")
        found += meant
    return list(dict.fromkeys(found))


def _below(workspace: Workspace, known: Collection[FileKey], folder: str) -> list[FileKey]:
    """The files below a folder, which may be a root or hold one."""
    import os

    from keel.model.ids import escape_path

    real = os.path.realpath(folder)
    found = set()
    for root, top in workspace.roots.items():
        inside = os.path.relpath(real, os.path.realpath(top)).replace(os.sep, "/")
        is_around = inside == "." or inside == ".." or inside.startswith("../")
        start = "" if is_around else f"{escape_path(inside)}/"
        if not is_around or f"{os.path.realpath(top)}/".startswith(f"{real.rstrip('/')}/"):
            found |= {one for one in known if one[0] == root and one[1].startswith(start)}
    return sorted(found)


def _with_those_run(workspace: Workspace, asked: list[FileKey] | None) -> list[FileKey] | None:
    """The files that were asked about, with the tools that a tool among them runs: an edit to it can break those."""
    if asked is None or not any(path.startswith(TOOLS) for _, path in asked):
        return asked
    from keel.checking.tool_findings import run_by

    return list(dict.fromkeys([*asked, *run_by(workspace, asked)]))


def _judged(
    workspace: Workspace,
    reader: GraphReader,
    files: Sequence[FileRow],
    base: Accepted,
    tools: PlainTools,
    asked: list[FileKey] | None,
    params: Params,
    call: Call,
) -> Judged:
    """Judges everything that differs, and the functions of the files that were asked about."""
    due = call.due.files if call.due is not None else ()
    if params.all:
        judged = {(row.root, row.path) for row in files} | tools.there
    else:
        judged = {*base.sources, *tools.changed, *(asked or ()), *due}
    if not judged:
        return Judged([])
    from keel.checking.judgement import judged_of

    return judged_of(workspace, reader, files, base, judged, tools.changed)


def _result(
    workspace: Workspace,
    params: Params,
    base: Accepted,
    asked: list[FileKey] | None,
    compared: list[FileKey],
    judged: Judged,
    done: Settled,
) -> Result:
    lists_all = params.verbose or params.all
    counts = lists_all or params.strict or (workspace.tells_counts and bool(done.findings))
    info = Info(
        nodes_updated=judged.nodes,
        edges_updated=judged.edges() if counts else 0,
        hashes_changed=judged.hashes,
        base=base.label,
        elsewhere=0,
        existing=0,
        deferred=done.deferred,
    )
    return report_of(
        Result,
        workspace,
        done.findings,
        None if params.all else asked,
        info,
        files=compared,
        strict=params.strict,
        lists_all=lists_all,
        tells_info=params.verbose,
        evidence=judged.evidence,
        evidence_missing=judged.evidence_missing,
    )
