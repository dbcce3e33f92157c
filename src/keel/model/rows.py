"""Rows: what the store keeps as columns, because it is queried one by one.

Everything else about a file stays in its encoded facts. Rows name nodes by file and ordinal (the index of the
definition in the file's facts); mapping that to stable node numbers is left to the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

INDEXED, UNREADABLE, LOST = range(3)
"""State of a file: its facts are current; it could not be read last time (older facts are kept); its reader crashed."""

EXPORTED = 1 << 16
"""In the flags of a node: the module exports this name. The lower bits are those of the definition's facts."""
VISIBILITY_SHIFT = 20
"""The position of the visibility in the flags of a node."""
VISIBILITY_MASK = 3
"""The mask of the visibility, once shifted."""


class FileRow(NamedTuple):
    """A file of the graph. `path` is escaped (`model/ids.py`); times are nanoseconds."""

    id: int
    root: str
    path: str
    language: str
    module: str
    content: bytes
    size: int
    mtime_ns: int
    looked_ns: int
    state: int = INDEXED
    service: str = ""
    """The service that the file is part of; empty where there is only one."""


class Words(NamedTuple):
    """A node as full-text search sees it: words separated by blanks, as `model/text/words.py` makes them."""

    name: str
    """Its name, whole and split."""
    about: str = ""
    """The words of its owner, signature, documentation and body; of a module, its path."""


class NodeRow(NamedTuple):
    """A definition as a row. `start` is a byte offset, lines are 1-based."""

    ordinal: int
    kind: int
    name: str
    qualified_name: str
    occurrence: int
    parent: int
    start: int
    line: int
    end_line: int
    hash: int
    body_hash: int
    flags: int
    words: Words


class StoredNode(NamedTuple):
    """A node as the store returns it, with its stable number and its file."""

    number: int
    file: int
    ordinal: int
    kind: int
    name: str
    qualified_name: str
    occurrence: int
    parent: int
    start: int
    line: int
    end_line: int
    hash: int
    body_hash: int
    flags: int


COMMON = 5_000
"""Nodes with a word are counted up to here: a word that as many have does not discriminate."""


MAX_WEIGHED = 3_000
"""Nodes that one question ranks: each costs microseconds, and a common word has tens of thousands."""


class FoundNode(NamedTuple):
    """A node that full-text search found, and its score: more is better."""

    node: StoredNode
    score: float


class EdgeRow(NamedTuple):
    """A derived edge, from a definition of the file being linked to a definition of any file.

    `at` is relative to the start of the source definition, so that edits elsewhere in the file do not change the row.
    """

    source: int
    at: int
    kind: int
    target_file: int
    target: int
    tier: int
    confidence: int
    """In hundredths."""
    type_only: int = 0
    metadata: str = ""
    """As `model/metadata.py` stores it, or empty."""


class StoredEdge(NamedTuple):
    """An edge as the store returns it: node numbers for source and target."""

    source: int
    at: int
    kind: int
    target: int
    tier: int
    confidence: int
    type_only: int
    metadata: str


class NodeFilter(NamedTuple):
    """Which nodes are wanted: any of the values of a field, and all fields; an empty field does not restrict."""

    kinds: frozenset[int] = frozenset()
    roots: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    visibilities: frozenset[int] = frozenset()
    beginnings: frozenset[str] = frozenset()
    """Prefixes of the qualified name, with its module or without."""
    attributes: Mapping[str, frozenset[str]] = MappingProxyType({})
    without: Mapping[str, frozenset[str]] = MappingProxyType({})
    """Attributes that a node must not have."""
    attribute_beginnings: Mapping[str, frozenset[str]] = MappingProxyType({})


class Hop(NamedTuple):
    """Edges of a node to be listed: their direction, kinds and least confidence, and the filter on the other node."""

    node: int
    forward: bool
    kinds: frozenset[int]
    least: int = 0
    """Confidence, in hundredths."""
    other: NodeFilter = NodeFilter()


class Along(NamedTuple):
    """Which edges are followed from some nodes: their direction, kinds and least confidence."""

    forward: bool
    kinds: frozenset[int]
    least: int = 0
    """Confidence, in hundredths."""


class EdgeEnds(NamedTuple):
    """The two ends of an edge, and the files they are in."""

    kind: int
    source: int
    source_file: int
    target: int
    target_file: int


class FileLinks(NamedTuple):
    """The outcome of linking one file: edges, a reason byte per reference, and every fact that was looked up."""

    file: int
    edges: list[EdgeRow]
    reasons: bytes
    candidates: dict[int, list[str]]
    """Of ambiguous references, by index: the ids of the candidates."""
    keys: set[int]
    """Look-up keys: signed 48-bit numbers, as the slots below are."""
    flows: Mapping[int, bytes] = MappingProxyType({})
    """What the file passes to parameter slots that others read."""
    open_calls: Mapping[str, int] = MappingProxyType({})
    """How many calls in the file have no edge and may call anything with a name, by that name."""


class Amendment(NamedTuple):
    """The links of a file after merging helpers' answers: all its edges, and the further look-ups for them."""

    file: int
    edges: list[EdgeRow]
    reasons: bytes
    candidates: dict[int, list[str]]
    keys: set[int]
    """In addition to those of the linking."""
    open_calls: Mapping[str, int] = MappingProxyType({})
    """As in the links; all of them."""


class HelperAnswers(NamedTuple):
    """A helper's answers about a file."""

    file: int
    tier: int
    content: bytes
    """The file's content hash when it was asked: the answers are only valid for the same content."""
    answers: bytes
    """As `model/answers.py` encodes them."""
    disagreements: int = 0
    """References of the file that keel's own analysis had resolved to something else."""


class FileUpdate(NamedTuple):
    """A file whose facts are new or changed."""

    row: FileRow
    interface: bytes
    references: bytes
    nodes: list[NodeRow]
    attributes: tuple[tuple[int, str, str], ...] = ()
    """Further attributes of nodes, each as ordinal, name and value: the method of a route, the role of a class."""
    profile: bytes = b""
    """As `model/profiles.py` encodes it; empty for a file that has none."""
