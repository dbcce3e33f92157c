"""What is left when processes die: a map whose parent is killed, and a file that kills the process that reads it.

These have no figure, only a yes or no. The lethal file is made by `poison`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import processes
from benchmarks.corpora import forget
from benchmarks.house import KEEL
from benchmarks.measure import Failed, environment
from benchmarks.plain import plain_python
from benchmarks.report import Row

WORKERS_UP_SECONDS = 60.0
GRACE_SECONDS = 5.0
POISON_SECONDS = 300.0
POLL_SECONDS = 0.01


def killed_parent(tree: Path) -> Iterator[Row]:
    """Whether every process of a map ends when its parent is killed with the workers at work."""
    measure = "map killed: no process lives on"
    if not processes.is_listed():
        yield Row(measure, note="this system does not list its processes")
        return
    forget(tree)
    parent = subprocess.Popen(
        [plain_python(), *KEEL, "map"],
        cwd=tree,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        workers = _workers_of(parent)
        parent.kill()
        parent.wait()
        seconds, left = _left_after(parent.pid)
    finally:
        processes.end(parent.pid)
        parent.wait()
        forget(tree)
    note = f"{workers} workers; {left} left after {GRACE_SECONDS:.0f} s" if left else f"{workers} workers, all gone"
    yield Row(measure, holds=not left, note=note if left else f"{note} {seconds * 1000:.0f} ms later")


def poison_file(tree: Path) -> Iterator[Row]:
    """Whether a file that kills its reader is named, and everything else is in the graph."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.poison", str(tree)],
        cwd=Path(__file__).resolve().parents[1],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=POISON_SECONDS,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise Failed(f"the poisoned map ended: {said[-1]}")
    found = json.loads(done.stdout)
    yield Row("file that kills its reader: named", holds=found["named"], note="; ".join(found["lost"]))
    note = f"{found['files']} other files, {found['different']} of them otherwise than in a map without poison"
    yield Row(
        "file that kills its reader: all else done", holds=found["files"] > 0 and not found["different"], note=note
    )


def _workers_of(parent: subprocess.Popen[bytes]) -> int:
    """How many workers are up, once two are or no more seem to come."""
    deadline = time.monotonic() + WORKERS_UP_SECONDS
    while time.monotonic() < deadline:
        if parent.poll() is not None:
            raise Failed(f"the map ended before it could be killed, with exit code {parent.returncode}")
        workers = sum(1 for process in processes.processes_of(parent.pid) if _is_worker(process, parent.pid))
        if workers >= 2:
            time.sleep(0.3)  # so that they are in the middle of their work
            return workers
        time.sleep(POLL_SECONDS)
    raise Failed("the map started no workers")


def _is_worker(process: processes.Process, parent: int) -> bool:
    return process.parent == parent and "git" not in process.name


def _left_after(leader: int) -> tuple[float, int]:
    start = time.monotonic()
    while True:
        left = len(processes.processes_of(leader))
        waited = time.monotonic() - start
        if not left or waited > GRACE_SECONDS:
            return waited, left
        time.sleep(POLL_SECONDS)
