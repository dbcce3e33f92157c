"""`keel mcp --http` in a process of its own, for tests and benchmarks that speak HTTP to it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.workspaces import PATIENCE

SECONDS = PATIENCE


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[str]:
    """The address of a server on any free port; it is ended at the end of the block."""
    command = [sys.executable, "-m", "keel", "mcp", "--http", "--port", "0", *words]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline().decode()
            assert " at http://" in said, said
            yield said.rpartition(" at ")[2].strip()
        finally:
            process.terminate()
            process.wait(SECONDS)
