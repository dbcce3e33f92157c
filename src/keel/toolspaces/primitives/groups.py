"""Running programs: each in a process group of its own, never through a shell, with their pipes.

Whatever a program starts is ended with it. Its input, and the meaning of its output, are left to `process.py` and
`mcp.py`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, NoReturn

from keel.toolspaces.jobs import Job

TIMEOUT, MAX_TIMEOUT = 60.0, 86_400.0
GRACE = 1.0
"""Seconds between asking a group to end and ending it, and for what it said last to arrive."""
SIGNALLED = 128
"""The exit code of a process that a signal ended is this and the number of the signal."""


@contextmanager
def started(job: Job) -> Iterator[subprocess.Popen[bytes]]:
    """The running program of a job; at the end of the block its whole group is ended."""
    command = [_program(job), *job.texts("args")]
    folder = os.path.join(job.project, job.text("cwd"))
    try:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(job.environment.variables),
            bufsize=0,  # never wait for a buffer that a process outside of the group keeps full
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        what = f"the folder {folder}" if not os.path.isdir(folder) else command[0]
        raise job.problem(f"{what}: {error.strerror or error}") from error
    try:
        with _heeding_termination():
            yield child
    finally:
        end_group(child)
        with suppress(subprocess.TimeoutExpired):
            child.wait(GRACE)
        if child.stdin is not None:
            with suppress(OSError):
                child.stdin.close()


@contextmanager
def _heeding_termination() -> Iterator[None]:
    """A signal that ends keel ends the program too: it has a session of its own, and would not get the signal."""
    is_main = threading.current_thread() is threading.main_thread()
    heeded = [each for each in (signal.SIGTERM, signal.SIGHUP) if is_main and signal.getsignal(each) is signal.SIG_DFL]
    for each in heeded:
        signal.signal(each, _leave)
    try:
        yield
    finally:
        for each in heeded:
            signal.signal(each, signal.SIG_DFL)


def _leave(number: int, _: object) -> NoReturn:
    raise SystemExit(SIGNALLED + number)


def end_group(child: subprocess.Popen[bytes]) -> None:
    """Ends everything in a program's group: by SIGTERM, then by SIGKILL."""
    if child.poll() is None:
        _signal(child, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            child.wait(GRACE)
    _signal(child, signal.SIGKILL)


class Tap:
    """What comes out of a pipe, read by a thread: a first part is kept, the rest only counted."""

    def __init__(self, pipe: IO[bytes] | None, most: int) -> None:
        self._most, self._kept, self._total = most, bytearray(), 0
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True)
        self._thread.start()

    @property
    def text(self) -> str:
        """What was kept, as text."""
        return bytes(self._kept).decode("utf-8", "replace")

    def finish(self, what: str) -> list[str]:
        """Waits for the end of the pipe; what is missing from the output."""
        self._thread.join(GRACE)
        cut = self._total - len(self._kept)
        told = [f"the {what} is cut: {cut:,} of {self._total:,} bytes are left out"] if cut else []
        # Something that left the group may hold the pipe for ever.
        return [*told, f"the {what} was not closed in time"] if self._thread.is_alive() else told

    def _read(self, pipe: IO[bytes] | None) -> None:
        if pipe is None:
            return
        with suppress(OSError, ValueError), pipe:
            while piece := pipe.read(1 << 16):
                self._total += len(piece)
                self._kept += piece[: max(0, self._most - len(self._kept))]


def send(pipe: IO[bytes] | None, data: bytes) -> None:
    """Gives a program its input, all of it; one that does not read it is none the worse."""
    rest = memoryview(data)
    with suppress(OSError, ValueError):
        while pipe is not None and rest:
            rest = rest[pipe.write(rest) :]


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, number)  # a session of its own: its group has its number


def _program(job: Job) -> str:
    """Where the program is: a bare name is looked for on PATH, a path with folders is seen from the project."""
    name = job.text("command")
    if not name:
        raise job.problem("CONFIG names no command")
    if os.path.dirname(name):
        return os.path.join(job.project, name)
    found = shutil.which(name, path=job.environment.variables.get("PATH", os.defpath))
    if found is None:
        raise job.problem(f"the program '{name}' was not found on PATH")
    return os.path.abspath(found)
