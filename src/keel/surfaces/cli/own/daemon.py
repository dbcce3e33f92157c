"""Show the state of this workspace's daemon; start it, stop it, or show its log.

The daemon answers `keel compile`, hooks and queries faster than a new process can, and brings the graph up to date when
files change. It is started by `keel compile` and by hooks, and ends by itself after 15 minutes without a request
(`[daemon]` in `.keel/config.toml`). Where none runs, commands do the work themselves, with the same answers.

    keel daemon
    keel daemon status --json
    keel daemon stop
    keel daemon start
    keel daemon log

`keel serve` runs it in the foreground.

Exit code: 0, also when none runs; 1 when `start` could not start one.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from keel.bootstrap import DAEMON_LOG
from keel.model.record import Record, field

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.bootstrap import Workspace

GROUP = "background"
IN_WORKSPACE = True
STATUS, START, STOP, LOG = "status", "start", "stop", "log"
PATIENCE = 10.0
"""Seconds that a start may take."""
LINES = 50
"""Lines of the log that are shown."""


class Params(Record):
    """What `daemon` can be asked."""

    action: str = field("What to do.", default=STATUS, positional=True, choices=(STATUS, START, STOP, LOG))


class Result(Record):
    """The state of the daemon."""

    LAYOUT: ClassVar = ("{headline}", "{watching}", "log")

    folder: str = field("The workspace folder.")
    running: bool = field("Whether a daemon runs.")
    did: str = field("What was done about it, if anything.", choices=("", "started", "stopped", "failed"))
    pid: int = field("Its process, or the one that was stopped; 0 for none.", default=0)
    since: str = field("When it was started; empty when it does not say.", default="")
    served: int = field("How many commands it has answered.", default=0)
    memory: int = field("How many bytes of memory it has.", default=0)
    watched: str = field("What is watched, or why nothing is.", default="")
    version: str = field("The version of keel that it runs.", default="")
    log: tuple[str, ...] = field("The end of its log, when that was asked for.", default=())

    @property
    def headline(self) -> str:
        """The state, in a line."""
        if self.log:
            return ""
        if not self.running:
            said = {
                "stopped": f"process {self.pid} is stopped",
                "failed": "none could be started; `keel serve` says why",
            }
            return f"{self.folder}  {said.get(self.did, 'no daemon is running')}"
        asked = f"keel {self.version}, since {self.since}, {self.served:,} answered, {self.memory / 1e6:,.0f} MB"
        is_started = " is started" if self.did == "started" else ""
        return f"{self.folder}  process {self.pid}{is_started}: {asked if self.since else 'it does not answer'}"

    @property
    def watching(self) -> str:
        """What it watches, in a line."""
        return f"watches {self.watched}" if self.watched and not self.log else ""

    @property
    def exit_code(self) -> int:
        """1 when `start` failed, else 0."""
        return 1 if self.did == "failed" else 0


def run(workspace: Workspace, params: Params) -> Result:
    """Shows the state of the daemon, starts it or stops it."""
    if sys.platform != "linux":
        return Result(folder=workspace.folder, running=False, did="")
    if params.action == STOP:
        return _stopped(workspace)
    if params.action == START:
        return _started(workspace)
    found = _found(workspace)
    return found.replace(log=_log(workspace)) if params.action == LOG else found


def _found(workspace: Workspace) -> Result:
    from keel.daemon import runner_of
    from keel.surfaces.daemon.client import tell
    from keel.surfaces.daemon.protocol import STATUS as ASKED
    from keel.surfaces.daemon.protocol import unpack

    running = runner_of(workspace.folder)
    bare = Result(folder=workspace.folder, running=bool(running), did="", pid=running)
    said = tell(workspace.folder, ASKED) if running else None
    if said is None:
        return bare
    with suppress(ValueError):
        _, pid, since, served, memory, watched, version = (part.decode() for part in unpack(said))
        return bare.replace(
            pid=int(pid),
            since=time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(float(since))),
            served=int(served),
            memory=int(memory),
            watched=watched,
            version=version,
        )
    return bare  # another keel, which says other things


def _stopped(workspace: Workspace) -> Result:
    from keel.daemon import end

    pid = end(workspace.folder)
    return Result(folder=workspace.folder, running=False, did="stopped" if pid else "", pid=pid)


def _started(workspace: Workspace) -> Result:
    from keel.surfaces.daemon.start import start

    with workspace.store.reading():
        pass  # without a graph there is nothing to serve
    found = _found(workspace)
    if found.running:
        return found
    start(workspace.folder)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = _found(workspace)
        if found.since:
            return found.replace(did="started")
        time.sleep(0.05)
    return found.replace(did="failed")


def _log(workspace: Workspace) -> tuple[str, ...]:
    path = workspace.own_path(DAEMON_LOG)
    lines: list[str] = []
    for each in (f"{path}.1", path):
        with suppress(OSError), open(each, encoding="utf-8", errors="backslashreplace") as file:
            lines += file.read().splitlines()
    return tuple(lines[-LINES:]) or (f"{os.path.basename(path)} is empty",)
