"""The saved state of sessions: `.keel/session.json`, replaced atomically, by one process at a time.

A problem with it never costs an answer: a file that cannot be used is set aside, state that cannot be written is lost,
and either is reported once (W102). What the state holds is left to `session.py`.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from msgspec import MsgspecError
from msgspec.json import decode, encode

from keel.enforcement.session.session import Sessions

Answer = TypeVar("Answer")

LOCK, PART, DAMAGED = ".lock", ".part", ".damaged"
"""Suffixes of the files beside it."""
MAX_BYTES = 5_000_000
PATIENCE = 2.0
"""Seconds to wait for another process, which holds the lock for about a millisecond."""
PAUSE = 0.005

# A link or a pipe that came with a repository is neither read nor written, and cannot block keel.
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class _Unusable(Exception):
    """The file exists and is not a usable state."""


def recall(path: str) -> Sessions:
    """The saved state, empty where it cannot be read; nothing is written."""
    try:
        return _read(path)
    except (_Unusable, OSError):
        return Sessions()


def remember(path: str, change: Callable[[Sessions], tuple[Sessions, Answer]]) -> tuple[Answer, str]:
    """Applies a change to the saved state. Returns the answer of the change, and what went wrong, as text."""
    trouble = ""
    with _locked(path) as lock_trouble:
        try:
            before = _read(path)
        except (_Unusable, OSError) as error:
            before, trouble = Sessions(), _set_aside(path, error)
        after, answer = change(before)
        if after != before:
            problem = lock_trouble or _write(path, after)
            trouble = trouble or (f"cannot be kept: {problem}" if problem else "")
    return answer, trouble


def _read(path: str) -> Sessions:
    try:
        file = os.open(path, os.O_RDONLY | _SAFE)
    except FileNotFoundError:
        return Sessions()
    with open(file, "rb") as source:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise _Unusable("it is no file")
        data = source.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _Unusable("it is too large")
    try:
        found = decode(data, type=Sessions)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        raise _Unusable("it is damaged") from None
    if found.version != Sessions().version:
        raise _Unusable("another version of keel has written it")
    return found


def _write(path: str, sessions: Sessions) -> str:
    """Replaces the file, or removes it when there is no state; returns what went wrong, or nothing."""
    part = f"{path}{PART}"
    try:
        if not sessions.sessions:
            with suppress(FileNotFoundError):
                os.remove(path)
            return ""
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _SAFE, 0o666)
        with open(file, "wb") as target:
            target.write(encode(sessions))
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            os.remove(part)
        return error.strerror or str(error)
    return ""


def _set_aside(path: str, error: Exception) -> str:
    """Renames a file that cannot be used, so that it can be inspected; returns the text to report."""
    why = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    beside = f"{path}{DAMAGED}"
    try:
        os.replace(path, beside)
    except OSError:
        return f"cannot be used ({why}) and cannot be moved away"
    return f"cannot be used ({why}); it is now {os.path.basename(beside)}, and a new session begins"


@contextmanager
def _locked(path: str) -> Iterator[str]:
    """Holds the lock of the state file; yields why not, where it cannot be acquired."""
    try:
        import fcntl
    except ImportError:  # Windows: the file is still replaced atomically
        yield ""
        return
    try:
        lock = os.open(f"{path}{LOCK}", os.O_RDWR | os.O_CREAT | _SAFE, 0o666)
    except OSError as error:
        yield error.strerror or str(error)
        return
    with open(lock, "rb"):
        until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if time.monotonic() > until:
                    yield error.strerror or "another process holds it"
                    return
                time.sleep(PAUSE)
            else:
                break
        yield ""
