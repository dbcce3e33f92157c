"""Tools among the lines and counts of the whole graph, for `export` and `stats`.

They are derived from the spaces on each request. Which tools are included is left to `toolspaces/tool_graph.py`;
questions about a single one, to `tool_nodes.py`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from keel.graph.naming import id_of
from keel.model.ids import escape_path
from keel.model.kinds import EdgeKind, NodeKind, Tier
from keel.model.lines import EdgeLine, ToolLine
from keel.model.rows import FileRow
from keel.querying.tool_spaces import root_of, spaces_in
from keel.toolspaces.spaces import PROJECT, has_own_tools

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace
    from keel.toolspaces.overview import Entry
    from keel.toolspaces.spaces import Space, Spaces
    from keel.toolspaces.tool_graph import ToolGraph

MODULE_ORDINAL = 1


class ToolLines(NamedTuple):
    """Tools as lines of an export, each with its file, and the edges between them."""

    nodes: Sequence[tuple[ToolLine, FileRow]] = ()
    edges: Sequence[EdgeLine] = ()

    def own_files(self) -> list[FileRow]:
        """The files of the project's tools that the graph does not have."""
        return [file for node, file in self.nodes if node.root == PROJECT and not file.id]


def tool_counts(workspace: Workspace) -> tuple[dict[str, int], dict[str, int]]:
    """How many tools there are, and how many edges between them, by kind."""
    found = _in_use(spaces_in(workspace))
    if found is None:
        return {}, {}
    return {NodeKind.TOOL.word: len(found.tools)}, {EdgeKind.DELEGATES_TO.word: len(found.edges)}


def tool_lines(workspace: Workspace, reader: GraphReader, files: Sequence[FileRow]) -> ToolLines:
    """Tools with their edges, both by id."""
    spaces = spaces_in(workspace)
    found = _in_use(spaces)
    if found is None:
        return ToolLines()
    by_name = {space.name: space for space in spaces}
    indexed = {(row.root, row.path): row for row in files}
    paths = {own_id: _path(by_name[tool.space], tool) for own_id, tool in found.tools.items()}
    nodes = []
    for own_id, tool in found.tools.items():
        file = _file(tool, root_of(workspace), paths[own_id], indexed)
        nodes.append((_line(tool, paths[own_id], _module(reader, file)), file))
    kind, tier = EdgeKind.DELEGATES_TO.word, Tier.TIER1_TREESITTER.word
    edges = [
        EdgeLine(kind, edge.source, edge.target, paths[edge.source], edge.line, 1, tier, 1.0) for edge in found.edges
    ]
    return ToolLines(nodes, edges)


def _in_use(spaces: Spaces) -> ToolGraph | None:
    """The tools that the project uses; None when it has none, and nothing more has to be loaded."""
    if not has_own_tools(spaces):
        return None
    from keel.toolspaces.tool_graph import tools_in_use

    return tools_in_use(spaces)


def _path(space: Space, tool: Entry) -> str:
    """The path of a tool below its space's folder: the same on every machine that has it."""
    return escape_path(os.path.relpath(tool.path, os.path.dirname(space.root)).replace(os.sep, "/"))


def _file(tool: Entry, root: str, path: str, indexed: Mapping[tuple[str, str], FileRow]) -> FileRow:
    """The file of a tool: that of the graph, or a new row where no language reads it or no root has it."""
    own_root = root if tool.space == PROJECT else ""
    return indexed.get((own_root, path)) or FileRow(0, own_root, path, tool.language, "", b"", 0, 0, 0)


def _module(reader: GraphReader, file: FileRow) -> str:
    """The id of the module with a tool's code; empty where the graph does not have it."""
    nodes = reader.nodes(file.id) if file.id else []
    return next((id_of(node, file) for node in nodes if node.ordinal == MODULE_ORDINAL), "")


def _line(tool: Entry, path: str, module: str) -> ToolLine:
    from keel.toolspaces.nodes import id_of as tool_id
    from keel.toolspaces.nodes import node_of

    node = node_of(tool, path)
    return ToolLine(
        node.id,
        node.hash,
        node.kind,
        node.name,
        node.qualified_name,
        node.root,
        path,
        node.start_line,
        node.end_line,
        node.language,
        shadowed_by=tool_id(tool.shadowed_by, tool.item_id) if tool.shadowed_by else "",
        module=module,
    )
