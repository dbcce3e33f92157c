"""The workspace as linkers see it, from a graph that is up to date: for queries that need a linker again.

Bringing it up to date is left to `pipeline.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from keel.indexing.scan.manifests import remembered
from keel.indexing.tree import WorkspaceTree

if TYPE_CHECKING:
    from keel.indexing.context import IndexContext
    from keel.model.manifests import Manifest
    from keel.model.rows import FileRow
    from keel.ports.language import Language
    from keel.ports.store import GraphReader


def stored_tree(
    context: IndexContext,
    reader: GraphReader,
    language: Language,
    known: Iterable[FileRow] | None = None,
    declared: Sequence[Manifest] | None = None,
) -> WorkspaceTree:
    """The files of a language as the graph has them; `known` are all its files, where they are in memory.

    `declared` is what its manifests declare, where that is not what the graph has stored.
    """
    rows = reader.files() if known is None else known
    files = {row.id: row for row in rows if row.language == language.name}
    manifests = declared if declared is not None else remembered(reader, language) or []
    if context.graph_cache is not None and declared is None:
        return context.graph_cache.tree(reader, language, context.roots, files, manifests)
    return WorkspaceTree(context.roots, files, manifests, lambda file: reader.interface(file) or b"", language.decode)
