"""Nodes as listings show them: in short, with the attributes of routes and clients.

Which nodes these are is left to the verbs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.lookup.endpoints import PATH
from keel.graph.views import short_form
from keel.model.ids import MODULE, PREFIX_OF
from keel.model.nodes import NodeRef
from keel.model.record import Record, field

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import ClassVar

    from keel.model.nodes import Node
    from keel.model.rows import FileRow, StoredNode
    from keel.ports.store import GraphReader


class Entry(Record):
    """A node of a listing."""

    LAYOUT: ClassVar = ("{node.path}:{node.line}  {node.kind} {name}  {node.hash}  {more}",)

    node: NodeRef = field("The node in short.")
    attributes: dict[str, list[str]] = field("What else a route, client or producer has.", default={})

    @property
    def name(self) -> str:
        """Its name within the file; for a module, the module's own."""
        return name_of(self.node)

    @property
    def more(self) -> str:
        """Its service, and the path as it is written, in words."""
        service = f"service {self.node.service}" if self.node.service else ""
        return "  ".join(part for part in (service, *self.attributes.get(PATH, ())) if part)


def name_of(node: NodeRef | Node) -> str:
    """A node's name within its file; for a module, the module's own."""
    return node.module if node.qualified_name == MODULE else node.qualified_name


def entries_of(reader: GraphReader, nodes: Iterable[StoredNode]) -> tuple[Entry, ...]:
    """Nodes as a listing shows them."""
    files: dict[int, FileRow | None] = {}
    made = []
    for node in nodes:
        if node.file not in files:
            files[node.file] = reader.file(node.file)
        file = files[node.file]
        if file is not None:
            has_more = node.kind in PREFIX_OF and node.ordinal
            attributes = reader.attributes(node.number) if has_more else {}
            made.append(Entry(node=short_form(node, file), attributes=attributes))
    return tuple(made)
