"""Describe one symbol: what it is, its source, and how many edges it has.

Takes an id, a hash, or any other symbol handle that `where` takes. The answer holds the full node (signature, doc,
visibility, span), its source text, and the edge summary `{kind: {in, out}}`. When several symbols have the name, none
is chosen: ask `resolve`, which ranks them and says why. `neighbors` lists the nodes at the other end of its edges.

    keel describe Session.get
    keel describe src/app.py:120 --json
    keel describe tool:system:python_runtime

A tool of the tool spaces is named by `tool:<space>:<id>`, or by its id alone where nothing in the graph has that name.
The graph is brought up to date before answering; where it cannot be written, the edges are those of the last sync, and
the answer says so (`edges_as_of`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from keel.graph.lookup.handles import Match, PathScope, find
from keel.graph.views import edge_summary, full_form, source_span
from keel.indexing.scan.regular_files import read_regular
from keel.model.facts import Interface, decode_interface
from keel.model.ids import unescape_path
from keel.model.nodes import Node
from keel.model.record import Record, field
from keel.model.text.wording import counted
from keel.querying.bounds import AsOf, freshest_graph, freshness_of
from keel.querying.entries import name_of
from keel.querying.single_file import LAST_SYNC, NOW
from keel.querying.symbol_or_tool import symbol_or_tool

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace
    from keel.querying.tool_nodes import ToolNode

GROUP = "ask"
QUICK = True


class Params(Record):
    """Parameters of `describe`."""

    symbol: str = field("A hash, id, path:line, path, qualified, dotted or bare name.", positional=True)
    max_lines: int = field(
        "Show at most so many lines of source; the answer says how many were left out.", default=200, least=0
    )


class Result(Record):
    """The description of the symbol."""

    LAYOUT: ClassVar = (
        "{node.path}:{node.start_line}  {node.kind} {name}  {node.hash}",
        "{node.id}",
        "{note}",
        "{freshness}",
        "edges",
        "{source}",
        "{rest}",
    )

    node: Node = field("Everything the graph knows about it by itself.")
    source: str = field("Its text, decorators included; empty when the file cannot be read, which `note` says.")
    source_line: int = field("The line the text begins at.")
    source_cut: int = field("How many lines of the text were left out at its end.")
    edges: dict[str, dict[str, int]] = field("How many edges it has: kind, then `in` and `out`.")
    edges_as_of: str = field("Of when the edges are.", choices=(NOW, LAST_SYNC))
    by_old_hash: bool = field("Whether the hash that was asked for is one it had before.")
    note: str = field("A remark about the answer; usually empty.", default="")

    @property
    def name(self) -> str:
        """Its name within the file; of a module, its own name."""
        return name_of(self.node)

    @property
    def freshness(self) -> str:
        """How old the edges are, unless they are current."""
        return freshness_of(AsOf(self.edges_as_of))

    @property
    def rest(self) -> str:
        """How much of the source is not shown, at the end of the source."""
        return f"… {counted(self.source_cut, 'more line')}; --max-lines shows more" if self.source_cut else ""


def run(workspace: Workspace, params: Params) -> Result:
    """Finds the symbol and collects everything about it."""
    return symbol_or_tool(
        workspace, params.symbol, lambda: _symbol(workspace, params), lambda found: _tool(workspace, params, found)
    )


def _symbol(workspace: Workspace, params: Params) -> Result:
    with freshest_graph(workspace) as (reader, as_of):
        match = find(reader, params.symbol, PathScope(workspace.roots, workspace.here))
        return _described(workspace, reader, match, params.max_lines, as_of)


def _tool(workspace: Workspace, params: Params, found: ToolNode) -> Result:
    from keel.querying.tool_nodes import delegation_counts

    return Result(
        node=found.node,
        source="\n".join(found.source[: params.max_lines]),
        source_line=1,
        source_cut=max(len(found.source) - params.max_lines, 0),
        edges=delegation_counts(workspace, found.node),
        edges_as_of=NOW,
        by_old_hash=False,
        note=found.note,
    )


def _described(workspace: Workspace, reader: GraphReader, match: Match, most: int, as_of: AsOf) -> Result:
    interface = decode_interface(reader.interface(match.file.id) or b"")
    node = full_form(match.node, match.file, interface, workspace.syntaxes[match.file.language])
    first, source, cut, problem = _source(workspace, match, interface, most)
    notes = [f"found by an old hash; it is {node.hash} now"] if match.by_old_hash else []
    if problem:
        notes.append(f"the source cannot be read ({problem}); everything else is as of when it could")
    if as_of.problem:
        notes.append(as_of.problem)
    return Result(
        node=node,
        source=source,
        source_line=first,
        source_cut=cut,
        edges=edge_summary(reader, match.node),
        edges_as_of=as_of.when,
        by_old_hash=match.by_old_hash,
        note="; ".join(notes),
    )


def _source(workspace: Workspace, match: Match, interface: Interface, most: int) -> tuple[int, str, int, str]:
    """First line, text, how many lines were cut, and why there is no text when the file cannot be read."""
    first, last = source_span(match.node, interface)
    path = os.path.join(workspace.roots.get(match.file.root, ""), unescape_path(match.file.path))
    try:
        data = read_regular(path)[0]
    except OSError as error:
        return first, "", 0, error.strerror or str(error)
    for language in workspace.languages:
        if language.name == match.file.language:
            data = language.text(data)
    lines = data.split(b"\n")[first - 1 : last]
    shown = lines[:most]
    text = b"\n".join(line.removesuffix(b"\r") for line in shown).decode("utf-8", "replace")
    return first, text, len(lines) - len(shown), ""
