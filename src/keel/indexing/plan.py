"""Planning: facts of a file become the rows that the store keeps of it.

Edges come from linking; comparing with what is stored is the store's business.
"""

from __future__ import annotations

import re

from keel.indexing.facts import Read
from keel.model.signatures import signature_text
from keel.model.facts import Def, Interface, Lines
from keel.model.hashing import node_hash
from keel.model.ids import Id
from keel.model.kinds import NodeKind, Visibility
from keel.model.rows import FileRow, FileUpdate, NodeRow

EXPORTED = 1 << 16
"""Flag of a row: the module exports this name."""
VISIBILITY_SHIFT = 20
"""Where a row's flags keep the visibility."""
MODULE_DEF = 1

_words = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_split: dict[str, str] = {}


def plan_file(row: FileRow, read: Read, interface: Interface) -> FileUpdate:
    """A file's update: its row, its encoded facts, and a row for each definition."""
    lines = Lines(interface.lines)
    exports = None if interface.exports is None else frozenset(interface.exports)
    nodes = [
        _node(row, interface, lines, exports, ordinal, definition)
        for ordinal, definition in enumerate(interface.defs)
    ]
    return FileUpdate(row, read.interface, read.references, nodes)


def _node(
    row: FileRow,
    interface: Interface,
    lines: Lines,
    exports: frozenset[str] | None,
    ordinal: int,
    definition: Def,
) -> NodeRow:
    name, qualified, prefix = _names(row, interface, definition)
    node_id = str(Id(prefix, row.root, row.path, qualified, definition.occurrence))
    doc = interface.text(definition.doc)
    signature = signature_text(interface, definition)
    flags = definition.flags | definition.visibility << VISIBILITY_SHIFT
    if definition.parent == MODULE_DEF and _is_exported(name, definition, exports):
        flags |= EXPORTED
    return NodeRow(
        ordinal,
        int(definition.kind),
        name,
        qualified,
        definition.occurrence,
        definition.parent,
        definition.start,
        lines.line(definition.name_at),
        lines.line(max(definition.end - 1, definition.start)),
        node_hash(node_id, signature, definition.body_hash, doc),
        definition.body_hash,
        flags,
        words(name, qualified, doc),
    )


def _names(row: FileRow, interface: Interface, definition: Def) -> tuple[str, str, str]:
    """Name, qualified name and id prefix; files and modules are named after their path."""
    if definition.kind == NodeKind.FILE:
        return row.path.rpartition("/")[2], row.path, "file"
    qualified = interface.strings[definition.qualified_name]
    if definition.kind == NodeKind.MODULE:
        return row.module.rpartition(".")[2] or row.root, qualified, "sym"
    return interface.strings[definition.name], qualified, "sym"


def _is_exported(name: str, definition: Def, exports: frozenset[str] | None) -> bool:
    if exports is not None:
        return name in exports
    return definition.visibility == Visibility.PUBLIC


def words(name: str, qualified: str, doc: str) -> str:
    """What full-text search sees: the name split into words, the names around it, and the doc's first line."""
    parts = [_split_name(part) for part in qualified.split(".")]
    first = doc.partition("\n")[0][:120] if doc else ""
    return " ".join((name, *parts, first)).strip()


def _split_name(name: str) -> str:
    known = _split.get(name)
    if known is None:
        known = _split[name] = " ".join(_words.findall(name)).lower()
    return known

