"""Small graphs for tests of stores: rows with as few words as the test at hand needs.

What a store makes of them is for the tests to say.
"""

from __future__ import annotations

import re
from collections import Counter
from zlib import crc32

from keel.model.kinds import EdgeKind, NodeKind, Tier
from keel.model.rows import EdgeRow, FileLinks, FileRow, FileUpdate, NodeRow, Words
from keel.ports.store import GraphReader, GraphWriter


def a_row(number: int, path: str = "", root: str = "app", language: str = "python") -> FileRow:
    """A file's row; its path follows from its number unless it is given."""
    path = path or f"pkg/m{number}.py"
    return FileRow(number, root, path, language, f"pkg.m{number}", bytes([number % 256]) * 16, 100, 1, 2)


def a_file(
    number: int,
    *names: str,
    path: str = "",
    root: str = "app",
    language: str = "python",
    hashes: dict[str, int] | None = None,
) -> FileUpdate:
    """A file with one function for each qualified name, below its own node, which has ordinal 0."""
    row = a_row(number, path, root, language)
    own = a_node(0, row.path, NodeKind.FILE, row.path)
    seen: Counter[str] = Counter()
    nodes = [own]
    for ordinal, name in enumerate(names, 1):
        seen[name] += 1
        value = (hashes or {}).get(name, crc32(f"{row.path}:{name}:{seen[name]}".encode()))
        nodes.append(a_node(ordinal, name, NodeKind.FUNCTION, row.path, seen[name], value))
    return FileUpdate(row, f"interface of {names}".encode(), f"references of {names}".encode(), nodes)


def a_node(
    ordinal: int,
    qualified_name: str,
    kind: NodeKind = NodeKind.FUNCTION,
    path: str = "",
    occurrence: int = 1,
    value: int | None = None,
) -> NodeRow:
    """A definition; lines and offsets follow from its ordinal."""
    name = qualified_name.rpartition(".")[2] if kind != NodeKind.FILE else qualified_name
    return NodeRow(
        ordinal=ordinal,
        kind=kind,
        name=name,
        qualified_name=qualified_name,
        occurrence=occurrence,
        parent=0 if ordinal else -1,
        start=10 * ordinal,
        line=ordinal + 1,
        end_line=ordinal + 2,
        hash=crc32(f"{path}:{qualified_name}:{occurrence}".encode()) if value is None else value,
        body_hash=-ordinal,
        flags=0,
        words=Words(" ".join(re.split(r"[._/]", qualified_name.lower()))),
    )


def an_edge(
    source: int,
    target_file: int,
    target: int,
    at: int = 0,
    kind: EdgeKind = EdgeKind.CALLS,
    confidence: int = 90,
    metadata: str = "",
) -> EdgeRow:
    """An edge between ordinals."""
    tier = Tier.TIER2_TREESITTER_HEURISTIC
    return EdgeRow(source, at, kind, target_file, target, tier, confidence, 0, metadata)


def some_links(
    file: int,
    *edges: EdgeRow,
    keys: set[int] | None = None,
    reasons: bytes = b"\0",
    flows: dict[int, bytes] | None = None,
) -> FileLinks:
    """What linking a file found."""
    return FileLinks(file, list(edges), reasons, {}, keys or set(), flows or {})


def numbers(graph: GraphReader, file: int) -> dict[str, int]:
    """The numbers of a file's nodes by qualified name, `#n` where it occurs again."""
    return {
        f"{node.qualified_name}#{node.occurrence}" if node.occurrence > 1 else node.qualified_name: node.number
        for node in graph.nodes(file)
    }


def names(graph: GraphReader, file: int) -> list[str]:
    """The qualified names in a file, but for the file's own."""
    return [node.qualified_name for node in graph.nodes(file)[1:]]


def all_edges(graph: GraphReader) -> list[tuple[str, int, str, str, int]]:
    """Every edge as source id, position, kind, target id and confidence; by source, in its order."""
    ids = {node.number: node_id for node_id, node in graph.all_nodes()}
    return [
        (ids[edge.source], edge.at, EdgeKind(edge.kind).word, ids[edge.target], edge.confidence)
        for number in ids
        for edge in graph.edges_from(number)
    ]


def fill(writer: GraphWriter) -> None:
    """Two files that call each other: `a` and `b` of file 1, `c` of file 2."""
    writer.put([a_file(1, "a", "b"), a_file(2, "c")])
    writer.link(
        [
            some_links(1, an_edge(1, 2, 1), an_edge(2, 1, 1), keys={11, 12}),
            some_links(2, an_edge(1, 1, 1), keys={12, 13}),
        ]
    )


def fill_much(writer: GraphWriter) -> None:
    """300 files, more than a database keeps in memory: traces of them reach the disk before the commit."""
    files = range(100, 400)
    functions = [f"f{n}" for n in range(40)]
    writer.put(a_file(file, *functions)._replace(interface=bytes(30_000)) for file in files)
    writer.link(some_links(file, *(an_edge(n, file, n, at=file) for n in range(40)), keys={file}) for file in files)
