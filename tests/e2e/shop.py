"""A small shop to run keel on, and what a command says about it when it succeeds or fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.workspaces import PATIENCE, run_keel

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        'class Cart:\n    """Holds items."""\n\n    def total(self, tax: int = 0) -> int:\n        return tax\n'
    ),
    "shop/main.py": (
        "from shop.cart import Cart\n\n\n"
        "def checkout() -> int:\n    return pay(Cart())\n\n\n"
        "def pay(cart: Cart) -> int:\n    return 0\n"
    ),
    "README.md": "A shop.\n",
}


def ok(folder: Path, *words: str) -> str:
    """What a command that succeeds says."""
    done = run_keel(words, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def refused(folder: Path, *words: str, code: int = 2) -> str:
    """What a command that fails says; it prints nothing else."""
    done = run_keel(words, cwd=folder)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert done.stderr.startswith("keel: ")
    assert "Traceback" not in done.stderr
    return done.stderr.removeprefix("keel: ").rstrip("\n")


def python(
    folder: Path, program: str, *words: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a program in a folder."""
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )


def faulty(raised: str) -> str:
    """A program that is keel, but for `where`, which raises this."""
    return (
        "import sys; from keel.operations import where; from keel.surfaces.cli import main\n"
        f"def run(workspace, params): raise {raised}\n"
        "where.run = run; sys.exit(main(['where', 'x', *sys.argv[1:]]))"
    )
