"""Findings about tools of the project, for `compile`: what `keel tools check` says of those that an edit can have hit.

What is wrong with a tool is left to `toolspaces/check.py`, how a finding looks to `rules/t001_tool_chain.py`.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING

from keel.model.ids import escape_path
from keel.model.kinds import NodeKind
from keel.operations.tools._spaces import shown, spaces_in
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
    """What is wrong with the tools that are judged; when any tool has changed, with every tool of the project."""
    root = next((name for name, folder in workspace.roots.items() if folder == workspace.folder), None)
    own = {path for name, path in changed if name == root and path.startswith(BELOW)}
    asked = {path for name, path in judged if name == root and path.startswith(BELOW)}
    if root is None or not own | asked:
        return []
    spaces = spaces_in(workspace)
    found: list[Finding] = []
    for entry in entries(spaces):
        path = escape_path(shown(workspace, entry.path).replace(os.sep, "/"))
        if entry.space == PROJECT and (own or path in asked):
            checked = check_tool(entry.item_id, spaces, workspace.folder)
            handle = hash_of(checked.tool) if checked.tool is not None else ""
            tool = Subject(id_of(PROJECT, entry.item_id), root, path, 1, handle, KIND, entry.item_id, is_new=bool(own))
            found += [wrong_tool(tool._replace(line=each.line), each.text) for each in checked.issues]
    return found
