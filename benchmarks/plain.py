"""A Python as users have it: keel's own dependencies and nothing else.

The development tools bring packages that make every start slower, which would count against keel. The code that is
measured is that of this clone, by its path.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

from benchmarks.corpora import cache_folder

TOP = Path(__file__).resolve().parent.parent


@cache
def plain_python() -> str:
    """The interpreter of a virtual environment with keel's dependencies, made once for each version of Python."""
    folder = cache_folder() / f"plain-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", TOP], check=True, stdin=subprocess.DEVNULL)
        (folder / "ready").touch()
    return str(python)
