"""Differences between the files and the accepted tree, computed by git, or by the last snapshot.

The accepted tree is the last commit, or the merge base with a named one; outside git, and before the first commit, the
snapshot. Running git is left to `indexing/git/revisions.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from keel.errors import BaseError, brief
from keel.indexing.base.sources import Accepted, held
from keel.indexing.facts import suffix_of
from keel.indexing.git.repository import Repository, repository_above
from keel.indexing.git.revisions import Differing, blobs, commit_of, differing
from keel.model.hashing import content_hash
from keel.model.ids import escape_path, unescape_path
from keel.model.refs import FileKey
from keel.ports.language import manifest_names

if TYPE_CHECKING:
    from keel.indexing.context import IndexContext
    from keel.model.rows import FileRow

SNAPSHOT = "the snapshot"


def look_up(context: IndexContext, files: Sequence[FileRow], since: str | None, snapshot: str) -> Accepted:
    """The former content of the files that differ from the last commit, from the merge base with `since`, or from the
    snapshot."""
    known = {(row.root, row.path): row for row in files}
    found: dict[FileKey, bytes | None] = {}
    labels: list[str] = []
    has_snapshot = is_plain = True
    for root, folder in context.roots.items():
        repository = repository_above(folder)
        commit = commit_of(repository, since) if repository is not None else None
        if commit is not None:
            there = [unescape_path(path) for name, path in known if name == root]
            differ, is_one = differing(folder, commit, there)
            is_plain = is_plain and is_one
            found |= _from_git(context, root, folder, differ, known)
            labels.append(commit)
        elif since is not None:
            hint = "without it, `keel compile` compares with what was accepted last"
            raise BaseError(folder, f"there is no git repository, and so no '{brief(since)}'", hint)
        else:
            is_plain = False
            has_snapshot = has_snapshot and os.path.exists(snapshot)
            found |= _from_snapshot(root, snapshot, known)
            labels.append(SNAPSHOT)
    manifest_files = {name for language in context.languages for name in manifest_names(language)}
    sources = {place: data for place, data in found.items() if suffix_of(place[1]) in context.suffixes}
    steers = {place: data for place, data in found.items() if place[1].rpartition("/")[2] in manifest_files}
    return Accepted(", ".join(dict.fromkeys(labels)), held(sources), steers, has_snapshot, is_plain)


def needs_snapshot(roots: Mapping[str, str]) -> bool:
    """Whether some root has no commit to compare with."""
    found: list[Repository | None] = [repository_above(folder) for folder in roots.values()]
    return any(each is None or commit_of(each, None) is None for each in found)


def _from_git(
    context: IndexContext, root: str, folder: str, differ: Iterable[Differing], known: Mapping[FileKey, FileRow]
) -> dict[FileKey, bytes | None]:
    names = {name for language in context.languages for name in manifest_names(language)}
    found: dict[FileKey, Differing] = {}
    for one in differ:
        place = (root, escape_path(one.path))
        is_manifest = one.path.rpartition("/")[2] in names
        if suffix_of(one.path) not in context.suffixes and not is_manifest:
            continue
        # an existing file that is not in the graph is not source: git may know files that ignore files hide from keel
        if place in known or is_manifest or (one.blob and not os.path.lexists(os.path.join(folder, one.path))):
            found[place] = one
    wanted: dict[str, list[str]] = {}
    for one in found.values():
        if one.blob:
            wanted.setdefault(one.repository, []).append(one.blob)
    data = {name: text for asked, blob in wanted.items() for name, text in blobs(asked, sorted(set(blob))).items()}
    return {
        place: data[one.blob] if one.blob else None
        for place, one in found.items()
        if not one.blob or place not in known or content_hash(data[one.blob]) != known[place].content
    }


def _from_snapshot(root: str, snapshot: str, known: Mapping[FileKey, FileRow]) -> dict[FileKey, bytes | None]:
    if not os.path.exists(snapshot):
        return {}
    from keel.indexing.base.snapshot import contents

    before = {place: held for place, held in contents(snapshot).items() if place[0] == root}
    found: dict[FileKey, bytes | None] = {place: None for place in known if place[0] == root and place not in before}
    for place, (digest, read) in before.items():
        if place not in known or known[place].content != digest:
            found[place] = read()
    return found
