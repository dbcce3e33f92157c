"""The Python source that is installed on this machine: standard libraries and site-packages of all interpreters.

What is done with it is left to `fuzz`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ASK = "import platform, sysconfig; print(platform.python_version()); print(sysconfig.get_paths()['stdlib'])"
MINORS = range(6, 16)


def installed_files() -> list[tuple[str, str]]:
    """Path and a name that says nothing of the machine, of every file, each content once, in a stable order."""
    found: dict[bytes, tuple[str, str]] = {}
    for number, library in sorted(_libraries()):
        for path in sorted(Path(library).rglob("*.py")):
            if path.is_file():
                content = hashlib.sha256(path.read_bytes()).digest()
                found.setdefault(content, (str(path), f"{number}/{path.relative_to(library).as_posix()}"))
    return sorted(found.values(), key=lambda pair: pair[1])


def _libraries() -> set[tuple[str, str]]:
    """Version and library folder of each interpreter, and of the environment this runs in."""
    libraries = {("venv", os.path.join(sys.prefix, "lib"))} if sys.prefix != sys.base_prefix else set()
    for program in _interpreters():
        done = subprocess.run([program, "-c", ASK], capture_output=True, encoding="utf-8", check=False)
        lines = done.stdout.split("\n")
        if done.returncode == 0 and len(lines) > 1:
            libraries.add((lines[0], os.path.realpath(lines[1])))
    return libraries


def _interpreters() -> list[str]:
    named = [shutil.which(name) for name in ("python2.7", *(f"python3.{minor}" for minor in MINORS))]
    # Tools that keep several interpreters put them side by side.
    beside = Path(sys.base_prefix).parent.glob("*/bin/python")
    return [sys.executable, *(name for name in named if name), *map(str, beside)]
