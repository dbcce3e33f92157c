"""Rows: what the store keeps one by one, because somebody asks for it one by one.

Everything else about a file stays in its encoded facts. Rows name nodes by file and ordinal (the index of the
definition in the file's facts); turning that into lasting node numbers is the store's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

INDEXED, UNREADABLE, LOST = range(3)
"""State of a file: its facts are there; it could not be read last time (older facts stand); its reader died on it."""

EXPORTED = 1 << 16
"""In the flags of a node: the module exports this name. The lower bits are those of the definition's facts."""
VISIBILITY_SHIFT = 20
"""Where the flags of a node keep its visibility."""


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
    words: str
    """What full-text search sees: the name, whole and split."""


class StoredNode(NamedTuple):
    """A node as the store hands it out, with its lasting number and its file."""

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


class EdgeRow(NamedTuple):
    """A derived edge, from a definition of the file being linked to a definition of any file.

    `at` is relative to the start of the source definition, so that edits elsewhere in the file leave the row alone.
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
    """An edge as the store hands it out: node numbers for source and target."""

    source: int
    at: int
    kind: int
    target: int
    tier: int
    confidence: int
    type_only: int
    metadata: str


class EdgeEnds(NamedTuple):
    """What an edge connects: two nodes, and the files they are in."""

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
    """Of ambiguous references, by index: the ids that could be meant."""
    keys: set[int]
    """Numbers of 48 bits with a sign, as the slots below are."""
    flows: Mapping[int, bytes] = MappingProxyType({})
    """What the file gives to slots that others read."""


class Amendment(NamedTuple):
    """What helpers make of the links of a file: all its edges, and what else was looked up for them."""

    file: int
    edges: list[EdgeRow]
    reasons: bytes
    candidates: dict[int, list[str]]
    keys: set[int]
    """In addition to those of the linking."""


class HelperAnswers(NamedTuple):
    """What a helper said of a file."""

    file: int
    tier: int
    content: bytes
    """The file's content when it was asked: of another one it says nothing."""
    answers: bytes
    """As `model/answers.py` encodes them."""
    disagreements: int = 0
    """References of the file for which keel's own analysis had found something else."""


class FileUpdate(NamedTuple):
    """A file whose facts are new or changed."""

    row: FileRow
    interface: bytes
    references: bytes
    nodes: list[NodeRow]
    profile: bytes = b""
    """As `model/profiles.py` encodes it; empty for a file that has none."""
