"""The steps that post-process findings, in their order: suppression, batch mode, circuit breaker.

Each is a function in a file of its own. Suppression needs only the run itself; the others need a session, and are
skipped without one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from keel.config import CircuitBreaker
from keel.enforcement.case import RunCase, findings_of
from keel.enforcement.session.batch import carried_on, defer, is_asked, is_fired
from keel.enforcement.session.breaker import counted, escalated
from keel.enforcement.session.session import Batch, Session
from keel.enforcement.session.suppress import Silences, suppress
from keel.enforcement.session.unused import Scope, judged_suppressions
from keel.model.findings import Finding, order_of
from keel.model.refs import FileKey


class Run(NamedTuple):
    """What a run is about, as far as the session state depends on it."""

    now: float
    asked: Collection[FileKey] | None
    """The files that were asked about; None for all."""
    judged: Collection[FileKey]
    breaker: CircuitBreaker
    starts: bool = False
    """Whether it starts a batch."""
    ends: bool = False
    """Whether it ends one."""
    due: Batch | None = None
    """The batch that has ended, and whose deferred checks this run makes."""
    deferrable: Collection[str] = ()
    """The codes whose findings are deferred while a batch is open."""

    def counts(self, finding: Finding) -> bool:
        """Whether a finding of this run is a failed attempt: it was asked about, and no batch has deferred it."""
        return is_asked(finding, self.asked) and not self.ends and not is_fired(finding, self.due, self.deferrable)


def silence(findings: Sequence[Finding], silences: Silences, scope: Scope) -> list[Finding]:
    """The findings, with suppressed ones as S001, and with findings about suppressions that do not suppress."""
    about_suppressions = findings_of(
        scope.rules, RunCase(suppressions=list(judged_suppressions(findings, silences, scope)))
    )
    return sorted(suppress([*findings, *about_suppressions], silences, scope.rules), key=order_of)


def remember(findings: Sequence[Finding], session: Session, run: Run) -> tuple[list[Finding], Session]:
    """The findings to report, and the new state: an open batch defers checks, else failed attempts are counted."""
    session = carried_on(session, run.now, run.starts, run.ends)
    reported, session = defer(findings, session, run.asked, run.starts, run.deferrable)
    if session.batch is None:
        attempts = counted(reported, session.attempts, run.counts, run.judged)
        session = replace(session, attempts=attempts)
    return escalated(reported, session.attempts, run.breaker), session
