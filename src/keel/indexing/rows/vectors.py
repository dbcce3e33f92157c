"""Vectors of symbols: made after linking for those that are new or changed, by whoever the workspace has for it.

Only with the extra `semantic`. `map` and `sync` make them; a run in a hurry only notes that some are missing, and the
next search makes up for it. What is told of a symbol depends on nothing that its hash does not cover, so that a vector
lasts as long as the hash. How vectors are made is left to the embedder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.indexing.context import VECTORS
from keel.model.facts import MODULE_DEF, decode_interface
from keel.model.kinds import NodeKind
from keel.model.text.words import SAY_NOTHING, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.indexing.report import Progress
    from keel.model.facts import Interface
    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntax, Syntaxes
    from keel.ports.embedder import Embedder
    from keel.ports.store import GraphReader, GraphWriter

OF = "vectors of"
"""Another: the model that those are of which are there."""
WITHOUT = frozenset(map(int, (NodeKind.FILE, NodeKind.FIELD, NodeKind.CONSTANT)))
"""Kinds that are found by their names alone."""
DOC_LETTERS = 400
LOT = 2048


def has_all_vectors(reader: GraphReader, embedder: Embedder) -> bool:
    """Whether the vectors in the graph are this embedder's, and none is missing; the note is empty while some are."""
    return reader.note(VECTORS) == embedder.name.encode()


def owe_vectors(writer: GraphWriter) -> None:
    """Notes that some are missing, in a graph that had all."""
    if writer.note(VECTORS):
        writer.set_note(VECTORS, b"")


def make_vectors(writer: GraphWriter, embedder: Embedder, syntaxes: Syntaxes, progress: Progress) -> int:
    """Gives a vector to every symbol that has none; how many that were."""
    if writer.note(OF) != embedder.name.encode():
        writer.forget_vectors()
        writer.set_note(OF, embedder.name.encode())
    nameless = {syntax.nameless for syntax in syntaxes.values()}
    nodes = [node for node in writer.without_vector() if node.kind not in WITHOUT and node.name not in nameless]
    for at in range(0, len(nodes), LOT):
        progress("embedding", at, len(nodes))
        some = nodes[at : at + LOT]
        vectors = embedder.embed(list(_texts(writer, some, syntaxes)))
        writer.keep_vectors((node.number, vector) for node, vector in zip(some, vectors, strict=True))
    writer.set_note(VECTORS, embedder.name.encode())
    return len(nodes)


def asked_text(question: str) -> str:
    """A question as symbols are told: without words that say nothing."""
    return " ".join(_words(question))


def _texts(reader: GraphReader, nodes: list[StoredNode], syntaxes: Syntaxes) -> Iterator[str]:
    """Nodes come file by file, so that the facts of one file at a time are enough."""
    file, row, interface = 0, None, None
    for node in nodes:
        if node.file != file or row is None or interface is None:
            file, row = node.file, reader.file(node.file)
            interface = decode_interface(reader.interface(node.file) or b"")
            assert row is not None, "a node's file is in the graph"
        yield _text(node, row, interface, syntaxes[row.language])


def _text(node: StoredNode, row: FileRow, interface: Interface, syntax: Syntax) -> str:
    """Its name twice, since it says most, then its parameters and what its documentation begins with."""
    definition = interface.defs[node.ordinal]
    name = _words(row.path.rpartition(".")[0] if node.ordinal <= MODULE_DEF else node.qualified_name)
    params = definition.signature.params if definition.signature is not None else ()
    taken = [word for param in params for word in _words(interface.strings[param.name]) if word not in syntax.receivers]
    doc = _words(interface.text(definition.doc)[:DOC_LETTERS])
    return " ".join((*name, *name, *taken, *doc))


def _words(text: str) -> list[str]:
    return [word for piece in pieces_of(text) if (word := piece.lower()) not in SAY_NOTHING]
