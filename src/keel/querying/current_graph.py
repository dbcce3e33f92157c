"""The current graph of a workspace, and the context that `indexing` updates it with: what verbs share.

Updating the graph is left to `indexing`; whether a single file changed is checked in `single_file.py`. Queries stay
fresh in one of three ways. Those that show edges or lists (`neighbors`, `find`) have all files scanned first, as here.
Those about names alone (`where`, `resolve`) check only the files that define them. And where the process that opened
the workspace keeps the graph up to date (`Workspace.is_watched`), no file is checked.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from keel.indexing.context import IndexContext
from keel.indexing.pipeline import bring_up_to_date
from keel.indexing.worktrees import start_from_another

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.indexing.cache.graph_cache import GraphCache
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace


def index_context(workspace: Workspace) -> IndexContext:
    """Everything that `indexing` works with."""
    return IndexContext(
        workspace.roots,
        workspace.languages,
        workspace.store,
        workspace.cache,
        workspace.runner,
        workspace.helpers,
        workspace.others,
        lambda: workspace.embedder,
        cast("GraphCache | None", workspace.graph_cache),  # the socket cannot name a type of `indexing`
    )


@contextmanager
def current_graph(workspace: Workspace) -> Iterator[GraphReader]:
    """The graph, brought up to date with the files; GraphMissing when the workspace was never mapped."""
    if not workspace.store.exists():
        is_begun(workspace)  # a query does not build a graph: that can take minutes
    elif not workspace.is_watched:
        bring_up_to_date(index_context(workspace), workspace.progress)
    with workspace.store.reading() as reader:
        yield reader


def is_begun(workspace: Workspace) -> bool:
    """Whether a workspace without a graph could start from another working tree's; its differences are then applied."""
    context = index_context(workspace)
    if not context.others():
        return False
    workspace.prepare()
    if not start_from_another(context):
        return False
    bring_up_to_date(context, workspace.progress)
    return True
