"""Starting the graph of a new working tree from a copy of another one's: most of its files are the same.

What differs is found by the update that follows, by content: no stat is taken over. Where the graphs of other working
trees are is left to `bootstrap.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.errors import StoreError

if TYPE_CHECKING:
    from keel.indexing.context import IndexContext
    from keel.ports.store import Store

VERSIONS = "versions"
NEVER = -1
"""An mtime that no file has: its content is compared."""


def start_from_another(context: IndexContext) -> bool:
    """Copies the first graph that fits; False when there is none, and everything has to be read."""
    return any(_start_from(context, other) for other in context.others())


def _start_from(context: IndexContext, other: Store) -> bool:
    try:
        with other.reading() as reader:
            rows = reader.files()
            if reader.note(VERSIONS) != context.versions or any(row.root not in context.roots for row in rows):
                return False
        with context.store.copying(other) as writer:
            writer.touch([row._replace(mtime_ns=NEVER) for row in writer.files()])
    except StoreError:
        return False  # whatever is wrong with it, or with the disk, is reported when the graph is built here
    return context.store.exists()
