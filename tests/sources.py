"""Files of a graph made up from a few words, with facts that hold together: for questions about nodes of any kind.

Routes and clients are among them, which no language brings yet. What is asked about them is each test's own business.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from keel.bootstrap import Workspace, open_workspace
from keel.graph.lookup.endpoints import METHOD, PATH, TARGET, TEMPLATE, TOPIC, template_of
from keel.model.facts import NOTHING, Def, Interface, References, Signature, encode
from keel.model.hashing import node_hash
from keel.model.ids import MODULE, PREFIX_OF, SYMBOL, Id
from keel.model.kinds import NodeKind, Visibility
from keel.model.rows import EdgeRow, FileRow, FileUpdate, NodeRow, Words
from tests.graphs import some_links

LINE = 20
"""Bytes of a line, its end included: every node has one of its own."""
_words = re.compile(r"\w+")


class SourceNode(NamedTuple):
    """A node of a file: what it is, its name within the file, and what else it has."""

    kind: NodeKind
    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    doc: str = ""


def a_route(method: str, path: str, *more: tuple[str, str]) -> SourceNode:
    """What answers to a method and path."""
    template = template_of(path)
    attributes = ((METHOD, method), (PATH, path), (TEMPLATE, template), *more)
    return SourceNode(NodeKind.ROUTE, f"{method} {template}", attributes)


def a_listener(topic: str) -> SourceNode:
    """A route that listens to a topic."""
    return SourceNode(NodeKind.ROUTE, topic, ((TOPIC, topic),))


def a_client(target: str, method: str, path: str, *more: tuple[str, str]) -> SourceNode:
    """What calls another service."""
    template = template_of(path)
    attributes = ((TARGET, target), (METHOD, method), (PATH, path), (TEMPLATE, template), *more)
    return SourceNode(NodeKind.CLIENT, f"{target} {method} {template}", attributes)


def a_producer(topic: str) -> SourceNode:
    """What sends to a topic."""
    return SourceNode(NodeKind.PRODUCER, topic, ((TOPIC, topic),))


def a_source(
    number: int, path: str, things: Iterable[SourceNode], root: str = "app", service: str = "", language: str = "python"
) -> FileUpdate:
    """A file with its own node, its module, and these below it; what is named `A.b` is inside `A`."""
    module = path.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
    all_things = [SourceNode(NodeKind.FILE, path), SourceNode(NodeKind.MODULE, MODULE), *things]
    row = FileRow(number, root, path, language, module, bytes(16), LINE * len(all_things), 1, 2, service=service)
    strings: dict[str, int] = {}
    ordinals: dict[str, int] = {}
    seen: Counter[str] = Counter()
    defs, nodes, attributes = [], [], []
    for ordinal, thing in enumerate(all_things):
        seen[thing.name] += 1
        name = _last_name(thing, row)
        owner = thing.name.rpartition(".")[0] if thing.kind not in PREFIX_OF else ""
        parent = ordinals.get(owner, 1) if ordinal > 1 else ordinal - 1
        ordinals.setdefault(thing.name, ordinal)
        made = _definition(thing, ordinal, parent, name, seen[thing.name], strings)
        defs.append(made)
        nodes.append(_row(row, thing, made, ordinal, name))
        attributes += [(ordinal, key, value) for key, value in thing.attributes]
    interface = Interface(list(strings), [LINE - 1] * len(all_things), [], defs, [], [], [], None)
    return FileUpdate(row, encode(interface), encode(References([])), nodes, tuple(attributes))


def _last_name(thing: SourceNode, row: FileRow) -> str:
    if thing.kind == NodeKind.FILE:
        return row.path.rpartition("/")[2]
    if thing.kind == NodeKind.MODULE:
        return row.module.rpartition(".")[2] or row.root
    return thing.name if thing.kind in PREFIX_OF else thing.name.rpartition(".")[2]


def _definition(
    thing: SourceNode, ordinal: int, parent: int, name: str, occurrence: int, strings: dict[str, int]
) -> Def:
    def text(said: str) -> int:
        return strings.setdefault(said, len(strings)) if said else NOTHING

    at = LINE * max(ordinal - 1, 0)
    hidden = Visibility.PROTECTED if name.startswith("_") else Visibility.PUBLIC
    is_called = thing.kind in (NodeKind.FUNCTION, NodeKind.METHOD)
    return Def(
        kind=thing.kind,
        name=text(name),
        qualified_name=text(thing.name),
        occurrence=occurrence,
        parent=parent,
        start=at,
        end=at + LINE - 1,
        name_at=at,
        flags=0,
        visibility=hidden,
        doc=text(thing.doc),
        body_hash=ordinal,
        signature=Signature([]) if is_called else None,
    )


def _row(row: FileRow, thing: SourceNode, made: Def, ordinal: int, name: str) -> NodeRow:
    node_id = str(Id(PREFIX_OF.get(thing.kind, SYMBOL), row.root, row.path, thing.name, made.occurrence))
    line = max(ordinal, 1)
    return NodeRow(
        ordinal=ordinal,
        kind=int(thing.kind),
        name=name,
        qualified_name=thing.name,
        occurrence=made.occurrence,
        parent=made.parent,
        start=made.start,
        line=line,
        end_line=line,
        hash=node_hash(node_id, made.body_hash, thing.doc),
        body_hash=made.body_hash,
        flags=made.flags | made.visibility << 20,
        words=Words(" ".join(_words.findall(name)).lower()),
    )


def a_workspace(
    folder: Path, updates: Sequence[FileUpdate], edges: dict[int, list[EdgeRow]] | None = None
) -> Workspace:
    """A workspace with this graph, which is kept up to date elsewhere: no file is looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    workspace = open_workspace(str(folder), str(folder))
    workspace.prepare()
    with workspace.store.writing() as writer:
        writer.put(updates)
        writer.link(some_links(update.row.id, *(edges or {}).get(update.row.id, []), reasons=b"") for update in updates)
    workspace.is_watched = True
    return workspace
