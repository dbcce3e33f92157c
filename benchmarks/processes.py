"""The processes a benchmark has started, as the kernel lists them (Linux).

Every command runs in a session of its own, so that nothing it leaves behind is missed or mistaken.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Process(NamedTuple):
    """One living process."""

    pid: int
    parent: int
    session: int
    name: str


def is_listed() -> bool:
    """Whether this system lists its processes and their memory."""
    return (PROC / "self" / "smaps_rollup").exists()


def processes_of(leader: int) -> list[Process]:
    """The living processes of the session `leader` began, and their children in whatever session."""
    alive = _alive()
    ours = {process.pid for process in alive if process.session == leader or process.pid == leader}
    while True:
        more = {process.pid for process in alive if process.parent in ours} - ours
        if not more:
            return [process for process in alive if process.pid in ours]
        ours |= more


def proportional_memory(pid: int) -> int:
    """Bytes of a process, what it shares with others counted in parts (PSS); 0 when it has gone."""
    with suppress(OSError):
        for line in (PROC / str(pid) / "smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def cpu_seconds(pid: int) -> float:
    """User and system time of a process until now, without its children; 0 when it has gone."""
    with suppress(OSError):
        text = (PROC / str(pid) / "stat").read_bytes()
        user, system = text[text.rfind(b")") + 2 :].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def arguments(pid: int) -> list[bytes]:
    """The words that a process was started with; none when it has gone."""
    with suppress(OSError):
        return (PROC / str(pid) / "cmdline").read_bytes().split(b"\0")
    return []


def end(leader: int) -> None:
    """Kills what is left of a session that a benchmark began."""
    for process in processes_of(leader):
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def _alive() -> list[Process]:
    found = []
    for entry in os.listdir(PROC):
        if entry.isdigit():
            with suppress(OSError):
                # The command's name is in parentheses and may hold anything, blanks and parentheses too.
                text = (PROC / entry / "stat").read_bytes()
                opened, closed = text.find(b"("), text.rfind(b")")
                state, parent, _, session = text[closed + 2 :].split()[:4]
                if state not in (b"Z", b"X"):
                    name = text[opened + 1 : closed].decode(errors="replace")
                    found.append(Process(int(entry), int(parent), int(session), name))
    return found
