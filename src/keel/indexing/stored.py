"""The workspace as linkers see it, from a graph that is up to date: for questions that need a linker again.

Bringing it up to date is left to `pipeline`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.indexing.steering import remembered
from keel.indexing.tree import WorkspaceTree

if TYPE_CHECKING:
    from keel.indexing.line import Line
    from keel.ports.language import Language
    from keel.ports.store import GraphReader


def stored_tree(line: Line, reader: GraphReader, language: Language) -> WorkspaceTree:
    """The files of a language as the graph holds them."""
    files = {row.id: row for row in reader.files() if row.language == language.name}
    manifests = remembered(reader, language) or []
    return WorkspaceTree(line.roots, files, manifests, lambda file: reader.interface(file) or b"")
