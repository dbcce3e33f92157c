"""Who helped to make the graph, such as ty, and where keel's own analysis had found something else.

It is what `stats` and `status` tell about it. Asking helpers is left to `indexing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.indexing.help import NONE, PENDING, state_of
from keel.model.kinds import EdgeKind, Tier
from keel.model.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

PYTHON = "python"


def help_in_words(workspace: Workspace, reader: GraphReader) -> str:
    """Whether ty was asked, about how much, and how often it differed; empty where it has no business."""
    files = reader.counts()["files"].get(PYTHON, 0)
    state = state_of(reader)
    if not files or not workspace.helpers:
        return ""
    if state == PENDING:
        return "ty is being asked by a map that is not done, or was stopped; `keel map` asks it"
    if state == NONE:
        return "ty was not asked; `keel map` asks it"
    asked = len(reader.helped(int(Tier.TIER2_TY)))
    differ = disagreements(reader)
    said = f"ty was asked about {'all' if asked == files else f'{asked:,} of {files:,}'} Python files"
    return f"{said}; it differs from keel's own analysis in {counted(differ, 'reference')}" if differ else said


def disagreements(reader: GraphReader) -> int:
    """For how many references ty named something else than keel's own analysis."""
    return sum(reader.helped(int(Tier.TIER2_TY)).values())


def differing(reader: GraphReader) -> Iterator[str]:
    """Where ty named something else, a line each."""
    from keel.model.facts import decode_lines
    from keel.model.metadata import shown

    concerned = [file for file, count in reader.helped(int(Tier.TIER2_TY)).items() if count]
    for row in reader.files():
        if row.id not in concerned:
            continue
        lines, nodes = decode_lines(reader.interface(row.id) or b""), reader.nodes(row.id)
        # at one place the last kind says most: making an instance stands behind calling its constructor
        edges = {(edge.source, edge.at): edge for edge in reader.edges_of(row.id) if _differs(edge.metadata)}
        for edge in edges.values():
            line = lines.line(nodes[edge.source].start + edge.at)
            target = reader.nodes(edge.target_file)[edge.target]
            own = shown(edge.metadata)["own"]
            found = ", ".join(_short(one) for one in own) if isinstance(own, list) else ""
            kind = EdgeKind(edge.kind).word
            yield f"{row.path}:{line}  {kind} {target.qualified_name}; keel's own analysis: {found}"


def _differs(metadata: str) -> bool:
    return '"own":["' in metadata


def _short(node_id: str) -> str:
    from keel.model.ids import parse_id

    parsed = parse_id(node_id)
    return node_id if parsed is None else f"{parsed.qualified_name} ({parsed.path})"
