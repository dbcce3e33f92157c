"""Tools as nodes of the graph: `tool:<space>:<item id>`, with `delegates_to` edges to what runs them.

They are made from the spaces whenever somebody asks, and not stored: a tool of the user or of the system lies in no
root of a workspace, and a new shadow counts at once. Which commands show them is left to the operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from keel.errors import ToolNotFoundError
from keel.model.hashing import digest64, node_hash, to_text
from keel.model.kinds import NodeKind, Visibility
from keel.model.nodes import Node
from keel.toolspaces.chain import Element, load
from keel.toolspaces.item_ids import is_id
from keel.toolspaces.manifest import TYPE
from keel.toolspaces.overview import entries
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.spaces import RANK, Spaces

PREFIX = "tool:"


class Delegation(NamedTuple):
    """An edge from a tool to what runs it, by their ids in the graph."""

    source: str
    target: str


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


def hash_of(element: Element) -> str:
    """The short handle of a tool, which changes with its file."""
    own_id = id_of(element.space, element.item_id)
    return to_text(node_hash(own_id, digest64(element.data), element.manifest.description))


def node_of(element: Element, path: str) -> Node:
    """A tool as a node; `path` is how its file is shown."""
    manifest = element.manifest
    lines = element.data.split(b"\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return Node(
        id=id_of(element.space, element.item_id),
        hash=hash_of(element),
        kind=NodeKind.TOOL.word,
        name=element.item_id.rpartition("/")[2],
        qualified_name=element.item_id,
        root=element.space,
        path=path,
        language="yaml" if element.path.endswith(".yaml") else "python",
        start_line=manifest.lines.get(TYPE, 1),
        end_line=len(lines),
        start_column=1,
        end_column=max(len(lines[-1]), 1),
        signature=None,
        doc=manifest.description,
        visibility=Visibility.PUBLIC.word,
        type_hints_present=False,
        module="",
    )


def delegations(spaces: Spaces) -> Iterator[Delegation]:
    """The `delegates_to` edges of every tool that wins, to the tool that runs it; none to what is not there."""
    winners = {entry.item_id: entry for entry in entries(spaces)}
    for entry in winners.values():
        executor = entry.manifest.executor_id if entry.manifest is not None else None
        if executor is not None and executor in winners:
            yield Delegation(id_of(entry.space, entry.item_id), id_of(winners[executor].space, executor))
