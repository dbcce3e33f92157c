"""A guest as an installer leaves it: a module, and a `.dist-info` folder with entry points, in a folder of its own.

What a guest brings is each test's own business.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.workspaces import write_files


def install(folder: Path, modules: Mapping[str, str], entry_points: str, name: str = "guest") -> Path:
    """Writes a distribution into a folder, which is then put on the search path."""
    files = {f"{module}.py": text for module, text in modules.items()}
    return write_files(folder, {**files, f"{name}-1.0.dist-info/entry_points.txt": entry_points})


def keel_with(site: Path, cwd: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `keel` in a process of its own that finds what is installed in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "keel", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(site), "KEEL_NO_DAEMON": "1"},
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
