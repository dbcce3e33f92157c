"""Tools that are only configuration: which the project has, and which differ from base.

No language reads them, so neither the graph nor base contains them. What is wrong with them is left to
`tool_findings.py`, which works for tools in any language.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from keel.checking.run import TOOLS, PlainTools
from keel.indexing.base.snapshot import contents, take
from keel.indexing.git.repository import repository_above
from keel.indexing.git.revisions import changed_below, commit_of
from keel.indexing.scan.regular_files import read_regular
from keel.model.hashing import content_hash
from keel.model.ids import escape_path
from keel.querying.tool_spaces import root_of, shown, spaces_in
from keel.toolspaces.listing import files_of
from keel.toolspaces.spaces import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from keel.model.refs import FileKey
    from keel.model.rows import FileRow
    from keel.ports.workspace import Workspace

SUFFIX = ".yaml"


def plain_tools(workspace: Workspace, since: str | None) -> PlainTools:
    """The existing tools, and those that differ from base: the last commit, the merge base, or the snapshot."""
    folder = os.path.join(workspace.folder, TOOLS)
    if not root_of(workspace) or not os.path.isdir(folder):
        return PlainTools()
    there = _there(workspace)
    repository = repository_above(folder)
    commit = commit_of(repository, since) if repository is not None else None
    if commit is None:
        return PlainTools(frozenset(there), frozenset(_unlike_snapshot(workspace, there)))
    names = [path for path in changed_below(folder, commit) if path.endswith(SUFFIX)]
    changed = {(root_of(workspace), escape_path(f"{TOOLS}{path}")) for path in names}
    return PlainTools(frozenset(there), frozenset(changed))


def take_snapshot(workspace: Workspace, files: Iterable[FileRow]) -> int:
    """Saves the files of the graph, and these tools, as the accepted snapshot; returns how many there are."""
    places = [(row.root, row.path) for row in files]
    return take(workspace.accepted, workspace.roots, [*places, *_there(workspace)])


def _there(workspace: Workspace) -> dict[FileKey, str]:
    """The existing tools, with their files."""
    root = root_of(workspace)
    paths = [
        path
        for space in spaces_in(workspace)
        if root and space.name == PROJECT
        for paths in files_of(space).values()
        for path in paths
        if path.endswith(SUFFIX)
    ]
    return {(root, escape_path(shown(workspace, path).replace(os.sep, "/"))): path for path in sorted(paths)}


def _unlike_snapshot(workspace: Workspace, there: Mapping[FileKey, str]) -> set[FileKey]:
    """The tools that differ from the snapshot; without one, none does."""
    if not os.path.exists(workspace.accepted):
        return set()
    accepted = {place: digest for place, (digest, _) in contents(workspace.accepted).items()}
    now: dict[FileKey, bytes] = {}
    for place, path in there.items():
        with suppress(OSError):
            now[place] = content_hash(read_regular(path)[0])
    then = {place: digest for place, digest in accepted.items() if _is_plain_tool(workspace, place)}
    return {place for place in (*then, *there) if then.get(place) != now.get(place)}


def _is_plain_tool(workspace: Workspace, place: FileKey) -> bool:
    root, path = place
    return root == root_of(workspace) and path.startswith(TOOLS) and path.endswith(SUFFIX)
