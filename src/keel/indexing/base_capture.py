"""Capturing the links of the accepted tree, in the daemon, before an update replaces them.

What is kept of them, and when it is valid, is left to `indexing/cache/base_links.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from keel.indexing.facts import cache_key

if TYPE_CHECKING:
    from keel.indexing.cache.graph_cache import GraphCache
    from keel.indexing.context import IndexContext
    from keel.indexing.update import Helped, Update
    from keel.model.facts import Interface
    from keel.model.rows import FileRow


def capture_base(
    context: IndexContext, graph_cache: GraphCache, update: Update, rows: Sequence[FileRow], helped: Helped | None
) -> None:
    """Captures the links that the graph, until the commit, has for the files that were linked; `rows` are its files."""
    if not update.persistent or (helped is not None and helped.asks):  # a helper may answer differently about any file
        graph_cache.bases.clear()
        return
    was = {row.id: row for row in rows}
    for name, base in list(graph_cache.bases.items()):
        linked = {file: links for file, links in update.new_links.items() if update.files[file].language == name}
        if any(file not in base.links for file in linked):
            with context.store.reading() as before:
                if not base.take(before, was, linked, update.put, partial(_interface_of, context)):
                    del graph_cache.bases[name]
                    continue
        if helped is None:
            base.drop_same(update.files, linked)


def _interface_of(context: IndexContext, row: FileRow, content: bytes) -> Interface | None:
    """The interface that a file had with this content, from the facts cache."""
    language = next(each for each in context.languages if each.name == row.language)
    key = cache_key(language, row.path, content)
    held = context.cache.get([key]).get(key)
    return None if held is None else context.decode(language, held[0])
