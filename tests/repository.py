"""The repository as tests see it: its files and its settings.

It judges nothing; each house rule has a test file of its own.
"""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[1]
PACKAGE = TOP / "src" / "keel"
PYPROJECT = TOP / "pyproject.toml"


def source_modules() -> list[Path]:
    """Every Python file of the package, in a stable order; the tools of the system space are data, not modules."""
    return sorted(path for path in PACKAGE.rglob("*.py") if ".ai" not in path.relative_to(PACKAGE).parts)


def kept_files() -> list[Path]:
    """Every file git tracks or would, were it added: new ones are judged before the commit."""
    # A checkout owned by another user, as in a container, is still the one to list.
    git = ("git", "-c", "safe.directory=*")
    listing = subprocess.run(
        [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=TOP,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    paths = (TOP / name for name in sorted(set(listing.stdout.split("\0"))) if name)
    return [path for path in paths if path.is_file()]


def settings() -> dict[str, Any]:
    """The project file, read."""
    return tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    """The path as messages and test ids show it."""
    return path.relative_to(TOP).as_posix()
