"""Links of a small project as lines that specs can expect: edges, and references that have none, with the reason.

The project is written to disk and mapped by the real write line; which edges it must have is each document's own
business.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from keel.indexing.context import IndexContext as WriteLine
from keel.indexing.pipeline import build
from keel.languages.python import language
from keel.model.facts import decode_interface, decode_references
from keel.model.kinds import EdgeKind, Reason, RefKind, Tier
from keel.model.metadata import shown
from keel.ports.store import GraphReader
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from tests.memory_store import MemoryStore
from tests.spec.expect import ExpectedLine, compare, parse_line
from tests.spec.markdown import Block
from tests.twins import inline

ROOT = "main"
"""Where files without a `root` are; it is left out of the names in specs."""


def check_links(folder: Path, files: Mapping[tuple[str, str], bytes], block: Block) -> list[str]:
    """What of an `edges` block does not hold for the project."""
    store = MemoryStore()
    roots = dict.fromkeys(root for root, _ in files)
    named = {root: str(folder / root) for root in roots}
    for (root, path), data in files.items():
        file = folder / root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    build(WriteLine(named, [language], store, SqliteFactsCache(folder / "facts.db"), inline))
    with store.reading() as graph:
        edges, open_references = set(map(str, _edges(graph))), set(map(str, _unresolved(graph)))
    return _check(block, edges, open_references)


def _check(block: Block, edges: set[str], open_references: set[str]) -> list[str]:
    wrong: list[str] = []
    expected: list[tuple[int, ExpectedLine]] = []
    for number, text in block.lines():
        if text.startswith("no "):
            pattern = " ".join(text.removeprefix("no ").split())
            found = sorted(edge for edge in edges if fnmatchcase(edge.partition("  ")[0], f"{pattern} *"))
            wrong += [f"line {number}: there must be no: {edge}" for edge in found]
        elif text.startswith("unresolved "):
            line = parse_line(text)
            if not compare([(number, line)], map(parse_line, open_references), _nothing):
                continue
            near = [each for each in sorted(open_references) if line.head.split()[3] in each.split()]
            wrong.append(f"line {number}: missing: {line}" + "".join(f"\n    there is: {each}" for each in near))
        else:
            expected.append((number, parse_line(text)))
    return wrong + compare(expected, map(parse_line, sorted(edges)), _kind_of)


def _nothing(head: str) -> str:
    return head


def _kind_of(head: str) -> str:
    return head.split()[0]


def _edges(graph: GraphReader) -> Iterator[ExpectedLine]:
    ids = {node.number: node_id for node_id, node in graph.all_nodes()}
    for _, node in graph.all_nodes():
        for edge in graph.edges_from(node.number):
            metadata = shown(edge.metadata)
            attributes = {"tier": Tier(edge.tier).word}
            if edge.type_only:
                attributes["type_only"] = "yes"
            if metadata.get("implicit"):
                attributes["implicit"] = "true"
            if "warning" in metadata:
                attributes["warning"] = json.dumps(metadata["warning"], ensure_ascii=False)
            if candidates := metadata.get("candidates"):
                assert isinstance(candidates, list)
                attributes["candidates"] = ",".join(map(_short, candidates))
            kind = EdgeKind(edge.kind).word
            source, target = _short(ids[edge.source]), _short(ids[edge.target])
            yield ExpectedLine(f"{kind} {source} -> {target} {edge.confidence / 100:.2f}", attributes)


def _unresolved(graph: GraphReader) -> Iterator[ExpectedLine]:
    for row in graph.files():
        interface = decode_interface(graph.interface(row.id) or b"")
        reasons, candidates = graph.links(row.id)
        nodes = graph.nodes(row.id)
        for index, reference in enumerate(decode_references(graph.references(row.id) or b"").items):
            if reasons[index] != Reason.LINKED:
                place = _short(f"sym:{row.root}:{row.path}:{nodes[reference.source].qualified_name}")
                text, reason = interface.text(reference.text), Reason(reasons[index]).word
                found = candidates.get(index)
                attributes = {"candidates": ",".join(map(_short, found))} if found else {}
                yield ExpectedLine(f"unresolved {RefKind(reference.kind).word} {place} {text} {reason}", attributes)


def _short(node_id: str) -> str:
    return node_id.removeprefix("sym:").removeprefix(f"{ROOT}:")
