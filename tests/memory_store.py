"""A graph that lives as long as the process: the Store socket at its plainest, for tests.

It shows what the socket means; how to do it fast or safely is left to the other stores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from os import urandom
from threading import Lock
from typing import Any

from keel.errors import GraphMissing, StoreBusy
from keel.graph.filtering import fits
from keel.model.ids import PREFIX_OF, SYMBOL, Id
from keel.model.kinds import EdgeKind, NodeKind, Tier
from keel.model.rows import (
    COMMON,
    EXPORTED,
    Along,
    Amendment,
    EdgeEnds,
    EdgeRow,
    FileLinks,
    FileRow,
    FileUpdate,
    FoundNode,
    HelperAnswers,
    Hop,
    NodeFilter,
    NodeRow,
    StoredEdge,
    StoredNode,
    Words,
)
from keel.ports.store import Mark, Store

NAME = "memory"
OLD_HASHES = 3
SEAL = "seal"
SEAL_BYTES = 12


class MemoryStore:
    """A graph that is one value: a commit puts another value in its place."""

    def __init__(self, wait_seconds: float = 30) -> None:
        self._graph: _Graph | None = None
        self._wait = wait_seconds
        self._lock = Lock()

    def exists(self) -> bool:
        """Whether there is a graph to read."""
        return self._graph is not None

    @contextmanager
    def reading(self) -> Iterator[MemoryReader]:
        """The graph as it was at the last commit."""
        if self._graph is None:
            raise GraphMissing(NAME)
        yield MemoryReader(self._graph)

    @contextmanager
    def writing(self) -> Iterator[MemoryWriter]:
        """A copy of the graph, which takes its place unless the block raises."""
        if not self._lock.acquire(timeout=self._wait):
            raise StoreBusy(NAME, f"waited {self._wait} s")
        try:
            graph = self._graph.copied() if self._graph else _Graph()
            writer = MemoryWriter(graph, empty=self._graph is None)
            yield writer
            writer.set_note(SEAL, writer.next_seal)
            self._graph = graph
        finally:
            self._lock.release()

    @contextmanager
    def copying(self, other: Store) -> Iterator[MemoryWriter]:
        """A copy of another graph, which becomes the graph here unless there is one."""
        if not isinstance(other, MemoryStore):
            raise TypeError(f"{type(other).__name__} is no MemoryStore")
        if other._graph is None:
            raise GraphMissing(NAME)
        graph = other._graph.copied()
        yield MemoryWriter(graph, empty=False)
        self._graph = self._graph or graph

    def mark(self) -> Mark:
        """Which graph it is: every write makes another one."""
        return (id(self._graph),)

    def discard(self, mark: Mark | None = None) -> None:
        """Takes the graph away."""
        if mark in (None, self.mark()):
            self._graph = None


@dataclass
class _Graph:
    """Everything a graph holds, by number; what is in the dictionaries is never changed."""

    files: dict[int, FileRow] = field(default_factory=dict)
    facts: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    links: dict[int, FileLinks] = field(default_factory=dict)
    nodes: dict[int, StoredNode] = field(default_factory=dict)
    words: dict[int, Words] = field(default_factory=dict)
    vectors: dict[int, bytes] = field(default_factory=dict)
    attributes: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    old_hashes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    edges: dict[tuple[int, int, int, int], StoredEdge] = field(default_factory=dict)
    answers: dict[tuple[int, int], HelperAnswers] = field(default_factory=dict)
    profiles: dict[int, bytes] = field(default_factory=dict)
    notes: dict[str, bytes] = field(default_factory=dict)

    def copied(self) -> _Graph:
        return _Graph(*(dict(getattr(self, one.name)) for one in fields(self)))


class MemoryReader:
    """A GraphReader that looks at everything to find anything."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph

    def files(self) -> list[FileRow]:
        """All files, by root and path."""
        return sorted(self._graph.files.values(), key=lambda row: (row.root, row.path))

    def file(self, number: int) -> FileRow | None:
        """One file by its number."""
        return self._graph.files.get(number)

    def files_with(self, flag: int) -> list[FileRow]:
        """Files whose own node has this flag, by root and path."""
        flagged = {node.file for node in self._graph.nodes.values() if node.kind == NodeKind.FILE and node.flags & flag}
        return [row for row in self.files() if row.id in flagged]

    def files_into(self, file: int) -> list[FileRow]:
        """Other files with an edge into this one, by root and path."""
        edges = self._file_edges()
        return [row for row in self.files() if (row.id, file) in edges and row.id != file]

    def files_from(self, file: int) -> list[FileRow]:
        """Other files that an edge of this one leads into, by root and path."""
        edges = self._file_edges()
        return [row for row in self.files() if (file, row.id) in edges and row.id != file]

    def files_around(self, file: int) -> tuple[int, int]:
        """How many other files have an edge into this one, and into how many it has one."""
        return len(self.files_into(file)), len(self.files_from(file))

    def interface(self, file: int) -> bytes | None:
        """The encoded interface of a file."""
        facts = self._graph.facts.get(file)
        return facts[0] if facts else None

    def references(self, file: int) -> bytes | None:
        """The encoded references of a file."""
        facts = self._graph.facts.get(file)
        return facts[1] if facts else None

    def open_calls(self, name: str) -> int:
        """How many calls have no edge and may be of anything with this last name."""
        return sum(found.open_calls.get(name, 0) for found in self._graph.links.values())

    def links(self, file: int) -> tuple[bytes, dict[int, list[str]]]:
        """The reason byte of each reference of a file, and the candidates of the ambiguous ones."""
        found = self._graph.links.get(file)
        return (found.reasons, found.candidates) if found else (b"", {})

    def nodes(self, file: int) -> list[StoredNode]:
        """The nodes of a file by ordinal."""
        return self._nodes_where(lambda node: node.file == file)

    def node(self, number: int) -> StoredNode | None:
        """One node by its number."""
        return self._graph.nodes.get(number)

    def placed(self, numbers: Collection[int]) -> list[tuple[StoredNode, FileRow]]:
        """Nodes by their numbers, each with its file."""
        nodes = [self._graph.nodes[number] for number in set(numbers) if number in self._graph.nodes]
        return [(node, self._graph.files[node.file]) for node in nodes]

    def with_hash(self, value: int) -> list[StoredNode]:
        """Nodes whose hash is this now."""
        return self._nodes_where(lambda node: node.hash == value)

    def with_old_hash(self, value: int) -> list[StoredNode]:
        """Nodes that had this hash among their last three before now."""
        return self._nodes_where(lambda node: value in self._graph.old_hashes.get(node.number, ()))

    def with_name(self, name: str) -> list[StoredNode]:
        """Nodes by their last name, exactly."""
        return self._nodes_where(lambda node: node.name == name)

    def best_named(self, name: str, first: Collection[int], limit: int) -> list[StoredNode]:
        """So many nodes by their last name, those of some kinds first, then the shortest dotted names."""

        def rank(node: StoredNode) -> tuple[bool, int]:
            module = self._graph.files[node.file].module
            return node.kind not in first, module.count(".") + node.qualified_name.count(".")

        return sorted(self.with_name(name), key=rank)[:limit]

    def with_name_and_kind(self, name: str, kind: int) -> list[StoredNode]:
        """Nodes of a kind by their last name, exactly."""
        return [node for node in self.with_name(name) if node.kind == kind]

    def with_owner(self, owner: str, name: str) -> list[StoredNode]:
        """Nodes by their last name, and that of what they are defined in."""
        return [
            node
            for node in self.with_name(name)
            if any(one.ordinal == node.parent and one.name == owner for one in self.nodes(node.file))
        ]

    def named(self, name: str, limit: int) -> list[StoredNode]:
        """So many nodes by their last name, exactly."""
        return self.with_name(name)[:limit]

    def with_qualified_name(self, name: str) -> list[StoredNode]:
        """Nodes by qualified name, exactly."""
        return self._nodes_where(lambda node: node.qualified_name == name)

    def with_attribute(self, name: str, value: str) -> list[StoredNode]:
        """Nodes that have a value for an attribute, exactly."""
        return self._nodes_where(lambda node: value in self.attributes(node.number).get(name, ()))

    def attributes(self, node: int) -> dict[str, list[str]]:
        """What else a node has: values by name, both sorted."""
        found: dict[str, list[str]] = {}
        for name, value in sorted(set(self._graph.attributes.get(node, ()))):
            found.setdefault(name, []).append(value)
        return found

    def found_by(self, wanted: NodeFilter, limit: int, offset: int) -> tuple[int, list[StoredNode]]:
        """How many nodes a filter leaves, and so many of them."""
        found = self._nodes_where(lambda node: self._is_wanted(node, wanted))
        return len(found), found[offset : offset + limit]

    def names_like(self, text: str, limit: int) -> list[str]:
        """Distinct node names by full-text search, best first."""
        best: dict[str, int] = {}
        known = {word for words in self._graph.words.values() for word in _lowered(words.name)}
        asked = [word if word in known else f"{word}*" for word in _lowered(text)]
        for number, words in self._graph.words.items():
            name, score = self._graph.nodes[number].name, sum(_is_among(word, _lowered(words.name)) for word in asked)
            if score:
                best[name] = max(score, best.get(name, 0))
        return sorted(best, key=lambda name: (-best[name], name))[:limit]

    def can_search(self) -> bool:
        """Whether words were kept to search by: always."""
        return True

    def word_counts(self, words: Sequence[str]) -> dict[str, int]:
        """How many nodes have each of the words, counted to `COMMON`."""
        asked = [word for word in dict.fromkeys(words) if word.strip("*")]
        return {word: min(COMMON, sum(_fit([word], has) > 0 for has in self._graph.words.values())) for word in asked}

    def matching(self, counts: Mapping[str, int], limit: int) -> list[FoundNode]:
        """Nodes that have some of the words, those that fit best first."""
        words = [word for word, count in counts.items() if count]
        found = [FoundNode(self._graph.nodes[number], _fit(words, has)) for number, has in self._graph.words.items()]
        fitting = sorted((one for one in found if one.score), key=lambda one: (-one.score, one.node.number))
        return fitting[: max(limit, 0)]

    def known_words(self, beginning: str, limit: int) -> dict[str, int]:
        """Words that nodes are found by and that begin so, each with the number of nodes that have it."""
        words = Counter(word for has in self._graph.words.values() for word in {*_lowered(has.name + " " + has.about)})
        return {word: words[word] for word in _beginning(words, beginning)[:limit]}

    def words(self, file: int) -> dict[int, Words]:
        """What nodes of a file are found by, by node number."""
        numbers = [node.number for node in self.nodes(file)]
        return {number: self._graph.words[number] for number in numbers if number in self._graph.words}

    def vectors(self) -> Iterator[tuple[int, bytes]]:
        """Node numbers with their vectors, by number."""
        yield from sorted(self._graph.vectors.items())

    def without_vector(self) -> list[StoredNode]:
        """Nodes that have no vector."""
        return self._nodes_where(lambda node: node.number not in self._graph.vectors)

    def names_beginning(self, text: str, limit: int) -> list[str]:
        """Distinct names that begin with a text, sorted: qualified ones when there is a dot in it, else last names."""
        nodes = self._graph.nodes.values()
        names = {node.qualified_name if "." in text else node.name for node in nodes}
        return sorted(name for name in names if name.startswith(text))[:limit]

    def edges_from(self, node: int) -> list[StoredEdge]:
        """Derived edges that leave a node, by position, kind and target."""
        edges = [edge for edge in self._graph.edges.values() if edge.source == node]
        return sorted(edges, key=lambda edge: (edge.at, edge.kind, self._place(edge.target)))

    def edges_to(self, node: int) -> list[StoredEdge]:
        """Derived edges that reach a node, by source, position and kind."""
        edges = [edge for edge in self._graph.edges.values() if edge.target == node]
        return sorted(edges, key=lambda edge: (self._place(edge.source), edge.at, edge.kind))

    def edges_between(self, sources: Collection[int], targets: Collection[int]) -> list[StoredEdge]:
        """Derived edges from any of some nodes to any of others."""
        return [edge for edge in self._graph.edges.values() if edge.source in sources and edge.target in targets]

    def ends(self, starts: Collection[int], along: Along, most: int) -> list[tuple[int, int]]:
        """The nodes that edges of the starts lead to, each with how many do; the first so many of them."""
        ask = self.edges_from if along.forward else self.edges_to
        found = Counter(
            edge.target if along.forward else edge.source
            for start in set(starts)
            for edge in ask(start)
            if edge.kind in along.kinds and edge.confidence >= along.least
        )
        return sorted(found.items(), key=lambda one: self._place(one[0]))[:most]

    def edge_counts(self, node: int, kinds: Collection[int] = ()) -> tuple[dict[int, int], dict[int, int]]:
        """How many derived edges reach a node, and how many leave it, by kind; of these kinds, if any are given."""
        into, out = (
            Counter(edge.kind for edge in self.edges_to(node) if edge.kind in kinds or not kinds),
            Counter(edge.kind for edge in self.edges_from(node) if edge.kind in kinds or not kinds),
        )
        return dict(sorted(into.items())), dict(sorted(out.items()))

    def hop(self, wanted: Hop, limit: int, offset: int) -> tuple[int, list[StoredEdge]]:
        """How many edges a hop has, and so many of them."""
        edges = self.edges_from(wanted.node) if wanted.forward else self.edges_to(wanted.node)
        found = []
        for edge in edges:
            other = edge.target if wanted.forward else edge.source
            is_sure = edge.kind in wanted.kinds and edge.confidence >= wanted.least
            if is_sure and self._is_wanted(self._graph.nodes[other], wanted.other):
                found.append(((*self._place(other), edge.at, edge.kind), edge))
        found.sort()
        return len(found), [edge for _, edge in found[offset : offset + limit]]

    def users(self, node: int, kinds: Collection[int], most: int) -> list[StoredNode]:
        """Nodes with an edge of one of these kinds into a node, at most so many."""
        sources = {edge.source for edge in self.edges_to(node) if edge.kind in kinds}
        return self._nodes_where(lambda each: each.number in sources)[:most]

    def edges_of(self, file: int) -> list[EdgeRow]:
        """Derived edges that leave the nodes of a file, by source, position, kind and target."""
        nodes = self._graph.nodes
        return [
            EdgeRow(node.ordinal, edge.at, edge.kind, nodes[edge.target].file, nodes[edge.target].ordinal, *edge[4:])
            for node in self.nodes(file)
            for edge in self.edges_from(node.number)
        ]

    def edge_ends(self) -> Iterator[EdgeEnds]:
        """What every derived edge connects, in no particular order."""
        nodes = self._graph.nodes
        for edge in self._graph.edges.values():
            source, target = nodes[edge.source], nodes[edge.target]
            yield EdgeEnds(edge.kind, edge.source, source.file, edge.target, target.file)

    def all_nodes(self) -> Iterator[tuple[str, StoredNode]]:
        """Every node with its id, in order of the id as text."""
        nodes = [(self._id(node), node) for node in self._graph.nodes.values()]
        yield from sorted(nodes, key=lambda pair: (pair[0], self._place(pair[1].number)))

    def dependents(self, keys: Collection[int]) -> set[int]:
        """Files whose linking looked up one of these facts."""
        return {found.file for found in self._graph.links.values() if found.keys & set(keys)}

    def flows(self, slot: int) -> dict[int, bytes]:
        """What each file gives to a slot."""
        links = self._graph.links
        return {file: links[file].flows[slot] for file in sorted(links) if slot in links[file].flows}

    def slots(self, files: Iterable[int]) -> set[int]:
        """All slots that files give to."""
        return {slot for file in files if file in self._graph.links for slot in self._graph.links[file].flows}

    def helper_answers(self, file: int, tier: int) -> HelperAnswers | None:
        """What a helper said of a file, if it was asked."""
        return self._graph.answers.get((file, tier))

    def helped(self, tier: int) -> dict[int, int]:
        """The files that a helper was asked about, each with how often linking had found something else."""
        return {one.file: one.disagreements for one in self._graph.answers.values() if one.tier == tier}

    def profiles(self) -> dict[int, bytes]:
        """The encoded profile of every file that has one."""
        return {file: profile for file, profile in self._graph.profiles.items() if profile}

    def counts(self) -> dict[str, dict[str, int]]:
        """How many files by language, nodes by kind, exported nodes, edges by kind, tier and confidence."""
        graph = self._graph
        nodes, edges = graph.nodes.values(), graph.edges.values()
        return {
            "files": _counted(row.language for row in graph.files.values()),
            "nodes": _counted((node.kind for node in nodes), lambda kind: NodeKind(kind).word),
            "exported": _counted("exported" for node in nodes if node.flags & EXPORTED),
            "edges": _counted((edge.kind for edge in edges), lambda kind: EdgeKind(kind).word),
            "tiers": _counted((edge.tier for edge in edges), lambda tier: Tier(tier).word),
            "confidence": _counted((edge.confidence for edge in edges), lambda share: f"{share / 100:.2f}"),
        }

    def note(self, name: str) -> bytes | None:
        """A small value about the whole graph."""
        return self._graph.notes.get(name)

    def seal(self) -> bytes:
        """What the last commit sealed the graph with."""
        return self._graph.notes.get(SEAL, b"")

    def _file_edges(self) -> set[tuple[int, int]]:
        return {(ends.source_file, ends.target_file) for ends in self.edge_ends()}

    def _nodes_where(self, wanted: Callable[[StoredNode], bool]) -> list[StoredNode]:
        nodes = [node for node in self._graph.nodes.values() if wanted(node)]
        return sorted(nodes, key=lambda node: self._place(node.number))

    def _is_wanted(self, node: StoredNode, wanted: NodeFilter) -> bool:
        return fits(node, self._graph.files[node.file], self.attributes(node.number), wanted)

    def _place(self, number: int) -> tuple[str, str, int]:
        node = self._graph.nodes[number]
        row = self._graph.files[node.file]
        return row.root, row.path, node.ordinal

    def _id(self, node: StoredNode) -> str:
        row = self._graph.files[node.file]
        return str(Id(PREFIX_OF.get(node.kind, SYMBOL), row.root, row.path, node.qualified_name, node.occurrence))


class MemoryWriter(MemoryReader):
    """A GraphWriter on a graph that no reader sees yet."""

    def __init__(self, graph: _Graph, *, empty: bool) -> None:
        super().__init__(graph)
        self.empty = empty
        self.next_seal = urandom(SEAL_BYTES)

    def put(self, updates: Iterable[FileUpdate]) -> None:
        """Adds files or replaces their facts and nodes."""
        for update in updates:
            file = update.row.id
            self._graph.files[file] = update.row
            self._graph.facts[file] = update.interface, update.references
            self._graph.profiles[file] = update.profile
            stored = {_key(node): node for node in self.nodes(file)}
            self._delete(stored[key].number for key in stored.keys() - set(map(_key, update.nodes)))
            for row in update.nodes:
                self._put_node(file, row, stored.get(_key(row)))
            for node in self.nodes(file):
                pairs = tuple((name, value) for ordinal, name, value in update.attributes if ordinal == node.ordinal)
                self._graph.attributes[node.number] = pairs

    def link(self, links: Iterable[FileLinks]) -> None:
        """Replaces what the linking of files found."""
        for found in links:
            self._replace_edges(found.file, found.edges)
            self._graph.links[found.file] = found

    def amend(self, amendments: Iterable[Amendment]) -> None:
        """Replaces edges and reasons of files that are linked; what they looked up and gave stays, and grows."""
        for made in amendments:
            self._replace_edges(made.file, made.edges)
            links = self._graph.links[made.file]
            self._graph.links[made.file] = links._replace(
                edges=made.edges,
                reasons=made.reasons,
                candidates=made.candidates,
                keys=links.keys | made.keys,
                open_calls=made.open_calls,
            )

    def keep_answers(self, answers: Iterable[HelperAnswers]) -> None:
        """Keeps what a helper said of files, in place of what it said before."""
        self._graph.answers.update({(one.file, one.tier): one for one in answers})

    def forget_answers(self, files: Iterable[int] | None = None, tier: int | None = None) -> None:
        """Forgets what helpers said of these files, or of all; those of one tier, if one is given."""
        gone = set(self._graph.files if files is None else files)
        for key in [key for key in self._graph.answers if key[0] in gone and tier in (None, key[1])]:
            del self._graph.answers[key]

    def _replace_edges(self, file: int, rows: Iterable[EdgeRow]) -> None:
        for node in self.nodes(file):
            self._drop_edges(self.edges_from(node.number))
        for row in rows:
            edge = self._stored_edge(file, row)
            self._graph.edges[edge[:4]] = edge

    def keep_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Keeps the vectors of nodes."""
        self._graph.vectors.update(vectors)

    def forget_vectors(self) -> None:
        """Forgets all vectors."""
        self._graph.vectors.clear()

    def touch(self, rows: Iterable[FileRow]) -> None:
        """Updates the rows of files whose facts stay as they are."""
        self._graph.files.update((row.id, row) for row in rows if row.id in self._graph.files)

    def remove(self, files: Iterable[int]) -> None:
        """Takes files out with everything they hold, and the edges into them."""
        for file in files:
            self._delete(node.number for node in self.nodes(file))
            for held in (self._graph.files, self._graph.facts, self._graph.links, self._graph.profiles):
                held.pop(file, None)
            self.forget_answers([file])

    def set_note(self, name: str, value: bytes) -> None:
        """Keeps a small value about the whole graph."""
        self._graph.notes[name] = value

    def clear(self) -> None:
        """Empties the graph."""
        for one in fields(self._graph):
            getattr(self._graph, one.name).clear()

    def _put_node(self, file: int, row: NodeRow, old: StoredNode | None) -> None:
        number = old.number if old else max(self._graph.nodes, default=0) + 1
        if old and old.hash != row.hash:
            before = (*self._graph.old_hashes.get(number, ()), old.hash)
            self._graph.old_hashes[number] = before[-OLD_HASHES:]
        self._graph.nodes[number] = StoredNode(number, file, *row[:-1])
        if row.words.name:
            self._graph.words[number] = row.words
        else:
            self._graph.words.pop(number, None)
        if old and old.hash != row.hash:
            self._graph.vectors.pop(number, None)

    def _delete(self, numbers: Iterable[int]) -> None:
        for number in list(numbers):
            self._drop_edges(self.edges_from(number) + self.edges_to(number))
            del self._graph.nodes[number]
            self._graph.words.pop(number, None)
            self._graph.vectors.pop(number, None)
            self._graph.old_hashes.pop(number, None)
            self._graph.attributes.pop(number, None)

    def _drop_edges(self, edges: list[StoredEdge]) -> None:
        for edge in edges:
            self._graph.edges.pop(edge[:4], None)

    def _stored_edge(self, file: int, row: EdgeRow) -> StoredEdge:
        source = self.nodes(file)[row.source].number
        target = self.nodes(row.target_file)[row.target].number
        return StoredEdge(source, row.at, row.kind, target, *row[5:])


def _key(node: NodeRow | StoredNode) -> tuple[str, int]:
    return node.qualified_name, node.occurrence


def _lowered(words: str) -> list[str]:
    return words.lower().split()


def _fit(asked: Sequence[str], has: Words) -> float:
    """A word in the name counts as much as four that are said about it."""
    return sum(
        4.0 if _is_among(word, _lowered(has.name)) else 1.0 if _is_among(word, _lowered(has.about)) else 0.0
        for word in dict.fromkeys(asked)
        if word.strip("*")
    )


def _beginning(words: Iterable[str], text: str) -> list[str]:
    return sorted(word for word in words if word.startswith(text) and "_" not in word)


def _is_among(word: str, words: list[str]) -> bool:
    return any(one.startswith(word[:-1]) for one in words) if word.endswith("*") else word in words


def _counted(values: Iterable[Any], word: Callable[[Any], str] = str) -> dict[str, int]:
    return {word(value): count for value, count in sorted(Counter(values).items())}
