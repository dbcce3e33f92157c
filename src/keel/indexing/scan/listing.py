"""Listing the files of the roots: a walk folder by folder, filtered by git (or by ignore files).

In a repository git decides which files count; the walk determines which of them exist, of what type, and what each
folder contains, empty ones included, so that `folders.py` can later prove that nothing changed. Reading files is left
to `indexing/facts.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from keel.errors import RootMissing, ScanError
from keel.indexing.git.files import GitRules, Refusal, ask_git, files_git_depends_on, ignored_by_git
from keel.indexing.git.repository import Repository, repository_above, repository_at, stamp
from keel.indexing.scan.file_filter import IGNORE_FILES, FileFilter, digest_of, is_readable
from keel.indexing.scan.folders import UNSETTLED, prefix_of
from keel.indexing.scan.ignore import FileRules, Ignores, ignores, rules_above, with_file
from keel.indexing.scan.mtimes import is_racy
from keel.indexing.scan.regular_files import MAX_SIZE
from keel.indexing.scan.scan_result import Listing, ScannedFile, empty_listing
from keel.model.ids import escape_path

SUFFIX, NOTEBOOK, LARGE, UNREADABLE, LINK, SPECIAL = (
    "suffix",
    "notebook",
    "large",
    "unreadable",
    "link",
    "special",
)
"""Why a file is not read: no language has its suffix, …, it is a symbolic link, it is a socket, pipe or device."""

Rules = GitRules | FileRules


class _Root(NamedTuple):
    """The root that is walked, and the listing that the walk fills."""

    name: str
    folder: str
    names: FileFilter
    looked_ns: int
    listing: Listing


class _FolderVisit(NamedTuple):
    """A folder to visit, and the rules that apply in it."""

    path: str
    rules: Rules
    ours: Ignores | None
    """From `.keelignore`, on top of the rules."""
    common: str
    """The git folder of the repository around, shared with its other working trees."""


def list_files(roots: Mapping[str, str], names: FileFilter, looked_ns: int) -> Listing:
    """All files of the roots, as of the time of the scan or later."""
    listing = empty_listing()
    for name, folder in roots.items():
        root = _Root(name, folder, names, looked_ns, listing)
        spots = [_first_visit(root)]
        while spots:
            doubtful: list[_FolderVisit] = []
            while spots:
                spots += _visit(root, spots.pop(), doubtful)
            spots = _not_ignored(doubtful)
    return listing


def _first_visit(root: _Root) -> _FolderVisit:
    repository = repository_above(root.folder)
    if repository is None:
        return _FolderVisit(root.folder, FileRules(None), None, "")
    rules = _rules_in(root.folder, repository, root.listing)
    return _FolderVisit(root.folder, rules, None, repository.common)


def _rules_in(folder: str, repository: Repository, listing: Listing) -> Rules:
    # Stamps first: a change while git lists is then seen by the next scan.
    for path in files_git_depends_on(repository, folder):
        listing.watched[path] = stamp(path)
    rules = ask_git(folder)
    if isinstance(rules, Refusal):
        listing.warnings.append(f"{folder}: git does not list it ({rules.problem})")
        listing.unproven.append(folder)
        return rules_above(repository.top, folder, f"{repository.common}/info/exclude")
    if folder != repository.top and not rules.folders and not rules.names:
        # The repository around ignores the whole folder; but the configuration makes it a root.
        return FileRules(None)
    return rules


def _visit(root: _Root, spot: _FolderVisit, doubtful: list[_FolderVisit]) -> list[_FolderVisit]:
    """Lists a folder, and returns which folders to visit next; those that only git can decide about are doubtful."""
    seen = _enter(root, spot.path)
    if seen is None:
        return []
    mtime, digest, entries = seen
    inside = {entry.name: entry for entry in entries}
    here = _with_own_rules(root, spot, inside)
    if here is None:
        return []
    root.listing.folders.append((spot.path, mtime, digest))
    if isinstance(here.rules, GitRules) and here.rules.keeps(spot.path):
        # A submodule that is not checked out: git lists it, and nothing in it.
        return []
    return _take(root, here, inside, doubtful)


def _enter(root: _Root, path: str) -> tuple[int, int, list[os.DirEntry[str]]] | None:
    try:
        # The mtime is read before the names: a change in between is then seen by the next scan.
        mtime = os.lstat(path).st_mtime_ns
        with os.scandir(path) as found:
            entries = list(found)
        digest = digest_of(entries, root.names)
    except (FileNotFoundError, NotADirectoryError):
        if path == root.folder:
            raise RootMissing(root.name, path) from None
        return None
    except OSError as error:
        if path == root.folder:
            raise ScanError(path, error.strerror or str(error)) from None
        _bar(root, path, folder=True)
        return None
    return mtime, UNSETTLED if is_racy(mtime, root.looked_ns) else digest, entries


def _with_own_rules(root: _Root, spot: _FolderVisit, inside: Mapping[str, os.DirEntry[str]]) -> _FolderVisit | None:
    """The visit with the rules that the folder itself adds; None when it is not to be visited after all."""
    path, rules, ours, common = spot
    if path != root.folder:
        if root.names.not_source.is_environment(path, inside.keys(), rules.tracks(path)):
            return None
        if ".git" in inside:
            repository = repository_at(path)
            if repository.common == common:
                # Another working tree of the repository around: the same files again, with a graph of their own.
                return None
            rules, common = _rules_in(path, repository, root.listing), repository.common
    if isinstance(rules, FileRules) and _is_readable_file(inside.get(".gitignore")):
        rules = FileRules(with_file(rules.ignored, path, f"{path}/.gitignore"))
    if _is_readable_file(inside.get(".keelignore")):
        ours = with_file(ours, path, f"{path}/.keelignore")
    return _FolderVisit(path, rules, ours, common)


def _is_readable_file(entry: os.DirEntry[str] | None) -> bool:
    # Reading a pipe of that name would block for ever.
    return entry is not None and entry.is_file()


def _take(
    root: _Root, spot: _FolderVisit, inside: Mapping[str, os.DirEntry[str]], doubtful: list[_FolderVisit]
) -> list[_FolderVisit]:
    _, rules, ours, common = spot
    opened = []
    for name, entry in inside.items():
        path = entry.path
        if not entry.is_dir(follow_symlinks=False):
            if name in IGNORE_FILES:
                root.listing.watched[path] = stamp(path)
            if rules.keeps(path) and not ignores(ours, path):
                _take_file(root, name, entry)
        elif not root.names.not_source.is_left_behind(name, inside.keys(), rules.tracks(path)):
            opens = rules.opens(path) if not ignores(ours, path, is_folder=True) else False
            if opens:
                opened.append(_FolderVisit(path, rules, ours, common))
            elif opens is None:
                doubtful.append(_FolderVisit(path, rules, ours, common))
    return opened


def _take_file(root: _Root, name: str, entry: os.DirEntry[str]) -> None:
    if not entry.is_file(follow_symlinks=False):
        _skip(root, LINK if entry.is_symlink() else SPECIAL, name)
    elif name.endswith(root.names.suffixes) or name in root.names.manifest_files:
        _take_file_of_filter(root, name, entry)
    else:
        _skip(root, NOTEBOOK if name.endswith(".ipynb") else SUFFIX, name)


def _take_file_of_filter(root: _Root, name: str, entry: os.DirEntry[str]) -> None:
    path = entry.path
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    except OSError:
        _bar(root, path)
        return
    mtime, size, inside = status.st_mtime_ns, status.st_size, _inside(root, path)
    is_source = name.endswith(root.names.suffixes)
    if is_source and size > MAX_SIZE:
        _skip(root, LARGE, name)
        root.listing.watched[path] = (mtime, size)
    elif not is_readable(path, status.st_mode):
        _bar(root, path)
        return
    if name in root.names.manifest_files:
        root.listing.manifest_files[f"{root.name}/{inside}"] = (mtime, size)
    if is_source and size <= MAX_SIZE:
        root.listing.files[root.name, inside] = ScannedFile(root.name, inside, path, size, mtime)


def _skip(root: _Root, reason: str, name: str) -> None:
    cut = name.rfind(".")
    suffix = name[cut:] if cut > 0 else ""
    counts = root.listing.skipped.setdefault(reason, {})
    counts[suffix] = counts.get(suffix, 0) + 1


def _bar(root: _Root, path: str, folder: bool = False) -> None:
    _skip(root, UNREADABLE, "" if folder else os.path.basename(path))
    if folder:
        root.listing.unproven.append(path)
    root.listing.unreadable.append((root.name, _inside(root, path) + "/" * folder))


def _inside(root: _Root, path: str) -> str:
    return escape_path(path[len(prefix_of(root.folder)) :])


def _not_ignored(doubtful: list[_FolderVisit]) -> list[_FolderVisit]:
    """Those of the folders that git does not ignore although it lists nothing in them: files may be added to them."""
    by_base: dict[str, list[tuple[str, _FolderVisit]]] = {}
    for spot in doubtful:
        if isinstance(spot.rules, GitRules):
            inside = spot.path[spot.rules.cut :]
            by_base.setdefault(spot.rules.base, []).append((inside, spot))
    kept = []
    for base, spots in by_base.items():
        ignored = ignored_by_git(base, [inside for inside, _ in spots])
        kept += [spot for inside, spot in spots if inside not in ignored]
    return kept
