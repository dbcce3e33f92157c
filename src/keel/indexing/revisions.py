"""Revisions: which files of a folder differ from a commit, and what they were, by git's word.

Compared is the working tree, so that it does not matter what of it stands in the index. Submodules and repositories
inside this one are asked about themselves. What the files mean is left to `accepted.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from keel.errors import BaseError
from keel.indexing.git import git
from keel.indexing.repository import Repository, repository_at

HEAD = "HEAD"
SUBMODULE = "160000"
LINK = "120000"
ABSENT = "0" * 40


class Differing(NamedTuple):
    """A file that is not as it was: its path below the folder, and its blob there; empty when it was not there."""

    repository: str
    """The folder that git is asked in about the blob."""
    path: str
    blob: str


def commit_of(repository: Repository, since: str) -> str | None:
    """The commit to compare with: the last one, or where this branch left `since`; None before the first commit."""
    top = repository.top
    if not since:
        return HEAD if _has_commit(repository) else None
    if not _has_commit(repository):
        raise BaseError(top, f"there is no commit yet to compare {since} with")
    if git(top, "rev-parse", "--verify", "--quiet", f"{since}^{{commit}}").problem:
        raise BaseError(top, f"there is no commit '{since}'", _fetching(repository, since))
    found = git(top, "merge-base", since, HEAD)
    if found.problem:
        raise BaseError(top, f"'{since}' and HEAD have no common commit here", _fetching(repository, since))
    return found.output.decode().strip()


def _has_commit(repository: Repository) -> bool:
    """Whether HEAD leads to a commit; the usual ways are seen without starting git."""
    try:
        with open(os.path.join(repository.own, HEAD), encoding="utf-8", errors="surrogateescape") as file:
            said = file.read().strip()
    except OSError:
        said = ""
    if said.startswith("ref: ") and os.path.exists(os.path.join(repository.common, said[5:])):
        return True
    answer = git(repository.top, "rev-parse", "--verify", "--quiet", f"{HEAD}^{{commit}}")
    if answer.problem and not answer.problem.startswith(NO_WORD):
        raise BaseError(repository.top, answer.problem)
    return not answer.problem


NO_WORD = "git ended with"
"""With `--quiet`, git says nothing more when there is no such commit."""


def _fetching(repository: Repository, since: str) -> str:
    if os.path.exists(os.path.join(repository.common, "shallow")):
        return "the clone is shallow; run `git fetch --unshallow` (or clone with full history) and try again"
    return f"fetch it first, for example `git fetch origin {since.rpartition('/')[2]}`"


def differing(folder: str, commit: str, inside: str = "") -> Iterator[Differing]:
    """The files below a folder that are not as in a commit; `inside` comes before their paths."""
    words = ("--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none", "--relative", commit, "--", ".")
    changed = git(folder, "diff", *words)
    if changed.problem:
        raise BaseError(folder, changed.problem)
    parts = os.fsdecode(changed.output).split("\0")
    for said, path in zip(parts[::2], parts[1::2], strict=False):
        old_mode, new_mode, blob, *_ = said.lstrip(":").split(" ")
        if SUBMODULE in (old_mode, new_mode):
            yield from _inside(os.path.join(folder, path), blob, f"{inside}{path}/")
        else:
            yield Differing(folder, inside + path, "" if blob == ABSENT or old_mode == LINK else blob)
    yield from _untracked(folder, inside)


def _untracked(folder: str, inside: str) -> Iterator[Differing]:
    answer = git(folder, "ls-files", "-z", "-o", "--exclude-standard")
    for path in os.fsdecode(answer.output).split("\0"):
        if path.endswith("/"):
            yield from _inside(os.path.join(folder, path[:-1]), HEAD, inside + path)
        elif path:
            yield Differing(folder, inside + path, "")


def _inside(folder: str, commit: str, inside: str) -> Iterator[Differing]:
    """A repository inside another: compared with the commit that the outer one names, if it is there."""
    if not os.path.lexists(f"{folder}/.git"):
        return
    known = commit if not git(folder, "cat-file", "-e", f"{commit}^{{commit}}").problem else HEAD
    if commit_of(repository_at(folder), "") is not None:
        yield from differing(folder, known, inside)


def blobs(folder: str, names: list[str]) -> dict[str, bytes]:
    """The contents of blobs."""
    answer = git(folder, "cat-file", "--batch", given="".join(f"{name}\n" for name in names).encode())
    if answer.problem:
        raise BaseError(folder, answer.problem)
    found: dict[str, bytes] = {}
    data, at = answer.output, 0
    for name in names:
        end = data.index(b"\n", at)
        words = data[at:end].split()
        at = end + 1
        if words[1:2] != [b"blob"]:
            raise BaseError(folder, f"git does not have {name}: {data[:end].decode('utf-8', 'replace')}")
        size = int(words[2])
        found[name] = data[at : at + size]
        at += size + 1
    return found
