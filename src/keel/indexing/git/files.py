"""Git's view of files: which files a folder has, which folders are ignored, and what these answers depend on.

Git's exit code is checked, since it refuses trees of other owners and then lists nothing. Where git keeps its data is
in `repository.py`; what happens when it refuses is left to `indexing/scan/listing.py`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterable
from typing import NamedTuple

from keel.indexing.git.repository import Repository

# Set by git for its hooks, and about one repository only; here each folder is asked about its own.
_OF_ONE_REPOSITORY = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"}
    | {"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"}
)


class Refusal(NamedTuple):
    """Git did not answer, and why."""

    problem: str


class GitRules(NamedTuple):
    """The files that git tracks or does not ignore below a folder. Its methods take absolute paths."""

    base: str
    cut: int
    names: set[str]
    """Files, tracked or not ignored; submodules are among them."""
    folders: set[str]
    """All folders of those files, and repositories inside this one."""
    tracked: set[str]
    """The folders of tracked files."""

    def keeps(self, path: str) -> bool:
        """Whether a file counts."""
        return path[self.cut :] in self.names

    def opens(self, path: str) -> bool | None:
        """Whether a folder is to be entered; None when only git can answer (no listed file is in it)."""
        inside = path[self.cut :]
        return inside in self.folders or inside in self.names or None

    def tracks(self, path: str) -> bool:
        """Whether a folder holds tracked files."""
        return path[self.cut :] in self.tracked


def ask_git(folder: str) -> GitRules | Refusal:
    """The rules for everything below a folder of a repository."""
    # One letter a file says whether it is tracked (anything but `?`).
    answer = git(folder, "ls-files", "-z", "-t", "-c", "-o", "--exclude-standard")
    if answer.problem:
        return Refusal(answer.problem)
    entries = os.fsdecode(answer.output).split("\0")
    # a repository inside this one is listed as a folder, with a slash at its end
    names = {entry[2:] for entry in entries if not entry.endswith("/")} - {""}
    tracked = _folders_of(entry[2:] for entry in entries if not entry.startswith("?"))
    folders = tracked | _folders_of(entry[2:] for entry in entries if entry.startswith("?"))
    return GitRules(folder, len(folder.rstrip("/")) + 1, names, folders, tracked)


def _folders_of(names: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for folder in {name.rpartition("/")[0] for name in names}:
        step = folder
        while step and step not in folders:
            folders.add(step)
            step = step.rpartition("/")[0]
    return folders


def ignored_by_git(folder: str, paths: Collection[str]) -> set[str]:
    """Those of the paths (relative to a folder) that git ignores; none when it does not answer."""
    # Behind "./" a colon at the beginning of a name is nothing special.
    asked = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    answer = git(folder, "check-ignore", "-z", "--stdin", given=asked)
    return {path[2:] for path in os.fsdecode(answer.output).split("\0")}


def files_git_depends_on(repository: Repository, folder: str) -> list[str]:
    """The files, existing or not, whose change can change what git lists below a folder."""
    home = os.path.expanduser("~")
    shared = os.path.join(os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config", "git")
    asked = git(folder, "config", "--type=path", "--get", "core.excludesFile").output
    paths = [os.fsdecode(asked).rstrip("\n") or f"{shared}/ignore"]
    paths += [os.environ.get("GIT_CONFIG_GLOBAL") or f"{home}/.gitconfig", f"{shared}/config"]
    paths += [f"{repository.common}/config", f"{repository.common}/info/exclude"]
    paths.append(f"{repository.own}/index")
    while folder != repository.top and len(folder) > len(repository.top):
        folder = os.path.dirname(folder)
        paths.append(f"{folder}/.gitignore")
    return [os.path.join(repository.top, path) for path in paths]


class Answer(NamedTuple):
    """What git wrote, or why it did not answer."""

    output: bytes
    problem: str


def git(folder: str, *words: str, given: bytes | None = None) -> Answer:
    """Runs git in a folder."""
    # A file system monitor is a program of the repository's choosing: a listing does not need it.
    command = ["git", "-c", "core.fsmonitor=false", *words]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=_environment(),
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        return Answer(b"", "git is not installed")
    except OSError as error:
        return Answer(b"", f"git does not start: {error.strerror}")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        return Answer(b"", said or f"git ended with {done.returncode}")
    return Answer(done.stdout, "")


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OF_ONE_REPOSITORY}
    return {**kept, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
