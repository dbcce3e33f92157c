"""Post-processing of findings for the operations that report them: suppressed, deferred, escalated.

It connects the steps of `enforcement` with the workspace: its configuration, the clock and the state of its sessions. A
run without state does not touch the session file, and does not load what it does not need.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from keel.checking.run import Call, Judged, Settled
from keel.errors import UsageError, brief
from keel.model.findings import ERROR, SHOWN_CONFIG, Finding
from keel.model.refs import FileKey

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from keel.enforcement.session.session import Sessions
    from keel.ports.workspace import Workspace

NAMED = "KEEL_SESSION"
"""The environment variable that names the session."""
IN_HOOK = "GIT_INDEX_FILE"
"""Git sets this for the hooks of a commit, which do not belong to the session around them."""
GIT = "git"

clock = time.time


def opened(workspace: Workspace, suppress: Sequence[str], starts: bool, ends: bool, session: str) -> Call:
    """A run at its start: checks its options, and finds a batch that has ended."""
    if starts and ends:
        raise UsageError("--batch-start and --batch-end cannot be used together")
    name = session or (GIT if os.environ.get(IN_HOOK) else os.environ.get(NAMED, ""))
    call = Call(_codes(workspace, suppress), starts, ends, name.encode("utf-8", "backslashreplace").decode())
    if not (starts or ends or os.path.lexists(workspace.session)):
        return call
    from keel.enforcement.session.batch import is_expired, over
    from keel.enforcement.session.session import APART, chosen
    from keel.enforcement.session.storage import recall

    if call.session in APART:
        if starts or ends:
            raise UsageError(f"the session '{call.session}' remembers nothing, and so has no batches")
        return call
    now = clock()
    due = over(chosen(recall(workspace.session), call.session, now)[0], now, starts, ends)
    return call._replace(now=now, due=due, is_expired=due is not None and is_expired(due, now))


def _codes(workspace: Workspace, words: Sequence[str]) -> tuple[str, ...]:
    """The codes that are named, each of which must exist."""
    if not words:
        return ()
    codes = tuple(code.strip() for word in words for code in word.split(","))
    known = {rule.CODE for rule in workspace.rules if not getattr(rule, "IS_SUPPRESSION", False)}
    for code in codes:
        if code not in known:
            raise UsageError(f"unknown code '{brief(code)}' to suppress", f"known: {', '.join(sorted(known))}")
    return codes


def asked_with_due(call: Call, asked: list[FileKey] | None, known: Collection[FileKey]) -> list[FileKey] | None:
    """The files that a run is about, with those that a batch has deferred to it; None for all."""
    if call.due is None:
        return asked
    due = [place for place in call.due.files if place in known]
    if call.due.whole or (asked is None and not (call.ends and call.due.files)):
        return None
    return list(dict.fromkeys((*(asked or ()), *due)))


def settled(
    workspace: Workspace,
    call: Call,
    judged: Judged,
    asked: Collection[FileKey] | None,
    known: Collection[FileKey],
    since: str | None,
) -> Settled:
    """The findings as they are reported."""
    findings = judged.findings
    if workspace.config.suppress or judged.comments or (findings and call.suppress):
        findings = _silenced(workspace, call, judged, known, since)
    is_active = call.starts or call.ends or any(each.severity == ERROR for each in findings)
    if not is_active and not os.path.lexists(workspace.session):
        return Settled(findings)
    return _remembered(workspace, call, judged, asked, findings)


def _silenced(
    workspace: Workspace, call: Call, judged: Judged, known: Collection[FileKey], since: str | None
) -> list[Finding]:
    from keel import config
    from keel.enforcement.session.grades import grades
    from keel.enforcement.session.steps import silence
    from keel.enforcement.session.suppress import Silences
    from keel.enforcement.session.unused import Scope
    from keel.ports.rule import keys_of

    scope = Scope(
        judged=judged.places,
        known=known,
        is_whole=since is not None,
        grade=grades(workspace.enforcement, keys_of(workspace.rules)),
        rules=workspace.rules,
        config=SHOWN_CONFIG,
        line=lambda key: config.line_of(workspace.folder, "suppress", key),
    )
    return silence(judged.findings, Silences(judged.comments, workspace.config.suppress, call.suppress), scope)


def _remembered(
    workspace: Workspace, call: Call, judged: Judged, asked: Collection[FileKey] | None, findings: list[Finding]
) -> Settled:
    from keel.enforcement.session import storage
    from keel.enforcement.session.session import APART, chosen, with_session
    from keel.enforcement.session.steps import Run, remember
    from keel.ports.rule import codes_that

    if call.session in APART:
        return Settled(findings)
    now = call.now or clock()
    breaker = workspace.config.circuit_breaker
    deferrable = codes_that(workspace.rules, "IS_DEFERRABLE")
    run = Run(now, asked, judged.places, breaker, call.starts, call.ends, call.due, deferrable)

    def change(sessions: Sessions) -> tuple[Sessions, list[Finding]]:
        session, others = chosen(sessions, call.session, now)
        told, session = remember(findings, session, run)
        return with_session(session, others, now), told

    told, trouble = storage.remember(workspace.session, change)
    return Settled([*told, *_remarks(workspace, call, trouble)], len(findings) - len(told))


def _remarks(workspace: Workspace, call: Call, trouble: str) -> list[Finding]:
    """The findings of rules about the batch and the session state; usually none."""
    has_no_batch = call.ends and call.due is None
    if not (call.is_expired or has_no_batch or trouble):
        return []
    from keel.enforcement.case import RunCase, findings_of
    from keel.ports.rule import Memory

    return findings_of(workspace.rules, RunCase(memory=Memory(call.is_expired, has_no_batch, trouble)))
