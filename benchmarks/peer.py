"""The most popular peer on the same tree, where Node is there to run it: what it costs, needs and keeps.

It is a guest: whatever goes wrong with it costs its own rows, never the run.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks import processes
from benchmarks.corpora import cache_folder, forget
from benchmarks.house import MEGABYTE
from benchmarks.measure import Failed, environment, peak_memory, run
from benchmarks.report import Row

PACKAGE, VERSION = "@colbymchenry/codegraph", "1.6.1"
INDEX = ".codegraph"
INSTALL_SECONDS = 300.0
INDEX_SECONDS = 600.0


def peer(tree: Path, compile_seconds: float | None) -> Iterator[Row]:
    """The peer's index of a tree: CPU against compileall of the same run, memory, size."""
    measure = f"{PACKAGE} {VERSION}: index django"
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        yield Row(measure, note="not run: no node")
        return
    home = cache_folder() / f"peer-{VERSION}"
    tool = _installed(npm, home)
    command = [str(tool), "init", "--yes", str(tree)]
    env = _environment(home)
    forget(tree)
    try:
        spent = run(command, tree, env, limit=INDEX_SECONDS)
        kept = sum(path.stat().st_size for path in (tree / INDEX).rglob("*") if path.is_file())
        ratio = spent.cpu / compile_seconds if compile_seconds else None
        note = f"one run; wall {spent.wall * 1000:.0f} ms"
        yield Row(measure, spent.cpu, "CPU-s", "compileall", compile_seconds, ratio, note=note)
        yield Row(f"{PACKAGE}: index on disk", kept / MEGABYTE, "MB")
        if processes.is_listed():
            forget(tree)
            yield Row(f"{PACKAGE}: peak memory", peak_memory(command, tree, env, INDEX_SECONDS) / MEGABYTE, "MB")
    finally:
        forget(tree)


def _installed(npm: str, home: Path) -> Path:
    tool = home / "node_modules" / ".bin" / "codegraph"
    if not tool.exists():
        home.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--prefix", str(home), f"{PACKAGE}@{VERSION}"],
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=INSTALL_SECONDS,
        )
        if done.returncode or not tool.exists():
            said = done.stderr.strip().splitlines() or ["no word why"]
            raise Failed(f"npm could not install it: {said[-1]}")
    return tool


def _environment(home: Path) -> dict[str, str]:
    """It stays in its folder, sends nothing, fetches nothing and leaves nothing running."""
    return environment(
        HOME=str(home),
        CODEGRAPH_TELEMETRY="0",
        DO_NOT_TRACK="1",
        CODEGRAPH_NO_DOWNLOAD="1",
        CODEGRAPH_NO_DAEMON="1",
    )
