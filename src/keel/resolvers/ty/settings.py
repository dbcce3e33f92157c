"""The configuration of ty when it checks edits: the user's own rules and excludes are not used.

Only `environment`, where modules and packages are found, is copied from the user's. ty resolves relative paths against
the folder of the file, so all are made absolute. Running ty is left to `session`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence

OWN_FILE, PROJECT_FILE = "ty.toml", "pyproject.toml"
PATHS = ("python", "typeshed", "extra-paths", "root")
"""The keys of `environment` that hold paths."""
EXCLUDED = {
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pypackages__",
    "_build",
    "buck-out",
    "dist",
    "node_modules",
    "venv",
}
"""Folders that ty leaves out by itself."""

Value = str | Sequence[str]


def settings_of(folder: str, sources: Sequence[str], files: Iterable[str]) -> str:
    """The text of the configuration for a root; files that ty would leave out by itself are taken in."""
    environment = _environment(folder)
    roots = environment.pop("root", ())
    if sources:
        environment["root"] = [*sources, *(roots if not isinstance(roots, str) else [roots])]
    elif roots:
        environment["root"] = roots
    inside = len(folder.rstrip(os.sep))
    names = {name for each in {os.path.dirname(path) for path in files} for name in each[inside:].split(os.sep)}
    taken_in = [f"!**/{name}/" for name in sorted(EXCLUDED & names)]
    lines = ["[src]", "respect-ignore-files = false"]
    if taken_in:
        lines.append(f"exclude = {json.dumps(taken_in)}")
    lines += ["", "[analysis]", 'return-type-inference = "always"']
    if environment:
        lines += ["", "[environment]", *(f"{key} = {json.dumps(value)}" for key, value in sorted(environment.items()))]
    return "\n".join([*lines, ""])


def _environment(folder: str) -> dict[str, Value]:
    """What the user says about the environment, paths made absolute."""
    own = _read(os.path.join(folder, OWN_FILE))
    said = own if own is not None else _tool(_read(os.path.join(folder, PROJECT_FILE)) or {})
    environment = said.get("environment")
    if not isinstance(environment, Mapping):
        return {}
    return {
        str(key): _absolute(folder, value) if key in PATHS else value
        for key, value in environment.items()
        if isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value))
    }


def _tool(project: Mapping[str, object]) -> Mapping[str, object]:
    tool = project.get("tool")
    said = tool.get("ty") if isinstance(tool, Mapping) else None
    return said if isinstance(said, Mapping) else {}


def _absolute(folder: str, value: Value) -> Value:
    if isinstance(value, str):
        return os.path.join(folder, os.path.expanduser(value))
    return [os.path.join(folder, os.path.expanduser(each)) for each in value]


def _read(path: str) -> Mapping[str, object] | None:
    """A TOML file; None when it does not exist, empty when it is invalid."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    if b"environment" not in data:
        return {}
    import tomllib

    try:
        return tomllib.loads(data.decode())
    except ValueError:
        return {}
