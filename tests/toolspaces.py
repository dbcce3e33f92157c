"""Three spaces in a folder of a test's own, and short ways to put tools into them.

The system's space is the real one unless a test asks for one of its own.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import pytest

from keel.toolspaces import spaces

RUNTIME = "python_runtime"
AWKWARD = [
    "plain",
    "two words",
    "'single' and \"double\"",
    "line\nbreaks\r\n\tand tabs",
    "--dashes",
    "-",
    "",
    "$HOME `id` $(id) ; rm -rf / | & > < * ? ~ \\ !",
    "{name} {{}} %s",
    "ünïcödé 🛠",
    "\x01\x1b[31m",
]
"""Texts that a shell, a template or an option parser would make something else of."""


class SpaceFolders(NamedTuple):
    """The folders that the spaces are in."""

    project: Path
    user: Path
    system: Path

    def tools(self, space: str) -> Path:
        """The folder of a space's tools."""
        folder: Path = getattr(self, space)
        return folder / ".ai" / "tools"

    def add(self, space: str, item_id: str, text: str | None = None, executor: str | None = RUNTIME) -> Path:
        """Writes a tool; without a text, one that says no more than it must."""
        path = self.tools(space) / f"{item_id}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(manifest(executor) if text is None else text, encoding="utf-8", newline="")
        return path


def manifest(executor: str | None = RUNTIME, kind: str = "python", **more: object) -> str:
    """The text of a tool that says these things."""
    said = {"__tool_type__": kind, "__executor_id__": executor, **more}
    return "".join(f"{name} = {value!r}\n" for name, value in said.items())


def make_trees(top: Path, monkeypatch: pytest.MonkeyPatch, own_system: bool = False) -> SpaceFolders:
    """Empty spaces below a folder, which keel takes for those of the user and, if asked, of the system."""
    trees = SpaceFolders(top / "project", top / "user", top / "system")
    for folder in trees:
        folder.mkdir(parents=True)
    monkeypatch.setenv(spaces.USER_SPACE, str(trees.user))
    if own_system:
        monkeypatch.setattr(spaces, "system_root", lambda: str(trees.system / ".ai"))
    return trees


def is_gone(path: Path) -> bool:
    """Whether the process that wrote its number is gone; a zombie that was not waited for is."""
    number = path.read_text()
    for _ in range(3000):
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False
