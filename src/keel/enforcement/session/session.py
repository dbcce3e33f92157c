"""Sessions: the state that one run leaves to the next, and which session a run belongs to.

A session is the one that is named, or else the last one until it has been idle for two hours. The state is computed by
`batch.py` and `breaker.py`; saving it is left to `storage.py`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from keel.model.refs import FileKey

IDLE = 2 * 60 * 60.0
"""Seconds after which a run that names no session begins a new one."""
MAX_SESSIONS = 20
"""Sessions that are saved."""
GIT, CI = "git", "ci"
APART = (GIT, CI)
"""Sessions without state: a commit or a build is judged by itself, whatever was downgraded elsewhere."""


class Attempts(Struct, frozen=True):
    """How often in a row a finding was not fixed."""

    failed: int
    places: int
    """How many places were affected the last time."""
    existing: bool = False
    """Whether it is about unchanged code."""


class Batch(Struct, frozen=True):
    """An open batch: the files whose deferred checks run when it ends."""

    last: float
    """When it was last used."""
    files: tuple[FileKey, ...] = ()
    whole: bool = False
    """Whether everything that differs was asked about."""


class Session(Struct, frozen=True):
    """The state of one session."""

    name: str = ""
    last: float = 0.0
    batch: Batch | None = None
    attempts: dict[str, Attempts] = {}

    @property
    def is_blank(self) -> bool:
        """Whether there is no state to save."""
        return self.batch is None and not self.attempts


class Sessions(Struct, frozen=True):
    """All sessions with state, the latest last."""

    version: int = 1
    sessions: tuple[Session, ...] = ()


def chosen(sessions: Sessions, name: str, now: float) -> tuple[Session, Sessions]:
    """The session of a run, saved or new, and the others."""
    latest = sessions.sessions[-1] if sessions.sessions else Session()
    is_active = abs(now - latest.last) <= IDLE  # another process may have saved it after this one read the clock
    if not name:
        found = latest if is_active else Session("", now)
        return found, _without(sessions, found.name)
    known = next((each for each in sessions.sessions if each.name == name), None)
    if known is None and is_active and not latest.name and latest.batch is not None:
        # A batch that was opened by hand belongs to the agent whose hooks name their session.
        return Session(name, now, latest.batch), with_session(
            replace(latest, batch=None), _without(sessions, ""), latest.last
        )
    return known or Session(name, now), _without(sessions, name)


def _without(sessions: Sessions, name: str) -> Sessions:
    return Sessions(sessions=tuple(each for each in sessions.sessions if each.name != name))


def with_session(session: Session, others: Sessions, now: float) -> Sessions:
    """All sessions after a run of one; those without state are dropped."""
    own = () if session.is_blank else (replace(session, last=now),)
    return Sessions(sessions=(*others.sessions, *own)[-MAX_SESSIONS:])
