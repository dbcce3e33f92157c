"""Tools as nodes of the graph: `tool:<space>:<item id>`.

They are made from the spaces for each query, and not stored: a tool of the user or of the system lies in no root of a
workspace, and a new one counts at once. Edges between them are left to `tool_graph.py`.
"""

from __future__ import annotations

from keel.errors import ToolNotFoundError
from keel.model.hashing import digest64, node_hash, to_text
from keel.model.kinds import NodeKind, Visibility
from keel.model.nodes import Node
from keel.toolspaces.chain import Element, load
from keel.toolspaces.item_ids import is_id
from keel.toolspaces.manifests.manifest import TYPE
from keel.toolspaces.overview import Entry
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.spaces import RANK, Spaces

PREFIX = "tool:"


def find_element(handle: str, spaces: Spaces) -> Element | None:
    """The tool that a handle names: `tool:<space>:<item id>`, shadowed or not, or the bare id of the one that wins."""
    space, colon, item_id = (
        handle.removeprefix(PREFIX).partition(":") if handle.startswith(PREFIX) else ("", "", handle)
    )
    if not is_id(item_id) or (colon and space not in RANK):
        return None
    try:
        return load(find_tool(item_id, tuple(each for each in spaces if not colon or each.name == space)))
    except ToolNotFoundError:
        return None


def id_of(space: str, item_id: str) -> str:
    """The id of a tool in the graph."""
    return f"{PREFIX}{space}:{item_id}"


def hash_of(tool: Element | Entry) -> str:
    """The short handle of a tool, which changes with its file."""
    own_id = id_of(tool.space, tool.item_id)
    return to_text(node_hash(own_id, digest64(tool.data), tool.manifest.description if tool.manifest else ""))


def node_of(tool: Element | Entry, path: str) -> Node:
    """A tool as a node; `path` is how its file is shown."""
    manifest = tool.manifest
    lines = tool.data.split(b"\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return Node(
        id=id_of(tool.space, tool.item_id),
        hash=hash_of(tool),
        kind=NodeKind.TOOL.word,
        name=tool.item_id.rpartition("/")[2],
        qualified_name=tool.item_id,
        root=tool.space,
        path=path,
        language="yaml" if tool.path.endswith(".yaml") else "python",
        start_line=manifest.lines.get(TYPE, 1) if manifest is not None else 1,
        end_line=len(lines),
        start_column=1,
        end_column=max(len(lines[-1]), 1),
        signature=None,
        doc=manifest.description if manifest is not None else "",
        visibility=Visibility.PUBLIC.word,
        type_hints_present=False,
        module="",
    )
