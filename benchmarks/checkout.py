"""The checkout that is measured: which commit it is, and what commands in it say.

What is measured is left to the benchmarks.
"""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]


def commit_of(*paths: str) -> str:
    """The commit, and whether anything below these paths has changed since."""
    changed = " with changes on top" if said("git", "status", "--porcelain", *paths) else ""
    return f"commit {said('git', 'rev-parse', '--short', 'HEAD') or 'unknown'}{changed}"


def source_digest(source: Path = TOP / "src") -> str:
    """What the source of a keel is now: figures of a run in which it moves belong to no commit."""
    digest = hashlib.sha256()
    for path in sorted(source.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def said(*command: str) -> str:
    """What a command printed, or nothing when it cannot be run."""
    try:
        done = subprocess.run(command, cwd=TOP, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    except OSError:
        return ""
    return done.stdout.strip()
