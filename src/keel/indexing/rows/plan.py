"""Planning: the facts of a file become the rows that the store keeps of it.

Edges are left to linking, comparing with the stored rows to the store.
"""

from __future__ import annotations

from collections.abc import Iterable

from keel.indexing.facts import Read
from keel.indexing.rows.bodies import texts_of_bodies
from keel.indexing.rows.profile import profile_of
from keel.indexing.rows.words import words_of
from keel.model.facts import FILE_DEF, MODULE_DEF, Def, Interface, Lines, decode_references
from keel.model.hashing import node_hash
from keel.model.kinds import NodeKind, Visibility
from keel.model.rows import EXPORTED, VISIBILITY_SHIFT, FileRow, FileUpdate, NodeRow
from keel.model.syntax import Syntax


def plan_file(row: FileRow, read: Read, interface: Interface, syntax: Syntax) -> FileUpdate:
    """A file's update: its row, its encoded facts, a row for each definition, and its profile."""
    lines = Lines(interface.lines)
    exports = None if interface.exports is None else frozenset(interface.exports)
    bodies = texts_of_bodies(interface, decode_references(read.references))
    nodes = [
        _node(row, interface, lines, exports, ordinal, definition, syntax, bodies.get(ordinal, ()))
        for ordinal, definition in enumerate(interface.defs)
    ]
    return FileUpdate(row, read.interface, read.references, nodes, profile=profile_of(interface, row.path, syntax))


def _node(
    row: FileRow,
    interface: Interface,
    lines: Lines,
    exports: frozenset[str] | None,
    ordinal: int,
    definition: Def,
    syntax: Syntax,
    body: Iterable[int],
) -> NodeRow:
    name, qualified, prefix = _names(row, interface, definition, syntax)
    occurrence = definition.occurrence
    node_id = f"{prefix}:{row.root}:{row.path}:{qualified}" if prefix == "sym" else f"file:{row.root}:{row.path}"
    if occurrence > 1:
        node_id = f"{node_id}#{occurrence}"
    doc = interface.strings[definition.doc] if definition.doc >= 0 else ""
    flags = definition.flags | definition.visibility << VISIBILITY_SHIFT
    if definition.parent == MODULE_DEF and _is_exported(name, definition, exports):
        flags |= EXPORTED
    return NodeRow(
        ordinal,
        int(definition.kind),
        name,
        qualified,
        occurrence,
        definition.parent,
        definition.start,
        lines.line(definition.name_at),
        lines.line(max(definition.end - 1, definition.start)),
        node_hash(node_id, definition.body_hash, doc),
        definition.body_hash,
        flags,
        words_of(row, interface, definition, name, qualified, syntax, body),
    )


def _names(row: FileRow, interface: Interface, definition: Def, syntax: Syntax) -> tuple[str, str, str]:
    """Name, qualified name and id prefix; files and modules are named after their path."""
    if definition.kind == NodeKind.FILE:
        return row.path.rpartition("/")[2], row.path, "file"
    qualified = interface.strings[definition.qualified_name]
    if definition.kind == NodeKind.MODULE and definition.parent == FILE_DEF:
        return syntax.last_name(row.module) or row.root, qualified, "sym"
    return interface.strings[definition.name], qualified, "sym"


def _is_exported(name: str, definition: Def, exports: frozenset[str] | None) -> bool:
    if exports is not None:
        return name in exports
    return definition.visibility == Visibility.PUBLIC
