"""Starting the misbehaving server of `tests.fake_server`, and telling whether processes are gone."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from keel.resolvers.lsp.client import Launch
from tests.fake_server import Script
from tests.workspaces import PATIENCE

LONG = PATIENCE
SHORT = 0.3
"""Seconds, for what never comes."""
ENOUGH = 5.0
"""Seconds, for what comes beside what never does."""

FAKE = Path(__file__).with_name("fake_server.py")


def fake(folder: Path, script: Script | None = None, start_seconds: float = LONG) -> Launch:
    """How the fake server is started to do what a script says; the folder marks its command line."""
    command = (sys.executable, "-I", "-S", str(FAKE), json.dumps(script or {}), str(folder))
    return Launch("fake", command, str(folder), settings={"fake": {"deep": True}}, start_seconds=start_seconds)


def processes_with(mark: str) -> list[int]:
    """The running processes whose command line holds a mark; those that ended and wait to be noted do not count."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def nothing_is_left(mark: str) -> bool:
    """Whether neither a marked process is left, nor a guard that this process started."""
    return gone(mark) and not any(parent_of(guard) == os.getpid() for guard in processes_with("keel-guard"))


def parent_of(process: int) -> int:
    """The number of a process's parent; 0 when it is gone."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def gone(mark: str, seconds: float = LONG) -> bool:
    """Whether no process with a mark is left, waited for at most so long."""
    until = time.monotonic() + seconds
    while processes_with(mark):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
