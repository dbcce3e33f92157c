"""Finds the program of a helper: beside keel, else in the active environment, else on the search path.

A folder of the project that happens to look like an environment is not looked into: what lies in a repository is read,
never run. What is run, and which versions are supported, is left to the folders beside this one.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator


def programs(name: str) -> Iterator[str]:
    """Where a program of this name is, the best place first, each file once."""
    seen = set()
    for folder in _folders():
        # Relative entries of the search path mean another folder wherever keel is called.
        found = shutil.which(name, path=folder) if os.path.isabs(folder) else None
        if found is not None and (real := os.path.realpath(found)) not in seen:
            seen.add(real)
            yield found


def _folders() -> Iterator[str]:
    yield sysconfig.get_path("scripts")
    yield os.path.dirname(sys.executable)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    active = os.environ.get("VIRTUAL_ENV") or os.environ.get("CONDA_PREFIX")
    if active:
        yield os.path.join(active, scripts)
    yield from os.environ.get("PATH", "").split(os.pathsep)
