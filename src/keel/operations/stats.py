"""Count what is in the graph, and why references have no edge.

Files are counted by language, nodes by kind, edges by kind, by what found them and by confidence, references by why
they have no edge; files that were not read are listed. Use it to judge how much of a code base keel sees: many
references without a matching definition, known only at run time, or not looked up mean that answers are incomplete.
References outside the workspace are to packages, or to the language itself. A finding that rests on edges below 0.70 is
at most a warning. Tools of the project and of the user are counted, with everything that runs them.

    keel stats
    keel stats --json
    keel stats --differing

Where a helper (the type checker ty, or the server or index of `[resolution.tier3]`) names another definition than what
was found before it, the edge points to the helper's, and `--differing` lists both.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from keel.graph.counts import bands, count_graph, unresolved, with_more
from keel.indexing.pipeline import FOLDERS, look_at
from keel.model.record import Record, field
from keel.model.text.plain import in_plain_words
from keel.model.text.wording import counted, format_counts
from keel.querying.coverage import Coverage, broken_files, lost_files, unreadable_files
from keel.querying.current_graph import current_graph, index_context
from keel.querying.helper_summary import differing, disagreements, help_in_words
from keel.querying.tool_lines import tool_counts

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "ask"


class Params(Record):
    """`stats` always counts the whole graph."""

    differing: bool = field("List where helpers such as ty differ from what was found before them.", default=False)


class Result(Coverage):
    """The counts."""

    LAYOUT: ClassVar = (
        "graph of {workspace}: {size}",
        "references: {shares}",
        "files",
        "nodes",
        "edges",
        "tiers",
        "confidence",
        "references",
        "unreadable",
        "broken",
        "lost",
        "{unread}",
        "helpers",
        "differing",
    )

    workspace: str = field("What the graph is called.")
    files: dict[str, int] = field("Files by language.")
    nodes: dict[str, int] = field("Nodes by kind.")
    edges: dict[str, int] = field("Edges by kind.")
    tiers: dict[str, int] = field("Edges by who produced their evidence.")
    confidence: dict[str, int] = field("Edges by how sure they are, in bands.")
    helpers: tuple[str, ...] = field("Who was asked beside keel, about how many files, and how often they differed.")
    disagreements: dict[str, int] = field(
        "References for which a helper names something else than what was found before it, by its tier."
    )
    differing: tuple[str, ...] = field("These references, when they are asked for.")
    references: dict[str, int] = field("References that have an edge (`linked`), and others by why they have none.")

    @property
    def size(self) -> str:
        """The size of the graph, as text."""
        functions = self.nodes.get("function", 0) + self.nodes.get("method", 0)
        defined = format_counts({"class": self.nodes.get("class", 0), "function": functions})
        return f"{counted(sum(self.files.values()), 'file')}{f', {defined}' if defined else ''}"

    @property
    def shares(self) -> str:
        """The shares of references that are resolved, external or unresolved, as text."""
        total = sum(self.references.values())
        if not total:
            return "none"
        said = {in_plain_words(reason): self.references[reason] for reason in ("linked", "external", "dynamic")}
        said["unresolved"] = total - sum(said.values())
        return ", ".join(f"{_percent(count, total)} {words}" for words, count in said.items() if count)


def run(workspace: Workspace, params: Params) -> Result:
    """Counts everything."""
    with current_graph(workspace) as reader:
        counts = with_more(count_graph(reader), *tool_counts(workspace))
        known = reader.files()
        seen = look_at(index_context(workspace), known, reader.note(FOLDERS), time.time_ns())
        return Result(
            workspace=workspace.name,
            files=counts.files,
            nodes=counts.nodes,
            edges=counts.edges,
            tiers=counts.tiers,
            confidence=bands(counts.confidence),
            helpers=help_in_words(workspace, reader),
            disagreements=dict(disagreements(reader)),
            differing=tuple(differing(reader)) if params.differing else (),
            references=unresolved(reader),
            unreadable=unreadable_files(known, seen),
            broken=broken_files(reader),
            lost=lost_files(known),
            not_read=seen.skipped,
        )


def _percent(count: int, total: int) -> str:
    """A share as text; one that is not zero is never shown as 0 %."""
    share = round(100 * count / total)
    return f"{share} %" if share else "less than 1 %"
