"""Daemons in tests: real processes, asked by real commands, and gone when the test is over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from keel.daemon import BUILD, OFF, end, lock_of, runner_of, socket_of
from keel.surfaces.daemon.client import tell
from keel.surfaces.daemon.protocol import STATUS, unpack
from tests.workspaces import PATIENCE

LONG = PATIENCE


def environment(**more: str) -> dict[str, str]:
    """That of the tests, but with daemons, and a session in which no failed attempts are counted."""
    kept = {name: value for name, value in os.environ.items() if name not in (OFF, BUILD)}
    return kept | {"KEEL_SESSION": "git"} | more


def keel(folder: Path, *words: str, given: str = "", env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Runs a command as a person would, with the daemon if there is one: exit code, output, errors."""
    done = subprocess.run(
        [sys.executable, "-m", "keel", *words],
        cwd=folder,
        env=environment() if env is None else dict(env),
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=LONG,
    )
    return done.returncode, done.stdout, done.stderr


def alone(folder: Path, *words: str, given: str = "") -> tuple[int, str, str]:
    """Runs a command without the daemon."""
    return keel(folder, *words, given=given, env=environment(**{OFF: "1"}))


@contextmanager
def serving(folder: Path, env: Mapping[str, str] | None = None) -> Iterator[int]:
    """A daemon for a mapped workspace, ready for questions; its process number."""
    with running([sys.executable, "-m", "keel", "serve", "--detached", "--workspace", str(folder)], folder, env) as pid:
        yield pid


@contextmanager
def running(command: list[str], folder: Path, env: Mapping[str, str] | None = None) -> Iterator[int]:
    """A process that serves a workspace."""
    child = subprocess.Popen(command, cwd=folder, env=environment() if env is None else dict(env))
    try:
        until(lambda: answers(folder) or child.poll() is not None)
        assert child.poll() is None, "the daemon has ended"
        yield child.pid
    finally:
        with suppress(ProcessLookupError):
            child.send_signal(signal.SIGCONT)
        child.kill()
        child.wait()
        clear(folder)


def clear(folder: Path) -> None:
    """Ends whatever serves a folder, and leaves nothing outside of it; one that is just starting finds no graph."""
    for path in (folder / ".keel").glob("graph.db*"):
        path.unlink(missing_ok=True)
    end(os.path.realpath(folder))
    for left in (socket_of(os.path.realpath(folder)), lock_of(os.path.realpath(folder))):
        Path(left).unlink(missing_ok=True)


def answers(folder: Path) -> bool:
    """Whether a daemon says how it is."""
    return bool(tell(os.path.realpath(folder), STATUS))


def served(folder: Path) -> int:
    """How many commands the daemon has answered."""
    said = tell(os.path.realpath(folder), STATUS)
    assert said is not None, "no daemon answers"
    return int(unpack(said)[3])


def log_of(folder: Path) -> str:
    """What the daemon says it did."""
    with suppress(FileNotFoundError):
        return (folder / ".keel/daemon.log").read_text(encoding="utf-8")
    return ""


def process_of(folder: Path) -> int:
    """The process that serves a folder; 0 for none."""
    return runner_of(os.path.realpath(folder))


def ended(pid: int) -> bool:
    """Whether a process that a test has started is over."""
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def until(holds: Callable[[], object]) -> None:
    """Waits for something to become true."""
    deadline = time.monotonic() + LONG
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
