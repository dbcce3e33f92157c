"""Findings about tools of the project, for `compile`: what `keel tools check` says of those that an edit can have hit.

What is wrong with a tool is left to `toolspaces/check.py`, how a finding looks to `rules/t001_tool_chain.py`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from keel.model.ids import escape_path
from keel.model.kinds import NodeKind
from keel.operations.tools._spaces import root_of, shown, spaces_in
from keel.ports.rule import Subject
from keel.rules.t001_tool_chain import wrong_tool
from keel.toolspaces.check import check_tool
from keel.toolspaces.nodes import hash_of, id_of
from keel.toolspaces.overview import entries
from keel.toolspaces.spaces import FOLDER, PROJECT, TOOLS

if TYPE_CHECKING:
    from keel.model.findings import Finding
    from keel.ports.workspace import Workspace

Place = tuple[str, str]
KIND = NodeKind.TOOL.word
BELOW = f"{FOLDER}/{TOOLS}/"


def tool_findings(workspace: Workspace, changed: Collection[Place], judged: Collection[Place]) -> list[Finding]:
    """What is wrong with tools of the project: those that an edit to a tool can have hit, and those that are judged."""
    root = root_of(workspace)
    edited = {_id_in(path) for name, path in changed if name == root and path.startswith(BELOW)}
    asked = {path for name, path in judged if name == root and path.startswith(BELOW)}
    if not root or not (edited or asked):
        return []
    spaces = spaces_in(workspace)
    winners = list(entries(spaces))
    executors = {each.item_id: each.manifest.executor_id if each.manifest else None for each in winners}
    found: list[Finding] = []
    for entry in winners:
        path = escape_path(shown(workspace, entry.path).replace(os.sep, "/"))
        is_hit = any(item_id in edited for item_id in _walk(entry.item_id, executors))
        if entry.space == PROJECT and (is_hit or path in asked):
            checked = check_tool(entry.item_id, spaces, workspace.folder)
            handle = hash_of(checked.tool) if checked.tool is not None else ""
            tool = Subject(id_of(PROJECT, entry.item_id), root, path, 1, handle, KIND, entry.item_id, is_new=is_hit)
            found += [wrong_tool(tool._replace(line=each.line), each.text) for each in checked.issues]
    return found


def _id_in(path: str) -> str:
    return path.removeprefix(BELOW).rpartition(".")[0]


def _walk(item_id: str, executors: Mapping[str, str | None]) -> list[str]:
    """A tool and everything that runs it, as far as that can be told; the last may be one that is nowhere."""
    ids = [item_id]
    while (wanted := executors.get(ids[-1])) is not None and wanted not in ids:
        ids.append(wanted)
    return ids
