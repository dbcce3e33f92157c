"""The two graphs that are compared: the current one, as stored, and base, of which only the difference is linked.

A `DefRef` refers to a definition of one of the graphs; files have the same number in both. What the difference means is
left to `enforcement/delta.py` and `enforcement/breaks`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, Protocol

from keel.model.facts import ACCESSOR, Interface, Lines, Reference, decode_references
from keel.model.kinds import RefKind
from keel.model.refs import DefRef
from keel.model.rows import FileLinks, StoredNode
from keel.ports.store import GraphReader
from keel.ports.tree import Tree

IMPLICIT = '"implicit"'
Key = tuple[object, ...]
Name = tuple[str, int]
"""The qualified name of a definition, and its occurrence among those of that name in its file."""


class Edge(NamedTuple):
    """An edge of either graph; `at` is the byte offset of its reference in the file."""

    file: int
    source: int
    at: int
    kind: int
    target: DefRef
    tier: int
    confidence: int
    is_implicit: bool


class Facts:
    """The facts of the files of one tree, decoded when they are first used."""

    def __init__(self, tree: Tree[Interface], references: Callable[[int], bytes]) -> None:
        self.tree = tree
        self._references = references
        self._held: dict[int, Interface] = {}
        self._lines: dict[int, Lines] = {}
        self._decoded: dict[int, list[Reference]] = {}
        self._names: dict[int, list[Name]] = {}
        self._ordinals: dict[int, dict[Name, int]] = {}
        self._places: dict[int, dict[int, list[tuple[int, Reference]]]] = {}
        self._alike: dict[int, dict[Key, list[tuple[int, Reference]]]] = {}

    def has(self, file: int) -> bool:
        """Whether the tree has a file."""
        return file in self.tree.files

    def interface(self, file: int) -> Interface:
        """The definitions, imports and names of a file."""
        if file not in self._held:
            self._held[file] = self.tree.interface(file)
        return self._held[file]

    def lines(self, file: int) -> Lines:
        """The line index of a file."""
        if file not in self._lines:
            self._lines[file] = Lines(self.interface(file).lines)
        return self._lines[file]

    def references(self, file: int) -> list[Reference]:
        """The references of a file."""
        if file not in self._decoded:
            self._decoded[file] = decode_references(self._references(file)).items
        return self._decoded[file]

    def references_at(self, file: int, at: int) -> list[tuple[int, Reference]]:
        """The references at a byte offset, with their index."""
        if file not in self._places:
            defs = self.interface(file).defs
            held = self._places[file] = {}
            for index, one in enumerate(self.references(file)):
                held.setdefault(defs[one.source].start + one.at, []).append((index, one))
        return self._places[file].get(at, [])

    def alike(self, file: int, key: Key) -> list[tuple[int, Reference]]:
        """The references of a file, with their index, that have the same key."""
        if file not in self._alike:
            interface = self.interface(file)
            held = self._alike[file] = {}
            for index, one in enumerate(self.references(file)):
                held.setdefault(key_of(interface, one), []).append((index, one))
        return self._alike[file].get(key, [])

    def name(self, ref: DefRef) -> Name:
        """The name that identifies a definition in its file."""
        if ref.file not in self._names:
            self._names[ref.file] = _names(self.interface(ref.file))
        return self._names[ref.file][ref.ordinal]

    def named(self, file: int, name: Name) -> DefRef | None:
        """The definition of a file that has a name, if any."""
        if not self.has(file):
            return None
        if file not in self._ordinals:
            count = len(self.interface(file).defs)
            self._ordinals[file] = {self.name(DefRef(file, ordinal)): ordinal for ordinal in range(1, count)}
        ordinal = self._ordinals[file].get(name)
        return None if ordinal is None else DefRef(file, ordinal)


def _names(interface: Interface) -> list[Name]:
    """The names of all definitions; setters and deleters are counted separately, downwards from -1.

    So a setter is not mistaken for its property when the getter was removed, and the setter comes first.
    """
    counts: dict[tuple[int, int], int] = {}
    found: list[Name] = []
    for each in interface.defs:
        step = -1 if each.flags & ACCESSOR else 1
        counts[each.qualified_name, step] = number = counts.get((each.qualified_name, step), 0) + step
        found.append((interface.text(each.qualified_name), number))
    return found


def key_of(interface: Interface, reference: Reference) -> Key:
    """A reference without its position: role, text, and for a call how its arguments are passed."""
    shape = interface.shape(reference) if reference.kind == RefKind.CALL else None
    return reference.kind, interface.text(reference.text), shape


class CurrentGraph:
    """The current graph, as it is stored."""

    def __init__(self, facts: Facts, reader: GraphReader) -> None:
        self.facts, self.reader = facts, reader
        self._nodes: dict[int, list[StoredNode]] = {}
        self._numbered: dict[int, StoredNode | None] = {}
        self._out_of: dict[int, list[Edge]] = {}
        self._by_source: dict[int, dict[tuple[int, int], list[DefRef]]] = {}

    def node(self, ref: DefRef) -> StoredNode:
        """The row of a definition."""
        return self.nodes(ref.file)[ref.ordinal]

    def nodes(self, file: int) -> list[StoredNode]:
        """The rows of all definitions of a file."""
        if file not in self._nodes:
            self._nodes[file] = self.reader.nodes(file)
        return self._nodes[file]

    def into(self, ref: DefRef) -> list[Edge]:
        """The edges that point to a definition."""
        found = []
        for row in self.reader.edges_to(self.node(ref).number):
            source = self._by_number(row.source)
            if source is not None:
                found.append(_stored(source, row.at, row.kind, ref, row.tier, row.confidence, row.metadata))
        return found

    def out_of(self, file: int) -> list[Edge]:
        """The edges that start in a file."""
        if file not in self._out_of:
            self._out_of[file] = self._stored_out_of(file)
        return self._out_of[file]

    def _stored_out_of(self, file: int) -> list[Edge]:
        starts = [node.start for node in self.nodes(file)]
        return [
            Edge(
                file,
                row.source,
                starts[row.source] + row.at,
                row.kind,
                DefRef(row.target_file, row.target),
                row.tier,
                row.confidence,
                IMPLICIT in row.metadata,
            )
            for row in self.reader.edges_of(file)
        ]

    def targets(self, ref: DefRef, kind: int) -> list[DefRef]:
        """The targets of the edges of a kind that start in a definition."""
        if ref.file not in self._by_source:
            held = self._by_source[ref.file] = {}
            for edge in self.out_of(ref.file):
                held.setdefault((edge.source, edge.kind), []).append(edge.target)
        return self._by_source[ref.file].get((ref.ordinal, kind), [])

    def reason(self, file: int, index: int) -> int:
        """Why a reference is unresolved; 0 when it has an edge."""
        return self.reader.links(file)[0][index]

    def files_into(self, file: int) -> list[int]:
        """The files with an edge into a file."""
        return [row.id for row in self.reader.files_into(file)]

    def mentions(self, file: int, names: Collection[bytes]) -> bool:
        """Whether one of these names may occur in a file; never False when one does."""
        data = self.reader.interface(file) or b""
        return any(name in data for name in names)

    def _by_number(self, number: int) -> StoredNode | None:
        if number not in self._numbered:
            self._numbered[number] = self.reader.node(number)
        return self._numbered[number]


def _stored(source: StoredNode, at: int, kind: int, target: DefRef, tier: int, confidence: int, metadata: str) -> Edge:
    return Edge(source.file, source.ordinal, source.start + at, kind, target, tier, confidence, IMPLICIT in metadata)


class Linked(Protocol):
    """Base, linked again where it differs."""

    @property
    def links(self) -> Mapping[int, FileLinks]:
        """The edges and references of the files that were linked again with base's facts."""

    @property
    def reaches(self) -> bool:
        """Whether names may resolve differently outside of the definitions that differ."""


class Same(NamedTuple):
    """A base that equals the current tree."""

    links: Mapping[int, FileLinks] = {}
    reaches: bool = False


class BaseGraph:
    """The base graph: files that were linked again with base's facts; for the others, their current edges."""

    def __init__(self, facts: Facts, linked: Linked, now: CurrentGraph) -> None:
        self.facts, self._linked, self._now = facts, linked, now
        self.reaches = linked.reaches
        """Whether names may resolve differently outside of the definitions that differ."""
        self._into: dict[DefRef, list[Edge]] | None = None
        self._out_of: dict[int, list[Edge]] = {}
        self._at: dict[int, dict[int, list[Edge]]] = {}

    @property
    def links(self) -> Mapping[int, FileLinks]:
        """The files that were linked again; expensive on first use."""
        return self._linked.links

    def out_of(self, file: int) -> list[Edge]:
        """The edges that start in a file of base."""
        if file not in self._out_of:
            self._out_of[file] = self._linked_out_of(file)
        return self._out_of[file]

    def out_of_offset(self, file: int, at: int) -> list[Edge]:
        """The edges that start at a byte offset of a file of base."""
        if file not in self._at:
            held = self._at[file] = {}
            for edge in self.out_of(file):
                held.setdefault(edge.at, []).append(edge)
        return self._at[file].get(at, [])

    def _linked_out_of(self, file: int) -> list[Edge]:
        if file not in self.links:
            edges = [(edge, self.counterpart(edge.target)) for edge in self._now.out_of(file)]
            return [edge._replace(target=target) for edge, target in edges if target is not None]
        defs = self.facts.interface(file).defs
        return [
            Edge(
                file,
                row.source,
                defs[row.source].start + row.at,
                row.kind,
                DefRef(row.target_file, row.target),
                row.tier,
                row.confidence,
                IMPLICIT in row.metadata,
            )
            for row in self.links[file].edges
        ]

    def into(self, ref: DefRef) -> list[Edge]:
        """The edges that point to a definition of base."""
        if self._into is None:
            self._into = {}
            for file in self.links:
                for edge in self.out_of(file):
                    self._into.setdefault(edge.target, []).append(edge)
        found = list(self._into.get(ref, ()))
        now = self._now.facts.named(ref.file, self.facts.name(ref))
        if now is not None:
            others = (edge for edge in self._now.into(now) if edge.file not in self.links)
            found += [edge._replace(target=ref) for edge in others if self.facts.has(edge.file)]
        return found

    def counterpart(self, ref: DefRef) -> DefRef | None:
        """The definition of base that has the name of a current one."""
        return self.facts.named(ref.file, self._now.facts.name(ref)) if self.facts.has(ref.file) else None
