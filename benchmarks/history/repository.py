"""Releases as commits of one git repository, and walking along them.

What is asked at every step is left to `replay`.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.corpora import CorpusMissing, cache_folder, git
from benchmarks.history.index import archive

CONFIG = """\
[enforcement]
type_hints = "off"
type_hints_existing = "off"
docstrings = "off"
docstrings_existing = "off"
placement = "off"
duplicate_detection = "off"
"""
"""What asks for style is off: a release is not held to ours."""
NOT_SOURCE = (".gitignore", ".gitattributes", ".gitmodules")
"""Files that would tell git which of the others to leave out or to change."""


def history(package: str, versions: Sequence[str]) -> Path:
    """A repository with a commit, and a tag, for each release."""
    folder = cache_folder() / "history" / f"{package}-{versions[0]}-{versions[-1]}-{len(versions)}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="making-", dir=folder.parent) as room:
            commit_all(Path(room) / "whole", versions, lambda version, tree: unpack(archive(package, version), tree))
            with suppress(FileExistsError):  # another run was faster
                (Path(room) / "whole").rename(folder)
    return folder


def commit_all(folder: Path, versions: Sequence[str], fill: Callable[[str, Path], None]) -> None:
    """Makes the repository: each tree is filled by `fill` and committed."""
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / ".git" / "info" / "exclude").write_text("/.keel/\n", encoding="utf-8")
    for version in versions:
        for path in folder.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        fill(version, folder)
        git(folder, "add", "--all")
        author = ("-c", "user.name=bench", "-c", "user.email=bench@example.com")
        git(folder, *author, "commit", "--quiet", "--allow-empty", "--message", version)
        git(folder, "tag", version)


def start(folder: Path, version: str) -> None:
    """Goes to a release, without anything that keel knew."""
    for left in (folder / ".keel", folder / ".git" / "keel"):
        shutil.rmtree(left, ignore_errors=True)
    git(folder, "checkout", "--quiet", "--force", "--detach", version)
    git(folder, "clean", "--quiet", "-ffdx")
    (folder / ".keel").mkdir()
    (folder / ".keel" / "config.toml").write_text(CONFIG, encoding="utf-8")


def edit(folder: Path, before: str, after: str) -> None:
    """Makes one release the accepted one and puts the files of another in the working tree."""
    git(folder, "checkout", "--quiet", "--force", "--detach", before)
    git(folder, "read-tree", "-m", "-u", before, after)


def differing(folder: Path, before: str, after: str) -> list[tuple[str, str]]:
    """The Python files that differ: how (A, M or D) and where."""
    words = git(folder, "diff", "--name-status", "--no-renames", "-z", before, after).split("\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    return [(how, path) for how, path in pairs if path.endswith(".py")]


def unpack(source: Path, tree: Path) -> None:
    """Puts what an archive holds below its one top folder into a tree."""
    with tarfile.open(source) as tar, tempfile.TemporaryDirectory(dir=tree.parent) as room:
        tar.extractall(room, filter="data")
        tops = list(Path(room).iterdir())
        if len(tops) != 1:
            raise CorpusMissing(f"{source.name} has {len(tops)} entries at its top instead of one folder")
        for name in os.listdir(tops[0]):
            if name != ".git":
                (tops[0] / name).rename(tree / name)
    for name in NOT_SOURCE:
        for path in tree.rglob(name):
            path.unlink()
