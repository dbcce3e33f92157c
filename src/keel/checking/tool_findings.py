"""Findings about tools of the project, for `compile`: the problems of the tools that an edit can have affected.

What is wrong with a tool is left to `toolspaces/check.py`, messages to the rules.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from keel.checking.run import TOOLS
from keel.model.ids import escape_path
from keel.model.kinds import NodeKind
from keel.model.refs import FileKey
from keel.ports.rule import Subject, ToolProblem
from keel.querying.tool_spaces import root_of, shown, spaces_in
from keel.toolspaces.check import check_tool
from keel.toolspaces.nodes import hash_of, id_of
from keel.toolspaces.overview import entries
from keel.toolspaces.spaces import PROJECT

if TYPE_CHECKING:
    from keel.ports.workspace import Workspace

KIND = NodeKind.TOOL.word


def tool_problems(workspace: Workspace, changed: Collection[FileKey], judged: Collection[FileKey]) -> list[ToolProblem]:
    """The problems of tools of the project: of those that an edit to a tool can have affected, and of judged ones."""
    edited = _ids_in(workspace, changed)
    if not (edited or _ids_in(workspace, judged)):
        return []
    found: list[ToolProblem] = []
    for tool in _own_tools(workspace):
        is_hit = not edited.isdisjoint(tool.chain)
        if is_hit or tool.place in judged:
            checked = check_tool(tool.item_id, spaces_in(workspace), workspace.folder)
            handle = hash_of(checked.tool) if checked.tool is not None else ""
            subject = Subject(id_of(PROJECT, tool.item_id), *tool.place, 1, handle, KIND, tool.item_id, is_new=is_hit)
            found += [ToolProblem(subject._replace(line=each.line), each.text) for each in checked.issues]
    return found


def run_by(workspace: Workspace, places: Collection[FileKey]) -> list[FileKey]:
    """The tools of the project that depend on one of these: an edit to a tool's runtime is one to the tool."""
    ids = _ids_in(workspace, places)
    return [tool.place for tool in _own_tools(workspace) if not ids.isdisjoint(tool.chain)] if ids else []


class _OwnTool(NamedTuple):
    """A tool of the project, with its id and those of everything that runs it, as far as that is known."""

    item_id: str
    place: FileKey
    chain: list[str]


def _own_tools(workspace: Workspace) -> Iterator[_OwnTool]:
    winners = list(entries(spaces_in(workspace)))
    executors = {each.item_id: each.manifest.executor_id if each.manifest else None for each in winners}
    for entry in winners:
        if entry.space == PROJECT:
            path = escape_path(shown(workspace, entry.path).replace(os.sep, "/"))
            yield _OwnTool(entry.item_id, (root_of(workspace), path), _walk(entry.item_id, executors))


def _ids_in(workspace: Workspace, places: Collection[FileKey]) -> set[str]:
    """The ids of the tools of the project among some files, existing or not."""
    inside = [path for root, path in places if path.startswith(TOOLS) and root == root_of(workspace)]
    return {path.removeprefix(TOOLS).rpartition(".")[0] for path in inside}


def _walk(item_id: str, executors: Mapping[str, str | None]) -> list[str]:
    """The ids of a tool and of everything that runs it, as far as known; the last may not exist."""
    ids = [item_id]
    while (wanted := executors.get(ids[-1])) is not None and wanted not in ids:
        ids.append(wanted)
    return ids
