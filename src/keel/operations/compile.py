"""Check an edit: who is broken by it, and what the changed code lacks.

Compares the files as they are with what was accepted: the last commit, or where this branch left `--since REF`, or,
outside git, the last `keel map` or `keel accept`. Reported are callers that no longer fit a signature (E001, E005),
references to what is gone (E004), and new or changed functions without type hints (E002) or docstrings (E003). The same
two trees give the same findings, however often it is asked; fixing, reverting or committing clears them.

    keel compile src/auth/login.py
    keel compile
    keel compile --since origin/main --json
    keel compile --all

A finding that is meant to be is suppressed, with its reason: by `# keel:suppress E001 — reason` on the line above the
definition, by `[suppress]` in `.keel/config.toml`, or for one run by `--suppress CODE`. It becomes S001, which does not
count and is never hidden: `--json` and `--verbose` show it.

While code is incomplete, `--batch-start` defers what only makes sense on finished code (E002, E003, W001, W002) until
`--batch-end`, or until nobody has compiled for 60 seconds; what breaks callers is told at once.

An error that is found again and again in a session is told with another instruction the second time, and is a warning
from the third time on (`[circuit_breaker]` in the configuration), so that nobody tries the same for ever. Fixing it
starts again; a run with fewer affected places than the last does not count. A session is what `--session` or
KEEL_SESSION names, or else the last one until it was idle for two hours. Hooks of git, and builds, are to use
`--session git` or `--session ci`, in which nothing is counted: what was downgraded elsewhere never passes a commit.

With files, only findings whose cause or affected place is in one of them are shown, and the others are counted;
without, all. `--all` judges the hints and docstrings of the whole workspace. When nothing is wrong, nothing is said.
Findings on code that is as it was accepted are counted; `--verbose`, `--all` and `--json` list them.

Exit code: 0 without errors (warnings do not count), 1 with errors, 2 when it could not be checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.handles import Places
from keel.indexing.pipeline import bring_up_to_date
from keel.model.findings import ERROR, INFO, WARNING, Finding
from keel.model.record import Record, field
from keel.model.wording import counted
from keel.operations._line import line_of
from keel.operations._settled import SHOWN_SESSION, asked_with_due, opened, settled
from keel.operations._told import Call, Judged, Place, Told

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import ClassVar

    from keel.indexing.accepted import Accepted
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

GROUP = "check"
OK = "ok"
MOST_NAMED = 20
"""Affected places that people are shown of one finding."""


class Params(Record):
    """What `compile` can be asked."""

    files: tuple[str, ...] = field(
        "Files to check; without any, everything that differs from what was accepted.", default=(), positional=True
    )
    since: str = field("Compare with the commit where this branch left this one, as CI does.", default="")
    all: bool = field("Judge the type hints and docstrings of the whole workspace.", default=False)
    verbose: bool = field("List everything, and say what was compared.", default=False)
    suppress: tuple[str, ...] = field("A code that does not count in this run; may be repeated.", default=())
    batch_start: bool = field("Defer E002, E003, W001 and W002 until the batch is over.", default=False)
    batch_end: bool = field("End the batch, and make the deferred checks now.", default=False)
    session: str = field(
        "The session that failed attempts are counted in; `git` and `ci` count none (default: KEEL_SESSION).",
        default="",
    )


class Info(Record):
    """What was looked at."""

    nodes_updated: int = field("Definitions that are new, changed or gone.")
    edges_updated: int = field("Edges that differ.")
    hashes_changed: tuple[str, ...] = field("Handles, as they are now, of the definitions that are new or changed.")
    base: str = field("What the files were compared with.")
    elsewhere: int = field("Findings that neither lie in nor reach into the files that were asked about.")
    existing: int = field("Findings about code that is as it was accepted.")
    deferred: int = field("Findings that wait for the end of the batch.", default=0)
    findings: tuple[Finding, ...] = field("Findings that do not count: suppressed ones, and remarks.", default=())


class Result(Record):
    """What is wrong with the edit."""

    LAYOUT: ClassVar = ("{report}",)
    SHOWS_ALL: ClassVar = False
    """Whether people are shown everything, findings about existing code too."""
    LEFT_OUT: ClassVar = ("info",)
    """Fields that JSON leaves out when they are None."""

    version: str = field("The version of this form of answer.", default="1.0")
    command: str = field("The command that answered.", default="compile")
    status: str = field("`error` when there are errors, else `warning` when there are warnings, else `ok`.")
    files_analyzed: tuple[str, ...] = field("The files that were checked.")
    errors: tuple[Finding, ...] = field("What breaks somebody, or is required and missing.")
    warnings: tuple[Finding, ...] = field("What may break somebody, or is advised.")
    info: Info | None = field("What was looked at; left out when nothing is wrong, unless it is asked for.")

    @property
    def exit_code(self) -> int:
        """1 when there are errors."""
        return 1 if self.errors else 0

    @property
    def logged(self) -> list[str]:
        """What happened to the batch and to the memory of the session, for the log."""
        remarks = (*self.warnings, *(self.info.findings if self.info is not None else ()))
        return [f"{each.code} {each.message}" for each in remarks if each.file == SHOWN_SESSION]

    @property
    def report(self) -> str:
        """The findings, and what is not shown, in lines."""
        return "\n".join(_report(self))


class Listed(Result):
    """The same, for those who asked for everything."""

    SHOWS_ALL: ClassVar = True


def run(workspace: Workspace, params: Params) -> Result:
    """Brings the graph up to date, compares it with what was accepted, and judges the difference."""
    from keel.indexing.accepted import accepted

    call = opened(workspace, params.suppress, params.batch_start, params.batch_end, params.session)
    workspace.prepare()
    line = line_of(workspace)
    report = bring_up_to_date(line, workspace.progress)
    with workspace.store.reading() as reader:
        files = reader.files()
        base = accepted(line, files, params.since, workspace.accepted)
        if report.built or not base.has_snapshot:
            base = _with_snapshot(workspace, files, base)
        known = {(row.root, row.path) for row in files} | base.sources.keys()
        asked = asked_with_due(call, _asked(workspace, params, known), known)
        judged = _judged(workspace, reader, files, base, asked, params, call)
        told = settled(workspace, call, judged, None if params.all else asked, known, params.since)
        return _result(params, base, asked, judged, told)


def _with_snapshot(workspace: Workspace, files: Sequence[FileRow], base: Accepted) -> Accepted:
    """Where nothing was accepted yet, the tree as it is becomes what the next edit is compared with."""
    from keel.indexing.accepted import needs_snapshot
    from keel.indexing.snapshot import take

    if not base.has_snapshot and needs_snapshot(workspace.roots):
        take(workspace.accepted, workspace.roots, files)
    return base


def _asked(workspace: Workspace, params: Params, known: Collection[Place]) -> list[Place] | None:
    """The files that were asked about; None for all. One that is no source has nothing to check."""
    import os

    from keel.errors import UsageError

    if not params.files:
        return None
    places = Places(workspace.roots, workspace.here)
    found: list[Place] = []
    for path in params.files:
        meant = [place for place in dict.fromkeys(places.of(path)) if place in known]
        if not meant and not os.path.exists(os.path.join(workspace.here, path)):
            raise UsageError(f"there is no file {path}")
        found += meant[:1]
    return found


def _judged(
    workspace: Workspace,
    reader: GraphReader,
    files: Sequence[FileRow],
    base: Accepted,
    asked: list[Place] | None,
    params: Params,
    call: Call,
) -> Judged:
    """What judging everything that differs gives, and the functions of the files that were asked about."""
    due = call.due.files if call.due is not None else ()
    judged = {(row.root, row.path) for row in files} if params.all else {*base.sources, *(asked or ()), *due}
    if not judged:
        return Judged([])
    from keel.operations._judged import judged_of

    return judged_of(workspace, reader, files, base, judged)


def _result(params: Params, base: Accepted, asked: list[Place] | None, judged: Judged, told: Told) -> Result:
    paths = None if asked is None or params.all else set(asked)
    shown = [each for each in told.findings if paths is None or each.is_within(paths)]
    errors = tuple(each for each in shown if each.severity == ERROR)
    warnings = tuple(each for each in shown if each.severity == WARNING)
    uncounted = tuple(each for each in shown if each.severity == INFO)
    info = Info(
        nodes_updated=judged.nodes,
        edges_updated=judged.edges,
        hashes_changed=judged.hashes,
        base=base.label,
        elsewhere=sum(each.severity != INFO for each in told.findings) - len(errors) - len(warnings),
        existing=sum(each.existing for each in (*errors, *warnings)),
        deferred=told.deferred,
        findings=uncounted,
    )
    return (Listed if params.verbose or (params.all and (errors or warnings)) else Result)(
        status="error" if errors else "warning" if warnings else OK,
        files_analyzed=tuple(path for _, path in (asked if asked is not None else sorted(base.sources))),
        errors=errors,
        warnings=warnings,
        info=info if errors or warnings or uncounted or params.verbose else None,
    )


def _report(result: Result) -> Iterator[str]:
    shown = [each for each in (*result.errors, *result.warnings) if result.SHOWS_ALL or not each.existing]
    for each in shown:
        yield f"{each.file}:{each.line}  {each.severity.lower()} {each.code}  {each.message}"
        named = each.affected if result.SHOWS_ALL else each.affected[:MOST_NAMED]
        for one in named:
            yield f"    {one.file}:{one.line}  {one.name}: {one.why}"
        if len(named) < len(each.affected):
            yield f"    … and {len(each.affected) - len(named):,} more; --verbose names all"
        yield f"    fix: {_hint(each)}"
    info = result.info
    if info is None or (result.status == OK and not result.SHOWS_ALL):
        return
    for each in info.findings if result.SHOWS_ALL else ():
        code = f"{each.code} ({each.suppressed_code})" if each.suppressed else each.code
        yield f"{each.file}:{each.line}  {each.severity.lower()} {code}  {each.message}"
    rest = info.existing if not result.SHOWS_ALL else 0
    if rest:
        yield f"{counted(rest, 'finding')} on code that is as it was; --verbose lists them"
    if result.SHOWS_ALL:
        differ = f"{counted(info.nodes_updated, 'node')} and {counted(info.edges_updated, 'edge')} differ"
        yield f"compared with {info.base}: {differ}"
    if info.elsewhere:
        yield f"{counted(info.elsewhere, 'finding')} elsewhere; `keel compile` shows all"


def _hint(finding: Finding) -> str:
    """What to do; the places stand above."""
    plain = finding.fix_hint.removesuffix(f". {finding.escalation}") if finding.escalation else finding.fix_hint
    short = plain.rpartition(": ")[0] if finding.affected else plain
    return f"{short}. {finding.escalation}" if finding.escalation else short
