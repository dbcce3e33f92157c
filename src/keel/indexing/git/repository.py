"""Where git keeps its data, found by reading the disk and without starting git.

What git lists and ignores is left to git itself, in `files.py`.
"""

from __future__ import annotations

import os
from typing import NamedTuple

Stamp = tuple[int, int]
"""Modification time and size of a file, by which a change of it is detected."""
ABSENT: Stamp = (-1, -1)


class Repository(NamedTuple):
    """A working tree: its top folder, its own git folder, and the one it shares with other working trees."""

    top: str
    own: str
    common: str


def repository_above(folder: str) -> Repository | None:
    """The repository a folder belongs to, or None when there is none up to the root of the file system."""
    top = git_top(folder)
    return repository_at(top) if top is not None else None


def git_top(folder: str) -> str | None:
    """The nearest folder, upwards, that has a `.git`: a folder, or a file as in worktrees and submodules."""
    ceilings = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    while True:
        if os.path.lexists(f"{folder}/.git"):
            return folder
        above = os.path.dirname(folder)
        if above == folder or above in ceilings:
            return None
        folder = above


def repository_at(top: str) -> Repository:
    """The repository whose `.git` is in this folder."""
    own = f"{top}/.git"
    pointer = _first_line(own)
    if pointer.startswith("gitdir:"):
        own = os.path.realpath(os.path.join(top, pointer[len("gitdir:") :].strip()))
    shared = _first_line(f"{own}/commondir")
    common = os.path.join(own, shared) if shared else own
    return Repository(top, own, os.path.realpath(common))


def head_commit(repository: Repository) -> str:
    """The commit that HEAD names, as far as that is known without starting git; else empty."""
    said = _first_line(f"{repository.own}/HEAD")
    if not said.startswith("ref: "):
        return said if _is_commit(said) else ""
    branch = said[len("ref: ") :]
    commit = _first_line(f"{repository.common}/{branch}") or _packed(repository, branch)
    return commit if _is_commit(commit) else ""


def _is_commit(text: str) -> bool:
    return len(text) in (40, 64) and set(text) <= set("0123456789abcdef")


def _packed(repository: Repository, branch: str) -> str:
    try:
        with open(f"{repository.common}/packed-refs", encoding="utf-8", errors="surrogateescape") as file:
            return next((line[: line.index(" ")] for line in file if line.rstrip("\n").endswith(f" {branch}")), "")
    except (OSError, ValueError):
        return ""


def working_trees(folder: str) -> list[str]:
    """The top folders of all working trees of the repository that a folder belongs to, as far as git knows them."""
    repository = repository_above(folder)
    if repository is None:
        return []
    tops = [os.path.dirname(repository.common)] if repository.common.endswith("/.git") else []
    try:
        with os.scandir(f"{repository.common}/worktrees") as entries:
            pointers = [_first_line(f"{entry.path}/gitdir") for entry in entries]
    except OSError:
        pointers = []
    return sorted({repository.top, *tops, *(os.path.dirname(pointer) for pointer in pointers if pointer)})


def same_folders(folder: str) -> list[str]:
    """The path of a folder in the other working trees of its repository: the main one, then the most recently used."""
    repository = repository_above(folder)
    if repository is None:
        return []
    inside = os.path.relpath(folder, repository.top)
    main = os.path.dirname(repository.common)
    others = sorted(set(working_trees(folder)) - {repository.top, main}, key=lambda top: stamp(f"{top}/.git"))
    tops = [main, *reversed(others)] if main != repository.top else others[::-1]
    return [os.path.normpath(os.path.join(top, inside)) for top in tops]


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().rstrip("\r\n")
    except OSError:
        return ""


def stamp(path: str) -> Stamp:
    """The stamp of the file at a path; of an absent file, one that no file has."""
    try:
        status = os.stat(path)
    except OSError:
        return ABSENT
    return status.st_mtime_ns, status.st_size
