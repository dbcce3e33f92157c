"""A graph's memory of files without a graph: scans a folder as the write line does, and remembers what it was told.

What a scan should find is each test's own business.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from keel.indexing.scan.scan import Scan, scan
from keel.languages.python import language
from keel.model.rows import FileRow

AGE_NS = 3600 * 10**9


class Memory:
    """Scans roots again and again, each time from what the scan before left."""

    def __init__(self, roots: Mapping[str, Path] | Path) -> None:
        named = {"r": roots} if isinstance(roots, Path) else roots
        self.roots = {name: str(folder) for name, folder in named.items()}
        self.suffixes: tuple[str, ...] = (".py",)
        self.known: list[FileRow] = []
        self.folders: bytes | None = None

    def scan(self, now_ns: int | None = None) -> Scan:
        now = time.time_ns() if now_ns is None else now_ns
        found = scan(
            self.roots, self.suffixes, self.known, self.folders, now, language.manifest_files, None, (language.syntax,)
        )
        gone = {(row.root, row.path) for row in found.missing}
        gone |= {(file.root, file.path) for file in found.suspects}
        self.known = [row for row in self.known if (row.root, row.path) not in gone]
        for file in (*found.added, *found.suspects):
            row = FileRow(0, file.root, file.path, "", "", b"", file.size, file.mtime_ns, now)
            self.known.append(row)
        self.folders = found.folders
        return found

    def paths(self) -> list[str]:
        """The paths that are known."""
        return sorted(row.path for row in self.known)


def listed(folder: Path, suffixes: tuple[str, ...] = (".py",)) -> list[str]:
    """The paths a first scan of a folder finds."""
    memory = Memory(folder)
    memory.suffixes = suffixes
    memory.scan()
    return memory.paths()


def settled(folder: Path) -> Memory:
    """The memory of a folder in which nothing happened lately."""
    age(folder)
    memory = Memory(folder)
    memory.scan()
    return memory


def age(folder: Path) -> None:
    """Makes everything in a folder, and in git's own below it, an hour old."""
    past = time.time_ns() - AGE_NS
    for path, folders, files in os.walk(folder):
        for name in (*folders, *files, "."):
            os.utime(os.path.join(path, name), ns=(past, past), follow_symlinks=False)


def write(folder: Path, *paths: str, text: str = "x = 1\n") -> None:
    """Writes one text to these paths, making folders on the way; a path that ends in `/` is a folder."""
    for path in paths:
        target = folder / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")


def git(folder: Path, *words: str) -> None:
    """Runs git in a folder."""
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    here = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *who, *here, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def repository(folder: Path, *paths: str) -> Path:
    """Makes a repository with these files in its first commit, if there are any."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    if paths:
        write(folder, *paths)
        git(folder, "add", "--all", "--force")
        git(folder, "commit", "-q", "-m", "first")
    return folder
