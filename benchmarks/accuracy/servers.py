"""The oracles: two type checkers as language servers, pinned and installed beside the corpora.

Talking to them is left to `client`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.client import Client
from benchmarks.accuracy.packages import (
    REQUIREMENTS,
    NotInstalled,
    Package,
    accuracy_folder,
    dependencies,
    installed,
    pinned,
    said,
)

TY_VERSION = pinned("ty")
PYRIGHT_VERSION = "1.1.414"


@dataclass(frozen=True, slots=True)
class Server:
    """A type checker that can be asked for definitions."""

    name: str
    version: str
    start: Callable[[Package], Client]


def _ty(package: Package) -> Client:
    command = [str(installed(accuracy_folder() / f"ty-{TY_VERSION}", REQUIREMENTS / "ty.txt") / "bin" / "ty")]
    environment = {"environment": {"python": str(dependencies(package)), "python-version": "3.11"}}
    return Client([*command, "server"], package.room, {"configuration": environment}, {})


def _pyright(package: Package) -> Client:
    python = dependencies(package) / "bin" / "python"
    analysis = {"diagnosticMode": "openFilesOnly", "typeCheckingMode": "off", "indexing": False}
    settings = {"python": {"pythonPath": str(python), "analysis": analysis}, "python.analysis": analysis, "pyright": {}}
    return Client(pyright_command(), package.room, {}, settings)


def pyright_command() -> list[str]:
    """How the language server is started."""
    # Open files are checked when nothing is asked: memory for the largest package, and no more.
    return ["node", "--max-old-space-size=4096", str(pyright_script()), "--stdio"]


def pyright_script() -> Path:
    """The language server, installed on first use."""
    home = accuracy_folder() / f"pyright-{PYRIGHT_VERSION}"
    script = home / "node_modules" / "pyright" / "langserver.index.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise NotInstalled("pyright needs node and npm, and npm was not found")
        home.mkdir(parents=True, exist_ok=True)
        said([npm, "install", "--no-audit", "--no-fund", "--prefix", str(home), f"pyright@{PYRIGHT_VERSION}"], home)
    return script


PYRIGHT = Server("pyright", PYRIGHT_VERSION, _pyright)
TY = Server("ty", TY_VERSION, _ty)
SERVERS = (PYRIGHT, TY)
