"""Which folders are never source, whatever the ignore files say: git's and keel's own, environments, build output.

Ignore files are read in `ignore.py` and by git itself.
"""

from __future__ import annotations

from collections.abc import Collection

NEVER = frozenset({".git", ".keel", "node_modules"})
"""Not looked into at all."""
LEFTOVERS = frozenset(
    {".venv", "site-packages", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
    | {".hypothesis", ".tox", ".nox", ".eggs"}
)
"""Not looked into unless git tracks something in them."""
OUTPUT = frozenset({"build", "dist", "target"})
"""The same, but only beside a manifest: elsewhere these are ordinary names."""
MANIFESTS = frozenset(
    {"pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "go.mod"} | {"pom.xml", "build.gradle"}
)
MARKERS = frozenset({"pyvenv.cfg", "conda-meta"})
"""A folder with one of these is an environment."""


def is_left_behind(name: str, beside: Collection[str], tracked: bool) -> bool:
    """Whether a folder of this name, beside these names, is what tools leave behind."""
    if name in NEVER:
        return True
    if tracked:
        return False
    if name in OUTPUT:
        return not MANIFESTS.isdisjoint(beside)
    return name in LEFTOVERS or name.endswith(".egg-info")


def is_environment(path: str, inside: Collection[str], tracked: bool) -> bool:
    """Whether a folder with these names inside is a virtual environment.

    `venv` by its mere name is one too, unless git tracks it or it is a package: Python's own library has such a one.
    """
    if not MARKERS.isdisjoint(inside):
        return True
    return path.endswith("/venv") and not tracked and "__init__.py" not in inside
