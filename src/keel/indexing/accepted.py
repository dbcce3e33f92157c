"""The accepted tree: which files differ from it, and what they said there.

It is the last commit, or where the branch left a named one; outside git, and before the first commit, the snapshot
that was taken last. Facts of it go through the facts cache. What they link to is left to `backward.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from keel.errors import BaseError, UsageError, brief
from keel.indexing.facts import cache_key, suffix_of
from keel.indexing.line import Line
from keel.indexing.repository import Repository, repository_above
from keel.indexing.revisions import Differing, blobs, commit_of, differing
from keel.model.facts import encode
from keel.model.hashing import content_hash
from keel.model.ids import escape_path, unescape_path
from keel.model.rows import FileRow
from keel.ports.language import Language
from keel.ports.runner import Lost

Place = tuple[str, str]
"""Root and escaped path."""
Encoded = tuple[bytes, bytes]
"""Interface and references."""
SNAPSHOT = "the snapshot"


class Accepted(NamedTuple):
    """The accepted tree, as far as it differs from the files now; None stands for a file that was not there."""

    label: str
    """What it is: a commit, or the snapshot."""
    sources: dict[Place, bytes | None]
    steering: dict[Place, bytes | None]
    has_snapshot: bool = True
    """Whether there is a snapshot for every root that needs one."""


def accepted(line: Line, files: Sequence[FileRow], since: str | None, snapshot: str) -> Accepted:
    """What the files that differ were; without `since`, in the last commit or the snapshot."""
    if since is not None and not since.strip():
        raise UsageError("the commit to compare with has no name", "a variable that was to hold it may be empty")
    known = {(row.root, row.path): row for row in files}
    found: dict[Place, bytes | None] = {}
    labels: list[str] = []
    has_snapshot = True
    for root, folder in line.roots.items():
        repository = repository_above(folder)
        commit = commit_of(repository, since) if repository is not None else None
        if commit is not None:
            found |= _from_git(line, root, folder, commit, known)
            labels.append(commit)
        elif since is not None:
            hint = "without it, `keel compile` compares with what was accepted last"
            raise BaseError(folder, f"there is no git repository, and so no '{brief(since)}'", hint)
        else:
            has_snapshot = has_snapshot and os.path.exists(snapshot)
            found |= _from_snapshot(root, snapshot, known)
            labels.append(SNAPSHOT)
    steering = {name for language in line.languages for name in language.steering}
    return Accepted(
        ", ".join(dict.fromkeys(labels)),
        {place: data for place, data in found.items() if suffix_of(place[1]) in line.suffixes},
        {place: data for place, data in found.items() if place[1].rpartition("/")[2] in steering},
        has_snapshot,
    )


def needs_snapshot(roots: Mapping[str, str]) -> bool:
    """Whether some root has no commit to be compared with."""
    found: list[Repository | None] = [repository_above(folder) for folder in roots.values()]
    return any(each is None or commit_of(each, None) is None for each in found)


def _from_git(
    line: Line, root: str, folder: str, commit: str, known: Mapping[Place, FileRow]
) -> dict[Place, bytes | None]:
    names = {name for language in line.languages for name in language.steering}
    found: dict[Place, Differing] = {}
    there = [unescape_path(path) for name, path in known if name == root]
    for one in differing(folder, commit, there):
        place = (root, escape_path(one.path))
        is_steering = one.path.rpartition("/")[2] in names
        if suffix_of(one.path) not in line.suffixes and not is_steering:
            continue
        # what is there and not in the graph is no source: git may know files that ignore files hide from keel
        if place in known or is_steering or (one.blob and not os.path.lexists(os.path.join(folder, one.path))):
            found[place] = one
    wanted: dict[str, list[str]] = {}
    for one in found.values():
        if one.blob:
            wanted.setdefault(one.repository, []).append(one.blob)
    held = {name: data for asked, blob in wanted.items() for name, data in blobs(asked, sorted(set(blob))).items()}
    return {
        place: held[one.blob] if one.blob else None
        for place, one in found.items()
        if not one.blob or place not in known or content_hash(held[one.blob]) != known[place].content
    }


def _from_snapshot(root: str, snapshot: str, known: Mapping[Place, FileRow]) -> dict[Place, bytes | None]:
    if not os.path.exists(snapshot):
        return {}
    from keel.indexing.snapshot import contents

    before = {place: held for place, held in contents(snapshot).items() if place[0] == root}
    found: dict[Place, bytes | None] = {place: None for place in known if place[0] == root and place not in before}
    for place, (digest, read) in before.items():
        if place not in known or known[place].content != digest:
            found[place] = read()
    return found


class Extractor:
    """Makes facts of sources; can be sent to other processes."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    def __call__(self, item: tuple[Place, bytes]) -> tuple[Place, bytes, bytes]:
        """The encoded facts of one file."""
        place, data = item
        facts = self._languages[suffix_of(place[1])].extract(data, place[1])
        return place, encode(facts.interface), encode(facts.references)


def facts_of(line: Line, sources: Mapping[Place, bytes | None]) -> dict[Place, Encoded | None]:
    """The facts of accepted files; what the cache knows is not read again. A file that cannot be read is left out."""
    there = {place: data for place, data in sources.items() if data is not None}
    keys = {
        place: cache_key(line.suffixes[suffix_of(place[1])], place[1], content_hash(data))
        for place, data in there.items()
    }
    known = line.cache.get(list(keys.values())) if keys else {}
    found: dict[Place, Encoded | None] = {place: None for place, data in sources.items() if data is None}
    found |= {place: known[key] for place, key in keys.items() if key in known}
    rest = [(place, data) for place, data in there.items() if place not in found]
    made: list[tuple[bytes, bytes, bytes]] = []
    for outcome in line.runner(len(rest)).run(Extractor(line.suffixes), rest) if rest else ():
        if not isinstance(outcome, Lost):
            place, *encoded = outcome
            found[place] = encoded[0], encoded[1]
            made.append((keys[place], *found[place]))  # type: ignore[misc]  # it is there, just put
    line.cache.put(made)
    return found
