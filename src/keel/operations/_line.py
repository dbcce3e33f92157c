"""The write line of a workspace, and its graph as of now: what verbs share.

How the graph is brought up to date is left to `indexing`; whether a single file changed is seen in `_single.py`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from keel.indexing.line import Line
from keel.indexing.pipeline import bring_up_to_date

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.indexing.warmth import Warmth
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace


def line_of(workspace: Workspace) -> Line:
    """Everything the write line works with."""
    return Line(
        workspace.roots,
        workspace.languages,
        workspace.store,
        workspace.cache,
        workspace.runner,
        workspace.helpers,
        cast("Warmth | None", workspace.warmth),  # below `indexing` nobody can say what it is
    )


@contextmanager
def current_graph(workspace: Workspace) -> Iterator[GraphReader]:
    """The graph, brought up to date with the files; GraphMissing when the workspace was never mapped."""
    with workspace.store.reading():
        pass  # a question does not build a graph: that can take minutes
    bring_up_to_date(line_of(workspace), workspace.progress)
    with workspace.store.reading() as reader:
        yield reader
