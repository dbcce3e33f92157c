"""Search by meaning: the vectors of a graph held in memory, and which of them are nearest to a question.

Only with the extra `semantic`; without it nothing here is loaded. Making vectors is left to `indexing/rows/vectors.py`,
comparing them to the embedder.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from keel.errors import StoreBusy, StoreFull

if TYPE_CHECKING:
    from keel.ports.embedder import Embedder, Nearness
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

MAX_NEAREST = 200
"""How many are fused with the results by words."""


class _Held(NamedTuple):
    """The vectors of one revision of a graph."""

    embedder: Embedder
    revision: bytes | None
    nearness: Nearness


MAX_GRAPHS = 4
"""Graphs whose vectors are held: a server asks about one, a program perhaps about a few, and each is megabytes."""
_held: dict[str, _Held] = {}
"""By workspace folder: a server asks many questions about one graph. A graph that was written since is read again."""


def with_vectors(workspace: Workspace) -> None:
    """Makes the missing vectors; where they cannot be written, search goes by words."""
    embedder = workspace.embedder
    if embedder is None:
        return
    from keel.indexing.pipeline import REVISION
    from keel.indexing.rows.vectors import has_all_vectors, make_vectors

    with workspace.store.reading() as reader:
        if has_all_vectors(reader, embedder):
            return
    with suppress(StoreBusy, StoreFull), workspace.store.writing() as writer:
        make_vectors(writer, embedder, workspace.syntaxes, workspace.progress)
        writer.set_note(REVISION, b"%d" % (int(writer.note(REVISION) or 0) + 1))


def nearest_in_meaning(workspace: Workspace, reader: GraphReader, question: str) -> list[int] | None:
    """The nodes whose meaning is nearest to a question, the nearest first; None where there are no vectors to
    compare."""
    embedder = workspace.embedder
    if embedder is None:
        return None
    from keel.indexing.pipeline import REVISION
    from keel.indexing.rows.vectors import asked_text, has_all_vectors

    if not has_all_vectors(reader, embedder):
        return None
    revision = reader.note(REVISION)
    held = _held.get(workspace.folder)
    if held is None or held.embedder is not embedder or held.revision != revision:
        held = _held[workspace.folder] = _Held(embedder, revision, embedder.gather(reader.vectors()))
        if len(_held) > MAX_GRAPHS:
            del _held[next(iter(_held))]
    [vector] = embedder.embed([asked_text(question)])
    return held.nearness.nearest(vector, MAX_NEAREST)
