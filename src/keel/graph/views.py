"""Nodes as answers show them, made from rows and facts: the full form, the edges it has, and where its text stands.

A node begins at the line of its name; decorators stand above it. Finding nodes is left to `graph/lookup/handles.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from keel.graph.naming import id_of, kind_of
from keel.graph.structure import structural_edges
from keel.model.facts import MODULE_DEF, TYPED, UNRELIABLE, Interface, Lines
from keel.model.hashing import to_text
from keel.model.kinds import EdgeKind, Visibility
from keel.model.nodes import Node, NodeRef
from keel.model.rows import VISIBILITY_MASK, VISIBILITY_SHIFT
from keel.model.signatures import signature_view

if TYPE_CHECKING:
    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntax
    from keel.ports.store import GraphReader


def full_form(node: StoredNode, file: FileRow, interface: Interface, syntax: Syntax) -> Node:
    """Everything the graph knows about a node by itself; `interface` and `syntax` are those of its file."""
    definition = interface.defs[node.ordinal]
    lines = Lines(interface.lines)
    end_line, end_column = lines.place(max(definition.end - 1, definition.start))
    return Node(
        id=id_of(node, file),
        hash=to_text(node.hash),
        kind=kind_of(node),
        name=node.name,
        qualified_name=node.qualified_name,
        root=file.root,
        path=file.path,
        language=file.language,
        start_line=node.line,
        end_line=end_line,
        start_column=lines.place(definition.name_at)[1],
        end_column=end_column,
        signature=signature_view(interface, definition, syntax.signature(interface, definition)),
        doc=interface.text(definition.doc),
        visibility=visibility_of(node),
        type_hints_present=bool(definition.flags & TYPED),
        module=file.module,
        parse_reliable=not definition.flags & UNRELIABLE,
        service=file.service,
    )


def short_form(node: StoredNode, file: FileRow) -> NodeRef:
    """A node as lists show it."""
    return NodeRef(
        id=id_of(node, file),
        hash=to_text(node.hash),
        kind=kind_of(node),
        name=node.name,
        qualified_name=node.qualified_name,
        path=file.path,
        line=node.line,
        module=file.module,
        service=file.service,
    )


def visibility_of(node: StoredNode) -> str:
    """Who may use it, by the language's custom."""
    return Visibility(node.flags >> VISIBILITY_SHIFT & VISIBILITY_MASK).word


def edge_summary(reader: GraphReader, node: StoredNode) -> dict[str, dict[str, int]]:
    """How many edges a node has: `{kind: {in, out}}`, for the kinds it has any of."""
    into, out = map(Counter, reader.edge_counts(node.number))
    for edge in structural_edges(reader.nodes(node.file)):
        out[edge.kind] += edge.source == node.ordinal
        into[edge.kind] += edge.target == node.ordinal
    return {kind.word: {"in": into[kind], "out": out[kind]} for kind in EdgeKind if into[kind] or out[kind]}


def source_span(node: StoredNode, interface: Interface) -> tuple[int, int]:
    """First and last line of a node's text, decorators included; of a file and its module, the whole file."""
    if node.ordinal <= MODULE_DEF:
        return 1, len(interface.lines)
    definition = interface.defs[node.ordinal]
    return Lines(interface.lines).line(definition.start), node.end_line
