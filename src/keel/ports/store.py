"""The Store socket: where the graph lives between commands.

One writer at a time, readers beside it; a transaction is the whole of it or nothing. What the values mean is left to
`model/rows.py`, making them to `indexing`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from keel.model.rows import (
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
    StoredEdge,
    StoredNode,
    Words,
)


class GraphReader(Protocol):
    """Questions a graph answers. Listings come in a stable order that does not depend on node numbers."""

    def files(self) -> list[FileRow]:
        """All files, by root and path."""

    def file(self, number: int) -> FileRow | None:
        """One file by its number."""

    def files_with(self, flag: int) -> list[FileRow]:
        """Files whose own node has this flag, by root and path."""

    def files_into(self, file: int) -> list[FileRow]:
        """Other files with an edge into this one, by root and path."""

    def files_from(self, file: int) -> list[FileRow]:
        """Other files that an edge of this one leads into, by root and path."""

    def files_around(self, file: int) -> tuple[int, int]:
        """How many other files have an edge into this one, and into how many it has one."""

    def interface(self, file: int) -> bytes | None:
        """The encoded interface of a file."""

    def references(self, file: int) -> bytes | None:
        """The encoded references of a file."""

    def open_calls(self, name: str) -> int:
        """How many calls have no edge and may be of anything with this last name."""

    def links(self, file: int) -> tuple[bytes, dict[int, list[str]]]:
        """The reason byte of each reference of a file, and the candidates of the ambiguous ones."""

    def nodes(self, file: int) -> list[StoredNode]:
        """The nodes of a file by ordinal."""

    def node(self, number: int) -> StoredNode | None:
        """One node by its number."""

    def placed(self, numbers: Collection[int]) -> list[tuple[StoredNode, FileRow]]:
        """Nodes by their numbers, each with its file; in no particular order, and without those that are not there."""

    def with_hash(self, value: int) -> list[StoredNode]:
        """Nodes whose hash is this now."""

    def with_old_hash(self, value: int) -> list[StoredNode]:
        """Nodes that had this hash among their last three before now."""

    def with_name(self, name: str) -> list[StoredNode]:
        """Nodes by their last name, exactly."""

    def best_named(self, name: str, first: Collection[int], limit: int) -> list[StoredNode]:
        """So many nodes by their last name: those of some kinds first, then those whose dotted name is the shortest in
        segments, then by root, path and ordinal."""

    def with_name_and_kind(self, name: str, kind: int) -> list[StoredNode]:
        """Nodes of a kind by their last name, exactly."""

    def with_owner(self, owner: str, name: str) -> list[StoredNode]:
        """Nodes by their last name, and that of the class, function or module they are defined in."""

    def named(self, name: str, limit: int) -> list[StoredNode]:
        """The same, so many of them, in no particular order: some names are those of thousands."""

    def with_qualified_name(self, name: str) -> list[StoredNode]:
        """Nodes by qualified name, exactly."""

    def with_attribute(self, name: str, value: str) -> list[StoredNode]:
        """Nodes that have a value for an attribute, exactly."""

    def attributes(self, node: int) -> dict[str, list[str]]:
        """What else a node has: values by name, both sorted."""

    def found_by(self, wanted: NodeFilter, limit: int, offset: int) -> tuple[int, list[StoredNode]]:
        """How many nodes a filter leaves, and so many of them by root, path and ordinal."""

    def names_like(self, text: str, limit: int) -> list[str]:
        """Distinct node names by full-text search, best first.

        `text` is words split by blanks, as `Words.name` is; any of them is a match. Where many names have each,
        all must be there. A word that no name has is taken for a beginning.
        """

    def can_search(self) -> bool:
        """Whether words were kept to search by; without them the next three find nothing or fail."""

    def word_counts(self, words: Sequence[str]) -> dict[str, int]:
        """How many nodes have each of the words, counted to `COMMON`; a word that ends in `*` is a beginning."""

    def matching(self, counts: Mapping[str, int], limit: int) -> list[FoundNode]:
        """Nodes that have some of the words, those that fit best first; `counts` are those of `word_counts`.

        A word in the name counts more than one in what is said about it, a rare one more than one that many have. Only
        so many nodes are weighed: of words that many have, all must be there.
        """

    def known_words(self, beginning: str, limit: int) -> dict[str, int]:
        """Words that nodes are found by and that begin so, each with the number of nodes that have it.

        They come in order of the alphabet; whole names with `_` in them are no words.
        """

    def words(self, file: int) -> dict[int, Words]:
        """What nodes of a file are found by, by node number."""

    def vectors(self) -> Iterator[tuple[int, bytes]]:
        """Node numbers with the vectors that were kept for them, by number; streamed."""

    def without_vector(self) -> list[StoredNode]:
        """Nodes that no vector was kept for since they last changed."""

    def names_beginning(self, text: str, limit: int) -> list[str]:
        """Distinct names that begin with a text, sorted: qualified ones when there is a dot in it, else last names."""

    def edges_from(self, node: int) -> list[StoredEdge]:
        """Derived edges that leave a node, by position, kind and target."""

    def edges_to(self, node: int) -> list[StoredEdge]:
        """Derived edges that reach a node, by source, position and kind."""

    def edges_between(self, sources: Collection[int], targets: Collection[int]) -> list[StoredEdge]:
        """Derived edges from any of some nodes to any of others, in no particular order."""

    def ends(self, starts: Collection[int], along: Along, most: int) -> list[tuple[int, int]]:
        """The nodes that edges of the starts lead to, each with how many do; the first so many of them.

        They come by root, path and ordinal. Starts that lead to each other are among them.
        """

    def edge_counts(self, node: int, kinds: Collection[int] = ()) -> tuple[dict[int, int], dict[int, int]]:
        """How many derived edges reach a node, and how many leave it, by kind; of these kinds, if any are given."""

    def hop(self, wanted: Hop, limit: int, offset: int) -> tuple[int, list[StoredEdge]]:
        """How many edges a hop has, and so many of them by root, path and ordinal of the other node, then position."""

    def users(self, node: int, kinds: Collection[int], most: int) -> list[StoredNode]:
        """Nodes with an edge of one of these kinds into a node, at most so many; by root, path and ordinal."""

    def edges_of(self, file: int) -> list[EdgeRow]:
        """Derived edges that leave the nodes of a file, by source, position, kind and target."""

    def edge_ends(self) -> Iterator[EdgeEnds]:
        """What every derived edge connects, for whoever counts them; streamed, in no particular order."""

    def all_nodes(self) -> Iterator[tuple[str, StoredNode]]:
        """Every node with its id, in order of the id as text; streamed."""

    def dependents(self, keys: Collection[int]) -> set[int]:
        """Files whose linking looked up one of these facts."""

    def flows(self, slot: int) -> dict[int, bytes]:
        """What each file gives to a slot."""

    def slots(self, files: Iterable[int]) -> set[int]:
        """All slots that files give to."""

    def profiles(self) -> dict[int, bytes]:
        """The encoded profile of every file that has one."""

    def helper_answers(self, file: int, tier: int) -> HelperAnswers | None:
        """What a helper said of a file, if it was asked."""

    def helped(self, tier: int) -> dict[int, int]:
        """The files that a helper was asked about, each with how often linking had found something else."""

    def counts(self) -> dict[str, dict[str, int]]:
        """How many files by language, nodes by kind, exported nodes, edges by kind, tier and confidence (0.80)."""

    def note(self, name: str) -> bytes | None:
        """A small value about the whole graph."""

    def seal(self) -> bytes:
        """What the last commit sealed the graph with: no two commits have the same, so neither have graphs that differ.

        Empty for a graph that is not sealed, of which nothing can be told.
        """


class GraphWriter(GraphReader, Protocol):
    """One open transaction: reads see what it wrote."""

    @property
    def empty(self) -> bool:
        """Whether there was no graph before this transaction."""

    @property
    def next_seal(self) -> bytes:
        """What this transaction will seal the graph with."""

    def put(self, updates: Iterable[FileUpdate]) -> None:
        """Adds files or replaces their facts and nodes; nodes keep their number by qualified name and occurrence.

        The ordinals of a file's nodes are 0, 1, 2 … without a gap. Edges that leave a replaced file stay until
        `link`; edges into and from nodes that are gone go with them.
        """

    def link(self, links: Iterable[FileLinks]) -> None:
        """Replaces what the linking of files found. Every file an edge points into has been put before.

        An edge is told apart by source, position, kind and target; of equal ones the last counts.
        """

    def amend(self, amendments: Iterable[Amendment]) -> None:
        """Replaces edges and reasons of files that are linked; what they looked up and gave stays, and grows."""

    def keep_answers(self, answers: Iterable[HelperAnswers]) -> None:
        """Keeps what a helper said of files, in place of what it said before."""

    def forget_answers(self, files: Iterable[int] | None = None, tier: int | None = None) -> None:
        """Forgets what helpers said of these files, or of all; those of one tier, if one is given."""

    def keep_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Keeps the vectors of nodes, each until its node changes its hash or goes."""

    def forget_vectors(self) -> None:
        """Forgets all vectors."""

    def touch(self, rows: Iterable[FileRow]) -> None:
        """Updates the rows of files whose facts stay as they are."""

    def remove(self, files: Iterable[int]) -> None:
        """Takes files out with everything they hold, and the edges into them."""

    def set_note(self, name: str, value: bytes) -> None:
        """Keeps a small value about the whole graph."""

    def clear(self) -> None:
        """Empties the graph, as a rebuild from source needs it."""


Mark = tuple[int, ...]
"""Tells one graph from another that comes in its place."""


class Store(Protocol):
    """A graph that outlives the process."""

    def exists(self) -> bool:
        """Whether there is a graph to read."""

    def reading(self) -> AbstractContextManager[GraphReader]:
        """A consistent view of the graph as it was at the last commit; GraphMissing when there is none."""

    def writing(self) -> AbstractContextManager[GraphWriter]:
        """The one open transaction; commits at the end of the block, rolls back when the block raises.

        Waits a bounded time for another writer, then raises StoreBusy.
        """

    def copying(self, other: Store) -> AbstractContextManager[GraphWriter]:
        """A copy of the graph of another store of this kind, to be corrected before anybody sees it.

        At the end of the block it is the graph here, unless one has come meanwhile, which then stands. GraphMissing
        when the other has none; TypeError when it is of another kind.
        """

    def mark(self) -> Mark:
        """Which graph this is, readable or not, so that `discard` takes away no other."""

    def discard(self, mark: Mark | None = None) -> None:
        """Takes the graph away in whatever state it is: the way out of a damaged or a newer one.

        With a mark, only if no other graph has come in its place since.
        """
