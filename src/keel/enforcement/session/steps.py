"""The steps from findings to findings that come after judging: suppression, batch mode, circuit breaker.

Each is a function in a file of its own; here is the order in which they are taken. The first needs nothing but the
run itself; the others need a session, and are left out where there is none.
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
    """What a run is about, as far as it matters to what is remembered."""

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
    """The batch that is over, and whose deferred checks this run has made."""
    deferrable: Collection[str] = ()
    """The codes whose findings wait while a batch is open."""

    def counts(self, finding: Finding) -> bool:
        """Whether a finding of this run is a failed attempt: it was asked about, and no batch has held it back."""
        return is_asked(finding, self.asked) and not self.ends and not is_fired(finding, self.due, self.deferrable)


def silence(findings: Sequence[Finding], silences: Silences, scope: Scope) -> list[Finding]:
    """What is suppressed does not count, and suppressions that do not suppress are told."""
    told = findings_of(scope.rules, RunCase(suppressions=list(judged_suppressions(findings, silences, scope))))
    return sorted(suppress([*findings, *told], silences, scope.rules), key=order_of)


def remember(findings: Sequence[Finding], session: Session, run: Run) -> tuple[list[Finding], Session]:
    """Checks are deferred while a batch is open, and else failed attempts are counted; what they led to is told."""
    session = carried_on(session, run.now, run.starts, run.ends)
    told, session = defer(findings, session, run.asked, run.starts, run.deferrable)
    if session.batch is None:
        attempts = counted(told, session.attempts, run.counts, run.judged)
        session = replace(session, attempts=attempts)
    return escalated(told, session.attempts, run.breaker), session
