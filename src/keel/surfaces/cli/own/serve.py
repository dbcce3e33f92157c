"""Serve the workspace in the foreground: the daemon, with its log on standard error, until Ctrl-C.

The daemon holds the workspace open, so that `keel compile`, hooks and queries are answered without a new process; it
brings the graph up to date when files change, by any program. There is seldom a need to call this: `keel compile` and
hooks start it by themselves, in the background. Answers are the same with it and without.

    keel serve

A workspace has one daemon. `keel daemon status` shows its state, `keel daemon stop` ends it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from keel.errors import UsageError
from keel.model.record import Record, field
from keel.surfaces.cli.log import note_of_daemon
from keel.surfaces.cli.streams import complain

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.bootstrap import Workspace

GROUP = "background"
IN_WORKSPACE = True


class Params(Record):
    """What `serve` can be told."""

    detached: bool = field("As in the background: end when idle, and write to `.keel/daemon.log`.", default=False)


class Result(Record):
    """How it ended."""

    LAYOUT: ClassVar = ("{ended}",)

    ended: str = field("Why it ended; empty when it was asked to.")


def run(workspace: Workspace, params: Params) -> Result:
    """Serves until there is a reason to end."""
    if sys.platform != "linux":
        raise UsageError("the daemon runs on Linux only", "every command works without it")
    with workspace.store.reading():
        pass  # without a graph there is nothing to serve
    # Only here: none of it is needed where there is nothing to serve.
    from keel.surfaces.cli.answering import answer
    from keel.surfaces.daemon.listening import Taken
    from keel.surfaces.daemon.server import serve

    def say(text: str) -> None:
        note_of_daemon(workspace, text)
        if not params.detached:
            complain(text, "keel serve: ")

    idle = workspace.config.daemon.idle_minutes * 60.0 if params.detached else None
    if params.detached:
        _let_go()
    try:
        serve(workspace.folder, answer, say, idle)
    except Taken as taken:
        raise UsageError(f"process {taken} serves this workspace already", "`keel daemon stop` ends it") from None
    return Result(ended="")


def _let_go() -> None:
    """Holds nothing of the process that started it: no folder, and no pipe whose reader waits for its end."""
    os.closerange(3, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") < 1 << 20 else 1 << 16)
    os.chdir("/")
