"""The Store socket: where the graph is kept between commands.

One writer at a time, readers beside it; a transaction is atomic. What the values mean is defined in `model/rows.py`;
making them is left to `indexing`.
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
    """Queries on a graph. Lists come in a stable order that does not depend on node numbers, unless stated otherwise.

    All queries of one reader see the same commit.
    """

    def files(self) -> list[FileRow]:
        """All files, by root and path."""

    def file(self, number: int) -> FileRow | None:
        """One file by its number."""

    def files_with(self, flag: int) -> list[FileRow]:
        """Files whose own node has this flag, by root and path."""

    def files_into(self, file: int) -> list[FileRow]:
        """Other files with an edge into this one, by root and path."""

    def files_from(self, file: int) -> list[FileRow]:
        """Other files that this one has an edge into, by root and path."""

    def files_around(self, file: int) -> tuple[int, int]:
        """How many other files have an edge into this one, and into how many it has one."""

    def interface(self, file: int) -> bytes | None:
        """The encoded interface of a file."""

    def references(self, file: int) -> bytes | None:
        """The encoded references of a file."""

    def open_calls(self, name: str) -> int:
        """How many calls have no edge and may call anything with this last name."""

    def links(self, file: int) -> tuple[bytes, dict[int, list[str]]]:
        """The reason byte of each reference of a file, and the candidates of the ambiguous ones."""

    def nodes(self, file: int) -> list[StoredNode]:
        """The nodes of a file by ordinal."""

    def node(self, number: int) -> StoredNode | None:
        """One node by its number."""

    def placed(self, numbers: Collection[int]) -> list[tuple[StoredNode, FileRow]]:
        """Nodes by their numbers, each with its file; in no particular order; numbers without a node are skipped."""

    def with_hash(self, value: int) -> list[StoredNode]:
        """Nodes with this current hash."""

    def with_old_hash(self, value: int) -> list[StoredNode]:
        """Nodes that had this hash among their last three before the current one."""

    def with_name(self, name: str) -> list[StoredNode]:
        """Nodes by their last name, exactly."""

    def best_named(self, name: str, first: Collection[int], limit: int) -> list[StoredNode]:
        """At most so many nodes by their last name: those of some kinds first, then those whose dotted name has the
        fewest segments, then by root, path and ordinal."""

    def with_name_and_kind(self, name: str, kind: int) -> list[StoredNode]:
        """Nodes of a kind by their last name, exactly."""

    def with_owner(self, owner: str, name: str) -> list[StoredNode]:
        """Nodes by their last name, and that of the class, function or module they are defined in."""

    def named(self, name: str, limit: int) -> list[StoredNode]:
        """At most so many nodes by their last name, in no particular order: some names have thousands."""

    def with_qualified_name(self, name: str) -> list[StoredNode]:
        """Nodes by qualified name, exactly."""

    def with_attribute(self, name: str, value: str) -> list[StoredNode]:
        """Nodes that have exactly this value for an attribute."""

    def attributes(self, node: int) -> dict[str, list[str]]:
        """The attributes of a node: values by name, both sorted."""

    def found_by(self, wanted: NodeFilter, limit: int, offset: int) -> tuple[int, list[StoredNode]]:
        """How many nodes match a filter, and a page of them by root, path and ordinal."""

    def names_like(self, text: str, limit: int) -> list[str]:
        """Distinct node names by full-text search, best first.

        `text` is words separated by blanks, as `Words.name` is; any of them is a match. Where many names have each, all
        of them must match. A word that no name has is taken for a prefix.
        """

    def can_search(self) -> bool:
        """Whether words were indexed for search; without them the next three find nothing or fail."""

    def word_counts(self, words: Sequence[str]) -> dict[str, int]:
        """How many nodes have each of the words, counted up to `COMMON`; a word that ends in `*` is a prefix."""

    def matching(self, counts: Mapping[str, int], limit: int) -> list[FoundNode]:
        """Nodes that have some of the words, the best first; `counts` are those of `word_counts`.

        A word in the name counts more than one in the rest of the text, a rare one more than a frequent one. Only a
        bounded number of nodes is ranked: of frequent words, all must match.
        """

    def known_words(self, beginning: str, limit: int) -> dict[str, int]:
        """Indexed words with a prefix, each with the number of nodes that have it.

        They come in alphabetical order; whole names with `_` in them are not words.
        """

    def words(self, file: int) -> dict[int, Words]:
        """The indexed words of a file's nodes, by node number."""

    def vectors(self) -> Iterator[tuple[int, bytes]]:
        """Node numbers with their stored vectors, by number; streamed."""

    def without_vector(self) -> list[StoredNode]:
        """Nodes without a vector that was stored since their last change."""

    def names_beginning(self, text: str, limit: int) -> list[str]:
        """Distinct names with a prefix, sorted: qualified ones when the prefix has a dot, else last names."""

    def edges_from(self, node: int) -> list[StoredEdge]:
        """Derived edges that leave a node, by position, kind and target."""

    def edges_to(self, node: int) -> list[StoredEdge]:
        """Derived edges that reach a node, by source, position and kind."""

    def edges_between(self, sources: Collection[int], targets: Collection[int]) -> list[StoredEdge]:
        """Derived edges from any of some nodes to any of others, in no particular order."""

    def ends(self, starts: Collection[int], along: Along, most: int) -> list[tuple[int, int]]:
        """The nodes at the other end of the edges of the starts, each with the number of those edges; at most so many.

        They come by root, path and ordinal. Starts that are connected to each other are among them.
        """

    def edge_counts(self, node: int, kinds: Collection[int] = ()) -> tuple[dict[int, int], dict[int, int]]:
        """How many derived edges reach a node, and how many leave it, by kind; of these kinds, if any are given."""

    def hop(self, wanted: Hop, limit: int, offset: int) -> tuple[int, list[StoredEdge]]:
        """How many edges a hop has, and a page of them by root, path and ordinal of the other node, then position."""

    def users(self, node: int, kinds: Collection[int], most: int) -> list[StoredNode]:
        """Nodes with an edge of one of these kinds into a node, at most so many; by root, path and ordinal."""

    def edges_of(self, file: int) -> list[EdgeRow]:
        """Derived edges that leave the nodes of a file, by source, position, kind and target."""

    def edge_ends(self) -> Iterator[EdgeEnds]:
        """The two ends of every derived edge, for counting; streamed, in no particular order."""

    def all_nodes(self) -> Iterator[tuple[str, StoredNode]]:
        """Every node with its id, in order of the id as text; streamed."""

    def dependents(self, keys: Collection[int]) -> set[int]:
        """Files whose linking looked up one of these facts."""

    def flows(self, slot: int) -> dict[int, bytes]:
        """What each file passes to a parameter slot."""

    def slots(self, files: Iterable[int]) -> set[int]:
        """All parameter slots that files pass values to."""

    def profiles(self) -> dict[int, bytes]:
        """The encoded profile of every file that has one."""

    def helper_answers(self, file: int, tier: int) -> HelperAnswers | None:
        """A helper's answers about a file, if it was asked."""

    def helped(self, tier: int) -> dict[int, int]:
        """The files that a helper was asked about, each with the number of references it resolved differently from
        linking."""

    def counts(self) -> dict[str, dict[str, int]]:
        """Counts of files by language, nodes by kind, exported nodes, edges by kind, tier and confidence (0.80)."""

    def note(self, name: str) -> bytes | None:
        """A small value about the whole graph, by name."""

    def seal(self) -> bytes:
        """The seal of the last commit: no two commits have the same, so that equal seals mean equal graphs.

        Empty for a graph without a seal, which cannot be compared.
        """


class GraphWriter(GraphReader, Protocol):
    """One open transaction: reads see its own writes."""

    @property
    def empty(self) -> bool:
        """Whether there was no graph before this transaction."""

    @property
    def next_seal(self) -> bytes:
        """The seal that this transaction will commit."""

    def put(self, updates: Iterable[FileUpdate]) -> None:
        """Adds files or replaces their facts and nodes; nodes keep their number by qualified name and occurrence.

        The ordinals of a file's nodes are 0, 1, 2 … without a gap. Edges that leave a replaced file stay until `link`;
        edges into and from removed nodes are removed with them.
        """

    def link(self, links: Iterable[FileLinks]) -> None:
        """Replaces the links of files. Every file that an edge points into was put before.

        An edge is identified by source, position, kind and target; of equal ones the last counts.
        """

    def amend(self, amendments: Iterable[Amendment]) -> None:
        """Replaces edges and reasons of linked files; their look-up keys and argument flow are kept, and extended."""

    def keep_answers(self, answers: Iterable[HelperAnswers]) -> None:
        """Stores a helper's answers about files, replacing its earlier ones."""

    def forget_answers(self, files: Iterable[int] | None = None, tier: int | None = None) -> None:
        """Removes helpers' answers about these files, or about all; of one tier, if it is given."""

    def keep_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Stores the vectors of nodes, each until the hash of its node changes or the node is removed."""

    def forget_vectors(self) -> None:
        """Removes all vectors."""

    def touch(self, rows: Iterable[FileRow]) -> None:
        """Updates the rows of files whose facts are unchanged."""

    def remove(self, files: Iterable[int]) -> None:
        """Removes files with everything that belongs to them, and the edges into them."""

    def set_note(self, name: str, value: bytes) -> None:
        """Stores a small value about the whole graph."""

    def clear(self) -> None:
        """Empties the graph, for a rebuild from source."""


Mark = tuple[int, ...]
"""Identifies a graph, to tell it from one that replaced it."""


class Store(Protocol):
    """A graph that outlives the process.

    - Readers work beside the writer, and never see an uncommitted transaction.
    - A process that dies in a transaction leaves the last committed graph behind.
    """

    def exists(self) -> bool:
        """Whether there is a graph to read."""

    def reading(self) -> AbstractContextManager[GraphReader]:
        """A consistent view of the graph as of the last commit; GraphMissing when there is none."""

    def writing(self) -> AbstractContextManager[GraphWriter]:
        """The one open transaction; commits at the end of the block, rolls back when the block raises.

        Waits a bounded time for another writer, then raises StoreBusy.
        """

    def copying(self, other: Store) -> AbstractContextManager[GraphWriter]:
        """A copy of the graph of another store of this kind, to be corrected before it becomes visible.

        It is published at the end of the block, unless another graph was created here meanwhile, which is then kept.
        GraphMissing when the other has none; TypeError when it is of another kind.
        """

    def mark(self) -> Mark:
        """Which graph this is, readable or not, so that `discard` removes no other."""

    def discard(self, mark: Mark | None = None) -> None:
        """Removes the graph in whatever state it is: the way out of a damaged one, or one of a newer version.

        With a mark, only if no other graph has replaced it since.
        """
