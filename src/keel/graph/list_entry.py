"""A symbol in a list: the fields that every answer that lists symbols has for each, before the answer's own.

What else a list says, and in what order, is left to the operations; the full form of a node to `graph/views.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.naming import id_of, kind_of
from keel.model.hashing import to_text
from keel.model.record import Record, field

if TYPE_CHECKING:
    from typing import Any

    from keel.model.rows import FileRow, StoredNode


class ListEntry(Record):
    """A symbol, with what it takes to recognise and to find it."""

    id: str = field("The stable name of the symbol.")
    hash: str = field("Its short handle.")
    kind: str = field("What it is.")
    name: str = field("Its last name.")
    qualified_name: str = field("Its name within the file.")
    module: str = field("The module it is in.")
    path: str = field("The file it is in.")
    line: int = field("The line of its name.")


def entry_fields(node: StoredNode, file: FileRow) -> dict[str, Any]:
    """The fields of a `ListEntry` for a node."""
    return {
        "id": id_of(node, file),
        "hash": to_text(node.hash),
        "kind": kind_of(node),
        "name": node.name,
        "qualified_name": node.qualified_name,
        "module": file.module,
        "path": file.path,
        "line": node.line,
    }
