"""A graph as text: everything a reader can see of it, in an order that no history can change.

Two graphs that say the same give the same dump, byte for byte. Node and file numbers, times of looking and what linking
looked up are memory of how a graph came to be, and left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from keel.model.hashing import content_hash
from keel.model.kinds import EdgeKind, NodeKind, Reason, Tier
from keel.model.rows import StoredNode
from keel.ports.store import GraphReader

ALL = 10**9


def dump(graph: GraphReader) -> str:
    """Files, nodes, edges, words, vectors and reasons, one JSON object a line."""
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in _lines(graph))


def _lines(graph: GraphReader) -> Iterator[dict[str, object]]:
    profiles = graph.profiles()
    for row in graph.files():
        yield {
            "file": f"{row.root}:{row.path}",
            "language": row.language,
            "module": row.module,
            "content": row.content.hex(),
            "size": row.size,
            "state": row.state,
            "interface": content_hash(graph.interface(row.id) or b"").hex(),
            "references": content_hash(graph.references(row.id) or b"").hex(),
            "profile": content_hash(profiles.get(row.id, b"")).hex(),
        }
    nodes = list(graph.all_nodes())
    ids = {node.number: node_id for node_id, node in nodes}
    for node_id, node in nodes:
        yield _node(node_id, node)
    for node_id, node in nodes:
        yield from _edges(graph, ids, node_id, node)
    for row in graph.files():
        for number, words in sorted(graph.words(row.id).items(), key=lambda entry: ids[entry[0]]):
            yield {"words": ids[number], **words._asdict()}
    for word, count in graph.known_words("", ALL).items():
        yield {"word": word, "nodes": count}
    for node_id, vector in sorted((ids[number], vector) for number, vector in graph.vectors()):
        yield {"vector": node_id, "bytes": vector.hex()}
    for row in graph.files():
        reasons, candidates = graph.links(row.id)
        yield {
            "links": f"{row.root}:{row.path}",
            "reasons": [Reason(reason).word for reason in reasons],
            "candidates": {str(index): names for index, names in sorted(candidates.items())},
        }


def _node(node_id: str, node: StoredNode) -> dict[str, object]:
    columns = node._asdict()
    del columns["number"], columns["file"]
    return {"node": node_id, **columns, "kind": NodeKind(node.kind).word}


def _edges(graph: GraphReader, ids: dict[int, str], source: str, node: StoredNode) -> Iterator[dict[str, object]]:
    edges = [
        (node.start + edge.at, EdgeKind(edge.kind).word, ids[edge.target], edge)
        for edge in graph.edges_from(node.number)
    ]
    for at, kind, target, edge in sorted(edges, key=lambda entry: entry[:3]):
        yield {
            "edge": kind,
            "source": source,
            "at": at,
            "target": target,
            "tier": Tier(edge.tier).word,
            "confidence": edge.confidence,
            "type_only": edge.type_only,
            "metadata": edge.metadata,
        }
