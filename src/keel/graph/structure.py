"""The edges that follow from the nodes of one file alone: `contains` and `exports`.

They are not stored: a node's row says what is around it and whether its module exports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.model.kinds import EdgeKind, NodeKind
from keel.model.rows import EXPORTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keel.model.rows import StoredNode


class StructuralEdge(NamedTuple):
    """An edge between two nodes of one file, by ordinal."""

    kind: EdgeKind
    source: int
    target: int


def structural_edges(nodes: Sequence[StoredNode]) -> Iterator[StructuralEdge]:
    """All edges within a file that its nodes imply; `nodes` are those of the file, by ordinal."""
    module = next((node.ordinal for node in nodes if node.kind == NodeKind.MODULE), 0)  # the file's own comes first
    for node in nodes:
        if node.parent >= 0:
            yield StructuralEdge(EdgeKind.CONTAINS, node.parent, node.ordinal)
        if node.flags & EXPORTED:
            yield StructuralEdge(EdgeKind.EXPORTS, module, node.ordinal)
