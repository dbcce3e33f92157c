"""Count what is in the graph, and why references have no edge.

Files are counted by language, nodes by kind, edges by kind, tier and confidence, references by reason. Use it to judge
how much of a code base keel sees: a large share of `no_candidate` or `dynamic` says where answers are incomplete.
`linked` counts the references that have an edge.

    keel stats
    keel stats --json
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.tally import tally, unresolved
from keel.model.record import Record, field
from keel.operations._line import current_graph

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "ask"


class Params(Record):
    """`stats` takes nothing: it counts the whole graph."""


class Result(Record):
    """How many there are."""

    LAYOUT: ClassVar = ("graph of {workspace}", "files", "nodes", "edges", "tiers", "confidence", "references")

    workspace: str = field("What the graph is called.")
    files: dict[str, int] = field("Files by language.")
    nodes: dict[str, int] = field("Nodes by kind.")
    edges: dict[str, int] = field("Edges by kind.")
    tiers: dict[str, int] = field("Edges by who produced their evidence.")
    confidence: dict[str, int] = field("Edges by confidence.")
    references: dict[str, int] = field("References that have an edge (`linked`), and others by why they have none.")


def run(workspace: Workspace, params: Params) -> Result:
    """Counts everything."""
    with current_graph(workspace) as reader:
        counts = tally(reader)
        references = unresolved(reader)
    return Result(workspace=workspace.name, **counts._asdict(), references=references)
