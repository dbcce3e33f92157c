"""Batch mode: while a batch is open, checks that make sense only on finished code are deferred.

What breaks callers is told at once. When the batch is ended, or 60 seconds after the last compile, the deferred checks
are made on the files as they are then. Remembering a batch is left to `session.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from keel.enforcement.session.session import Batch, Session
from keel.model.findings import Finding
from keel.model.refs import FileKey

EXPIRY = 60.0
"""Seconds without a compile after which a batch is over."""


def over(session: Session, now: float, starts: bool, ends: bool) -> Batch | None:
    """The batch of a session that is over by now: because it is ended, or because it has expired.

    One that has expired and is started again goes on, so that nothing it has deferred is lost.
    """
    batch = session.batch
    return batch if batch is not None and (ends or (not starts and is_expired(batch, now))) else None


def is_expired(batch: Batch, now: float) -> bool:
    """Whether nobody has compiled for too long; a clock that was set back does not keep a batch open for ever.

    Another process may have been heard of a moment after this one has looked at the clock.
    """
    return abs(now - batch.last) > EXPIRY


def carried_on(session: Session, now: float, starts: bool, ends: bool) -> Session:
    """The session as it is during a run: with its batch if that goes on, or one that begins."""
    batch = None if over(session, now, starts, ends) is not None else session.batch
    if starts and batch is None:
        batch = Batch(now)
    return replace(session, batch=batch and replace(batch, last=now))


def defer(
    findings: Sequence[Finding],
    session: Session,
    asked: Collection[FileKey] | None,
    starts: bool,
    deferrable: Collection[str],
) -> tuple[list[Finding], Session]:
    """The findings that are told now, and the session with the files whose checks wait: those of deferrable codes.

    A run that starts a batch and names no file asks about nothing yet: what it finds is not deferred to the end.
    """
    batch = session.batch
    if batch is None:
        return list(findings), session
    if asked is not None:
        batch = replace(batch, files=tuple(sorted({*batch.files, *asked})))
    elif not starts:
        batch = replace(batch, whole=True)
    told = [each for each in findings if each.code not in deferrable or not is_asked(each, asked)]
    return told, replace(session, batch=batch)


def is_asked(finding: Finding, asked: Collection[FileKey] | None) -> bool:
    """Whether a finding is about a file that was asked about; None stands for all."""
    return asked is None or finding.is_within(asked)


def is_fired(finding: Finding, batch: Batch | None, deferrable: Collection[str]) -> bool:
    """Whether a finding is told because a batch is over."""
    if batch is None or finding.code not in deferrable:
        return False
    return batch.whole or (finding.root, finding.file) in batch.files
