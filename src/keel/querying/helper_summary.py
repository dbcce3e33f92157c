"""Which helpers, such as ty, the graph was made with, and where their answers differ from keel's own analysis.

It is what `stats` and `status` report about helpers. Asking them is left to `indexing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.indexing.helper_runs import NONE, PENDING, mark_of, state_of
from keel.model.kinds import EdgeKind, Tier
from keel.model.text.plain import in_plain_words
from keel.model.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keel.ports.definitions import Helper
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

HELPING = (Tier.TIER2_TY, Tier.TIER3_LSP, Tier.TIER3_SCIP)
"""The tiers of the helpers that are asked after keel's own analysis, in that order."""


def help_in_words(workspace: Workspace, reader: GraphReader) -> tuple[str, ...]:
    """For each helper that has any files: whether it was asked, about how many, and how often it differed."""
    files = reader.counts()["files"]
    state = state_of(reader)
    return tuple(
        _format_helper(reader, state, language, workspace.syntaxes[language].title or language, files[language], helper)
        for language, helpers in workspace.helpers.items()
        if files.get(language)
        for helper in helpers
        if not helper.is_off or mark_of(language, helper) in state.split()
    )


def _format_helper(reader: GraphReader, state: bytes, language: str, shown: str, files: int, helper: Helper) -> str:
    name = helper.name
    if state == PENDING:
        return f"{name} has not answered everything: a `keel map` is still running or was stopped; run `keel map`"
    if state == NONE or mark_of(language, helper) not in state.split():
        return f"{name} was not asked; run `keel map` to ask it"
    helped = reader.helped(helper.tier)
    asked, differ = len(helped), sum(helped.values())
    said = f"{name} was asked about {'all' if asked == files else f'{asked:,} of {files:,}'} {shown} files"
    before = "keel's own analysis" if helper.tier == Tier.TIER2_TY else "what was found before it"
    return f"{said}; it differs from {before} in {counted(differ, 'reference')}" if differ else said


def disagreements(reader: GraphReader) -> Mapping[str, int]:
    """For how many references each tier named another target than was known before it; only tiers with any."""
    counts = {tier.word: sum(reader.helped(int(tier)).values()) for tier in HELPING}
    return {tier: count for tier, count in counts.items() if count}


def differing(reader: GraphReader) -> Iterator[str]:
    """Where a helper named another target, a line each."""
    from keel.model.facts import decode_lines
    from keel.model.metadata import own_of

    concerned = {file for tier in HELPING for file, count in reader.helped(int(tier)).items() if count}
    for row in reader.files():
        if row.id not in concerned:
            continue
        lines, nodes = decode_lines(reader.interface(row.id) or b""), reader.nodes(row.id)
        # of several kinds at one position the last says most: `instantiates` comes after `calls` of the constructor
        edges = {(edge.source, edge.at): edge for edge in reader.edges_of(row.id) if _differs(edge.metadata)}
        for edge in edges.values():
            line = lines.line(nodes[edge.source].start + edge.at)
            target = reader.nodes(edge.target_file)[edge.target]
            found = ", ".join(_short(one) for one in own_of(edge.metadata) or ())
            kind, tier = EdgeKind(edge.kind).word, Tier(edge.tier).word
            yield f"{row.path}:{line}  {kind} {target.qualified_name} ({in_plain_words(tier)}); found before: {found}"


def _differs(metadata: str) -> bool:
    return '"own":["' in metadata


def _short(node_id: str) -> str:
    from keel.model.ids import parse_id

    parsed = parse_id(node_id)
    return node_id if parsed is None else f"{parsed.qualified_name} ({parsed.path})"
