"""Batch mode: while a batch is open, checks that make sense only on finished code are deferred.

Broken callers are reported at once. When the batch is ended, or 60 seconds after the last compile, the deferred checks
run on the files as they are then. The state of a batch is left to `session.py`.
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
    """The batch of a session that ends with this run: it is ended, or it has expired.

    One that has expired and is started again continues, so that its deferred checks are not lost.
    """
    batch = session.batch
    return batch if batch is not None and (ends or (not starts and is_expired(batch, now))) else None


def is_expired(batch: Batch, now: float) -> bool:
    """Whether the last compile is too long ago; a clock that was set back does not keep a batch open for ever.

    The last compile may be a moment in the future: another process may have saved it after this one read the clock.
    """
    return abs(now - batch.last) > EXPIRY


def carried_on(session: Session, now: float, starts: bool, ends: bool) -> Session:
    """The session during a run: with its open batch if that continues, or with a new one."""
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
    """The findings to report now, and the session with the files whose deferrable checks are deferred.

    A run that starts a batch and names no file asks about nothing yet: its findings are not deferred to the end.
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
    """Whether a finding is about a file that was asked about; None means all files."""
    return asked is None or finding.is_within(asked)


def is_fired(finding: Finding, batch: Batch | None, deferrable: Collection[str]) -> bool:
    """Whether a finding is reported because a batch has ended."""
    if batch is None or finding.code not in deferrable:
        return False
    return batch.whole or (finding.root, finding.file) in batch.files
