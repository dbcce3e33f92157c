"""The logs in `.keel/`: a line for each command, and below it what went wrong; logging never fails a command.

`log` gets one write a command, so that lines of several processes stay whole; `daemon.log` has the background work of
the daemon. A log that has grown too long becomes `log.1`, which replaces the one before. Arguments are logged, the
environment is not. Reporting failures to people is left to `failure.py`.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from keel import __version__
from keel.bootstrap import DAEMON_LOG, GRAPH, IGNORE, LOG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keel.bootstrap import Workspace

MAX_BYTES = 1_000_000
MAX_LETTERS = 1000
"""Characters of a command's words."""

# A link or a pipe that came with a repository must neither receive the log nor block a command.
FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def note(
    workspace: Workspace,
    words: Sequence[str],
    code: int,
    seconds: float,
    trouble: BaseException | None = None,
    remarks: Sequence[str] = (),
) -> str:
    """Adds a command and remarks about it to the log; the path of the log, or nothing when there is none."""
    if not os.path.exists(workspace.own_path(IGNORE)):
        return ""  # keel has written nothing here yet, and git would see the log
    if trouble is None and not os.path.exists(workspace.own_path(GRAPH)):
        return ""  # `deinit` has taken everything away, also where an ignore file of the user's stays
    path = workspace.own_path(LOG)
    try:
        told = (_trouble(trouble) if trouble is not None else "") + "".join(f"    {line}\n" for line in remarks)
        _add(path, _line(workspace, words, code, seconds) + told)
    except (OSError, ValueError):  # the latter where a folder lies on another drive
        return ""
    return path


def note_of_daemon(workspace: Workspace, text: str) -> None:
    """Adds what the daemon does to its own log."""
    if not os.path.exists(workspace.own_path(GRAPH)):
        return  # `.keel/` was removed: it is not made again
    with suppress(OSError):
        _add(workspace.own_path(DAEMON_LOG), f"{_stamp()} {_indented(text)}\n")


def _add(path: str, text: str) -> None:
    log = os.open(path, FLAGS, 0o666)
    try:
        os.write(log, text.encode("utf-8", "backslashreplace"))
        if os.fstat(log).st_size > MAX_BYTES:
            _turn_over(path, log)
    finally:
        os.close(log)


def _line(workspace: Workspace, words: Sequence[str], code: int, seconds: float) -> str:
    """When, by which keel and process, how it ended, how long it took, in which folder, and what was typed."""
    inside = os.path.relpath(workspace.here, workspace.folder)
    here = workspace.here if inside.split(os.sep)[0] == os.pardir else inside
    typed = " ".join(map(_quoted, words))
    if len(typed) > MAX_LETTERS:
        typed = f"{typed[:MAX_LETTERS]}…"
    return f"{_stamp()} exit {code} {seconds:.3f} s in {here}: {typed}\n"


def _stamp() -> str:
    """When, and by which keel and process."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return f"{now} keel {__version__} [{os.getpid()}]"


def _indented(text: str) -> str:
    """Indents the further lines of a message."""
    return text.replace("\n", "\n    ")


def _quoted(word: str) -> str:
    """A word that stays one word on one line."""
    return word if word and word.isprintable() and not any(mark in word for mark in " '\"\\") else repr(word)


def _trouble(trouble: BaseException) -> str:
    """What went wrong, indented: a KeelError in one line, any other exception with its traceback."""
    from keel.errors import KeelError

    if isinstance(trouble, KeelError):
        text = f"{type(trouble).__name__}: {trouble}"
    elif isinstance(trouble, Exception) and not isinstance(trouble, BrokenPipeError):
        from traceback import format_exception

        text = "".join(format_exception(trouble))
    else:
        text = type(trouble).__name__
    return "".join(f"    {line}\n" for line in text.splitlines())


def _turn_over(path: str, log: int) -> None:
    """Rotates the log; of several processes that find it too long, one does."""
    try:
        import fcntl
    except ImportError:
        fcntl = None  # type: ignore[assignment]  # Windows: there it cannot be renamed while others have it open
    if fcntl is not None:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if os.path.samestat(os.fstat(log), os.stat(path)):
        os.replace(path, f"{path}.1")
