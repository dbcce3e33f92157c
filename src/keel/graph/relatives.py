"""Callers and callees as answers show them, made from what a walk met.

Walking is left to `walks.py`, and how many are shown to the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.list_entry import ListEntry, entry_fields
from keel.model.facts import decode_lines
from keel.model.kinds import EdgeKind, Tier
from keel.model.record import field
from keel.model.text.plain import in_plain_words

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, ClassVar

    from keel.graph.walks import Met
    from keel.model.facts import Lines
    from keel.model.rows import FileRow, StoredNode
    from keel.ports.store import GraphReader


class Relative(ListEntry):
    """A symbol that calls, or is called; the edge is the surest one by which it was reached."""

    depth: int = field("How many calls away it is.")
    via: str = field("The near end of the edge; empty when that is the symbol that was asked about.")
    edge: str = field("The kind of the edge.")
    confidence: float = field("How sure the edge is.")
    resolution_tier: str = field("Who produced the evidence for the edge.", choices=Tier.words())
    call_path: str = field("The file of the call.")
    call_line: int = field("The line of the call.")
    call_sites: int = field("How many calls connect the two levels here.")

    @property
    def manner(self) -> str:
        """What the edge is and how sure, in words."""
        times = f" {self.call_sites}×" if self.call_sites > 1 else ""
        return f"{self.edge}{times}  {self.confidence:.2f} {in_plain_words(self.resolution_tier)}"

    @property
    def step(self) -> str:
        """How it is reached when it is further away, or through a definition inside the symbol."""
        far = f"depth {self.depth}, " if self.depth > 1 else ""
        return f"{far}via {self.via}" if self.via else ""

    @property
    def short(self) -> str:
        """Confidence, tier and step in few tokens."""
        far = f" depth {self.depth}" if self.depth > 1 else ""
        via = f" via {self.via}" if self.via else ""
        return f"{self.confidence:.2f} {self.resolution_tier.partition('_')[0]}{far}{via}"


class Caller(Relative):
    """A symbol that calls; its position is that of the call."""

    LAYOUT: ClassVar = ("{path}:{call_line}  {kind} {qualified_name}  {hash}  {manner}  {step}",)
    LLM: ClassVar = "{path}:{call_line} {qualified_name} {hash} {short}"


class Callee(Relative):
    """A symbol that is called; its position is that of its definition."""

    LAYOUT: ClassVar = ("{path}:{line}  {kind} {qualified_name}  {hash}  {manner}  {step}",)
    LLM: ClassVar = "{path}:{line} {qualified_name} {hash} {short}"


class Relatives:
    """Makes callers and callees of a symbol; caches nodes, and the files of calls."""

    def __init__(self, reader: GraphReader, target: StoredNode, known: Iterable[StoredNode] = ()) -> None:
        """`known` are nodes that need not be looked up again, such as those inside the target."""
        self._reader, self._target = reader, target
        self._nodes: dict[int, StoredNode | None] = {node.number: node for node in known}
        self._files: dict[int, tuple[FileRow, Lines]] = {}

    def caller(self, met: Met) -> Caller:
        """One that calls."""
        return Caller(**self._fields(met, met.node, self._node(met.edge.target)))

    def callee(self, met: Met) -> Callee:
        """One that is called."""
        source = self._node(met.edge.source)
        return Callee(**self._fields(met, source, source))

    def _fields(self, met: Met, source: StoredNode | None, near: StoredNode | None) -> dict[str, Any]:
        """`source` is the node that has the call, `near` the node one step nearer to the target."""
        node, file, edge = met.node, met.file, met.edge
        call_file, lines = self._file((source or node).file, file)
        return {
            **entry_fields(node, file),
            "depth": met.distance,
            "via": near.qualified_name if near is not None and near.number != self._target.number else "",
            "edge": EdgeKind(edge.kind).word,
            "confidence": edge.confidence / 100,
            "resolution_tier": Tier(edge.tier).word,
            "call_path": call_file.path,
            "call_line": lines.line((source or node).start + edge.at),
            "call_sites": met.sites,
        }

    def _node(self, number: int) -> StoredNode | None:
        if number not in self._nodes:
            self._nodes[number] = self._reader.node(number)
        return self._nodes[number]

    def _file(self, number: int, likely: FileRow) -> tuple[FileRow, Lines]:
        if number not in self._files:
            row = likely if likely.id == number else self._reader.file(number)
            assert row is not None, "a node's file is in the graph"
            self._files[number] = row, decode_lines(self._reader.interface(number) or b"")
        return self._files[number]
