"""The write line of a workspace, and its graph as of now: what verbs share.

How the graph is brought up to date is left to `indexing`; whether a single file changed is seen in `single_file.py`.
Questions stay fresh in one of three ways. What shows edges or lists anything (`neighbors`, `find`) has all files looked
at first, as here. What is about names alone (`where`, `resolve`) looks at their files when the graph knows them. And
where whoever opened the workspace sees to that (`Workspace.is_watched`), nobody looks at files.
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
    """Everything the write line works with."""
    return IndexContext(
        workspace.roots,
        workspace.languages,
        workspace.store,
        workspace.cache,
        workspace.runner,
        workspace.helpers,
        workspace.others,
        lambda: workspace.embedder,
        cast("GraphCache | None", workspace.graph_cache),  # below `indexing` nobody can say what it is
    )


@contextmanager
def current_graph(workspace: Workspace) -> Iterator[GraphReader]:
    """The graph, brought up to date with the files; GraphMissing when the workspace was never mapped."""
    if not workspace.store.exists():
        is_begun(workspace)  # a question does not build a graph: that can take minutes
    elif not workspace.is_watched:
        bring_up_to_date(index_context(workspace), workspace.progress)
    with workspace.store.reading() as reader:
        yield reader


def is_begun(workspace: Workspace) -> bool:
    """Whether a workspace without a graph had another working tree's to start from; what differs here is in it then."""
    context = index_context(workspace)
    if not context.others():
        return False
    workspace.prepare()
    if not start_from_another(context):
        return False
    bring_up_to_date(context, workspace.progress)
    return True
