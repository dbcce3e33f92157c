"""Revisions: which files of a folder differ from a commit, and their content there, by git.

The working tree is compared, so that it does not matter what is staged. Submodules and repositories inside this one are
compared by themselves. What the files mean is left to `indexing/base/accepted_tree.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from typing import NamedTuple

from keel.errors import BaseError, brief
from keel.indexing.git.files import git
from keel.indexing.git.repository import Repository, head_commit, repository_at

HEAD = "HEAD"
SUBMODULE = "160000"
LINK = "120000"


class Differing(NamedTuple):
    """A file that differs: its path below the folder, and its blob in the commit; empty when it did not exist there."""

    repository: str
    """The folder that git is asked in about the blob."""
    path: str
    blob: str


def commit_of(repository: Repository, since: str | None) -> str | None:
    """The commit to compare with: the last one, or the merge base with `since`; None before the first commit."""
    top = repository.top
    if since is None:
        return HEAD if _has_commit(repository) else None
    if not _has_commit(repository):
        raise BaseError(top, f"there is no commit yet to compare '{brief(since)}' with")
    if git(top, "rev-parse", "--verify", "--quiet", f"{since}^{{commit}}").problem:
        raise BaseError(top, f"there is no commit '{brief(since)}'", _getting(repository, since))
    found = git(top, "merge-base", since, HEAD)
    if found.problem:
        hint = _DEEPER if _is_shallow(repository) else "the branches have nothing in common to compare with"
        raise BaseError(top, f"'{brief(since)}' and HEAD have no common commit here", hint)
    return found.output.decode().strip()


def _has_commit(repository: Repository) -> bool:
    """Whether HEAD resolves to a commit; the usual cases are decided without starting git."""
    if head_commit(repository):
        return True
    answer = git(repository.top, "rev-parse", "--verify", "--quiet", f"{HEAD}^{{commit}}")
    if answer.problem and not answer.problem.startswith(NO_WORD):
        raise _refused(repository.top, answer.problem)
    return not answer.problem


def _refused(folder: str, problem: str) -> BaseError:
    """Why git does not answer about a repository; one that it does not trust is only reported as none by `git diff`."""
    said = git(folder, "rev-parse", "--git-dir").problem or problem
    if DUBIOUS not in said:
        return BaseError(folder, said)
    top = said.partition("'")[2].rpartition("'")[0] or folder
    hint = f"where you trust it, `git config --global --add safe.directory {top}` lets git read it"
    return BaseError(folder, "git does not read a repository that belongs to another user", hint)


DUBIOUS = "dubious ownership"
NO_WORD = "git ended with"
"""With `--quiet`, git's only message when a commit does not exist."""


_DEEPER = "the clone is shallow; run `git fetch --unshallow` (in GitHub Actions, check out with `fetch-depth: 0`)"


def _is_shallow(repository: Repository) -> bool:
    return os.path.exists(os.path.join(repository.common, "shallow"))


def _getting(repository: Repository, since: str) -> str:
    """How to fetch a commit that does not exist here; a clone of one branch does not fetch others by itself."""
    if not _name.fullmatch(since):
        return ""
    remote, _, branch = since.partition("/")
    if not git(repository.top, "rev-parse", "--verify", "--quiet", f"refs/remotes/{ORIGIN}/{since}").problem:
        return f"did you mean {ORIGIN}/{since}?"
    is_remote = remote in git(repository.top, "remote").output.decode("utf-8", "replace").split()
    if branch and is_remote:
        fetch = f"`git fetch {remote} {branch}:refs/remotes/{since}`"
    else:
        fetch = f"`git fetch {ORIGIN} {since if _hash.fullmatch(since) else f'{since}:{since}'}`"
    return f"{_DEEPER}, and {fetch}" if _is_shallow(repository) else f"fetch it first, for example {fetch}"


ORIGIN = "origin"
_name = re.compile(r"\w[\w./-]*")
"""Names of branches and commits that need no quoting in a command."""
_hash = re.compile(r"[0-9a-f]{7,64}")


def differing(folder: str, commit: str, there: Collection[str], inside: str = "") -> tuple[list[Differing], bool]:
    """The files below a folder that differ from a commit, and whether all files are of this one repository.

    `inside` is a prefix of their paths. `there` are the files that are known to exist, so that git need not search for
    untracked ones.
    """
    words = ("--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none", "--relative", commit, "--", ".")
    changed = git(folder, "diff", *words)
    if changed.problem:
        raise _refused(folder, changed.problem)
    parts = os.fsdecode(changed.output).split("\0")
    found: list[Differing] = []
    for said, path in zip(parts[::2], parts[1::2], strict=False):
        old_mode, new_mode, blob, *_ = said.lstrip(":").split(" ")
        if SUBMODULE in (old_mode, new_mode):
            found += _inside(folder, path, blob, there, inside)
        else:
            found.append(Differing(folder, inside + path, "" if not blob.strip("0") or old_mode == LINK else blob))
    others, is_one = _untracked(folder, there, inside)
    return found + others, is_one


def changed_below(folder: str, commit: str) -> list[str]:
    """Paths below a folder, of files of any kind, that differ from a commit; new ones unless git ignores them."""
    diff = ("diff", "--name-only", "-z", "--no-renames", "--relative", commit, "--", ".")
    answers = [git(folder, *diff), git(folder, "ls-files", "-z", "--others", "--exclude-standard")]
    for answer in answers:
        if answer.problem:
            raise _refused(folder, answer.problem)
    return [path for answer in answers for path in os.fsdecode(answer.output).split("\0") if path]


def _untracked(folder: str, there: Collection[str], inside: str) -> tuple[list[Differing], bool]:
    """Files that git does not track; repositories inside this one are compared by themselves."""
    tracked = set(os.fsdecode(git(folder, "ls-files", "-z").output).split("\0"))
    found: list[Differing] = []
    others: dict[str, None] = {}
    is_one = True
    for path in there:
        if path in tracked:
            continue
        above = _folders_above(path)
        if any(each in tracked for each in above):  # a submodule
            is_one = False
            continue
        nested = [each for each in above if os.path.lexists(os.path.join(folder, each, ".git"))]
        if nested:
            others[nested[0]] = None
        else:
            found.append(Differing(folder, inside + path, ""))
    for path in others:
        found += _inside(folder, path, HEAD, there, inside)
    return found, is_one and not others


def _folders_above(path: str) -> list[str]:
    """The folders that a file is in, the outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]


def _inside(folder: str, path: str, commit: str, there: Collection[str], inside: str) -> list[Differing]:
    """A repository inside another: compared with the commit that the outer one records, if it exists."""
    nested = os.path.join(folder, path)
    if not os.path.lexists(f"{nested}/.git") or commit_of(repository_at(nested), None) is None:
        return []
    known = commit if not git(nested, "cat-file", "-e", f"{commit}^{{commit}}").problem else HEAD
    own = [each.removeprefix(f"{path}/") for each in there if each.startswith(f"{path}/")]
    return differing(nested, known, own, f"{inside}{path}/")[0]


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
