"""Counting a graph: nodes, edges, tiers, confidence, and why references have no edge.

Counting rows is left to the store; edges that follow from the nodes alone are counted here.
"""

from __future__ import annotations

from typing import NamedTuple

from keel.model.kinds import EdgeKind, Reason, Tier
from keel.ports.store import GraphReader


class GraphCounts(NamedTuple):
    """How many there are, by word."""

    files: dict[str, int]
    """By language."""
    nodes: dict[str, int]
    edges: dict[str, int]
    tiers: dict[str, int]
    confidence: dict[str, int]


def count_graph(reader: GraphReader) -> GraphCounts:
    """All counts of the graph, structural edges among them."""
    stored = reader.counts()
    contains = sum(stored["nodes"].values()) - sum(stored["files"].values())
    exports = sum(stored["exported"].values())
    structural = {EdgeKind.CONTAINS.word: contains, EdgeKind.EXPORTS.word: exports}
    return GraphCounts(
        stored["files"],
        stored["nodes"],
        {**{kind: count for kind, count in structural.items() if count}, **stored["edges"]},
        _plus(stored["tiers"], Tier.TIER1_TREESITTER.word, contains + exports),
        _plus(stored["confidence"], "1.00", contains + exports),
    )


def with_more(counts: GraphCounts, nodes: dict[str, int], edges: dict[str, int]) -> GraphCounts:
    """The counts with nodes and edges that no store has; they are as sure as what follows from one file."""
    more = sum(edges.values())
    return counts._replace(
        nodes={**counts.nodes, **{kind: count for kind, count in nodes.items() if count}},
        edges={**counts.edges, **{kind: count for kind, count in edges.items() if count}},
        tiers=_plus(counts.tiers, Tier.TIER1_TREESITTER.word, more),
        confidence=_plus(counts.confidence, "1.00", more),
    )


def _plus(counts: dict[str, int], word: str, more: int) -> dict[str, int]:
    total = counts.get(word, 0) + more
    return dict(sorted({**counts, word: total}.items())) if total else counts


def unresolved(reader: GraphReader) -> dict[str, int]:
    """How many references have no edge, by reason; `linked` counts those that have."""
    totals = [0] * len(Reason)
    for file in reader.files():
        reasons, _ = reader.links(file.id)
        for reason in Reason:
            totals[reason] += reasons.count(reason)
    return {reason.word: totals[reason] for reason in Reason}


BANDS = {"1.00": 1.0, "0.90–0.99": 0.9, "0.70–0.89": 0.7, "0.50–0.69": 0.5, "below 0.50": 0.0}
"""Confidence by what it is good for, each band with its least value; below 0.70 a finding is at most a warning."""


def bands(confidence: dict[str, int]) -> dict[str, int]:
    """Counts by confidence gathered into bands, the highest first; empty ones are left out."""
    totals = dict.fromkeys(BANDS, 0)
    for value, count in confidence.items():
        totals[next(band for band, least in BANDS.items() if float(value) >= least)] += count
    return {band: count for band, count in totals.items() if count}
