"""Show what calls a symbol and what it calls, and the module around it.

Takes any symbol handle that `where` takes. Callers are `upstream`, callees `downstream`, each with its place, its hash,
and the kind, confidence and tier of the edge; `--depth` follows calls further, and each symbol is shown once, where it
is nearest. Calls of definitions inside the symbol count as its own: the methods of a class, nested functions, all of a
module (and imports, where the symbol is a module or a file).

    keel discover Session.get
    keel discover Session.get --depth 2 --min-confidence 0.7
    keel discover src/app.py:120 --limit 20 --json
    keel discover tool:system:python_runtime

A tool of the tool spaces is named by `tool:<space>:<id>`, or by its id alone where nothing in the graph has that name:
downstream is what it delegates to, upstream what delegates to it, and the module is that of its code.

Only calls that were resolved are listed. The answer also counts the calls in the symbol that have no edge, and calls
elsewhere of the same name that have none: some of those may be calls of it. The graph is brought up to date before
answering; where it cannot be written, the edges are those of the last sync, and the answer says so (`edges_as_of`).
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from keel.errors import GraphMissing
from keel.graph.lookup.handles import Match, PathScope, find
from keel.graph.open_calls import CALLS
from keel.graph.relatives import Callee, Caller, Relatives
from keel.graph.views import full_form
from keel.graph.walks import CALL_KINDS, Steps, callees, callers, inside, looked_up
from keel.graph.workspace_map import CLASSES, FUNCTIONS
from keel.model.facts import decode_interface, decode_references
from keel.model.hashing import to_text
from keel.model.kinds import EdgeKind, NodeKind, Reason
from keel.model.nodes import Node
from keel.model.record import Record, field
from keel.model.text.plain import in_plain_words
from keel.model.text.wording import counted, format_counts
from keel.querying.bounds import AsOf, freshest_graph, freshness_of
from keel.querying.entries import name_of
from keel.querying.single_file import LAST_SYNC, NOW
from keel.querying.symbol_or_tool import symbol_or_tool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar

    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntaxes
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace
    from keel.querying.tool_nodes import ToolNode

GROUP = "ask"
QUICK = True
SIBLINGS = 20
SHOWN_IN_CYCLE = 5
CALLED = (*FUNCTIONS, *CLASSES)
MODULE_ORDINAL = 1


class Params(Record):
    """Parameters of `discover`."""

    symbol: str = field("A hash, id, path:line, path, qualified, dotted or bare name.", positional=True)
    depth: int = field("How many calls away to look.", default=1, least=1, most=5)
    min_confidence: float = field("Follow only edges with at least this confidence.", default=0.0, least=0, most=1)
    limit: int = field("Show at most so many callers, and so many callees.", default=50, least=1)
    offset: int = field("Leave out so many of each before the first.", default=0, least=0)


class Context(Record):
    """The module around a symbol."""

    module: str = field("The name it is imported by.")
    path: str = field("The file it is.")
    classes: int = field("Classes in it.")
    functions: int = field("Functions and methods in it.")
    siblings: tuple[str, ...] = field("The first twenty names beside the symbol, in source order.")
    siblings_left_out: int = field("How many more names are beside it.")
    used_by: int = field("How many other files have an edge into the module.")
    uses: int = field("Into how many other files the module has an edge.")


class Result(Record):
    """The callers and callees of the symbol, and its module."""

    LAYOUT: ClassVar = (
        "{target.path}:{target.start_line}  {target.kind} {name}  {target.hash}",
        "{signature}",
        "{summary}",
        "{note}",
        "upstream",
        "downstream",
        "{around}",
    )

    version: str = field("The version of this form of answer.", default="1.0")
    command: str = field("The command that answered.", default="discover")
    target: Node = field("The symbol that was asked about.")
    upstream: tuple[Caller, ...] = field("What calls it, the nearest first, by path.")
    downstream: tuple[Callee, ...] = field("What it calls, the nearest first, by path.")
    module_context: Context = field("The module it is in.")
    depth: int = field("How many calls away was looked.")
    callers: int = field("How many callers were found, shown or not.")
    callees: int = field("How many callees were found, shown or not.")
    left_out: dict[str, int] = field("How many callers and callees are not shown.")
    complete: bool = field("Whether all within the depth was found; a walk stops after 5,000 symbols.")
    open_calls: dict[str, int] = field("Calls in the symbol that have no edge, by reason.")
    open_namesakes: int = field("Calls of something of its name that have no edge; some may be of it.")
    edges_as_of: str = field("Of when the edges are.", choices=(NOW, LAST_SYNC))
    by_old_hash: bool = field("Whether the hash that was asked for is one it had before.")
    note: str = field("A remark about the answer; usually empty.", default="")

    @property
    def name(self) -> str:
        """Its name within the file; of a module, its own name."""
        return name_of(self.target)

    @property
    def signature(self) -> str:
        """The signature of the symbol; empty for a module."""
        return self.target.signature.text if self.target.signature is not None else ""

    @property
    def summary(self) -> str:
        """The number of callers and callees, as text."""
        least = "" if self.complete else "at least "
        far = f" within {self.depth} calls" if self.depth > 1 else ""
        up, down = ("run by it", "runs it") if self.target.kind == NodeKind.TOOL.word else ("callers", "callees")
        found = f"{least}{self.callers:,} upstream ({up}), {self.callees:,} downstream ({down}){far}"
        return "; ".join(part for part in (found, freshness_of(AsOf(self.edges_as_of))) if part)

    @property
    def around(self) -> str:
        """The module, as text; empty for a tool whose code is not in the graph."""
        context = self.module_context
        if not context.path:
            return ""
        names = ", ".join(context.siblings)
        more = f" and {context.siblings_left_out:,} more" if context.siblings_left_out else ""
        beside = f"\n  beside it: {names}{more}" if names else ""
        counts = format_counts({"class": context.classes, "function": context.functions}) or "nothing defined"
        users = f"used by {counted(context.used_by, 'file')}, uses {context.uses:,}"
        return f"module {context.module}: {counts}, {users}{beside}"


def run(workspace: Workspace, params: Params) -> Result:
    """Finds the symbol and walks from it in both directions."""
    return symbol_or_tool(
        workspace, params.symbol, lambda: _symbol(workspace, params), lambda found: _tool(workspace, params, found)
    )


def _symbol(workspace: Workspace, params: Params) -> Result:
    places = PathScope(workspace.roots, workspace.here)
    with freshest_graph(workspace) as (reader, as_of):
        return _Around(reader, find(reader, params.symbol, places), params, workspace.syntaxes).result(as_of.when)


def _tool(workspace: Workspace, params: Params, found: ToolNode) -> Result:
    from keel.querying.tool_relatives import tool_relatives

    up, down = tool_relatives(workspace, found.node.id, params.depth)
    shown = slice(params.offset, params.offset + params.limit)
    left = {"upstream": len(up) - len(up[shown]), "downstream": len(down) - len(down[shown])}
    return Result(
        target=found.node,
        upstream=tuple(up[shown]),
        downstream=tuple(down[shown]),
        module_context=_module_of(workspace, found.node),
        depth=params.depth,
        callers=len(up),
        callees=len(down),
        left_out={side: count for side, count in left.items() if count},
        complete=True,
        open_calls={},
        open_namesakes=0,
        edges_as_of=NOW,
        by_old_hash=False,
        note="\n".join([*([found.note] if found.note else []), *_not_shown(left)]),
    )


def _module_of(workspace: Workspace, tool: Node) -> Context:
    """The module that contains the code of a tool; one without a name where the graph does not have it."""
    from keel.querying.current_graph import current_graph
    from keel.querying.tool_spaces import root_of

    with suppress(GraphMissing), current_graph(workspace) as reader:
        for file in reader.files():
            if (file.root, file.path) == (root_of(workspace), tool.path):
                return _context(reader, (nodes := reader.nodes(file.id)), nodes[MODULE_ORDINAL], file)
    return Context(module="", path="", classes=0, functions=0, siblings=(), siblings_left_out=0, used_by=0, uses=0)


def _context(reader: GraphReader, nodes: list[StoredNode], node: StoredNode, file: FileRow) -> Context:
    """The module of a file, as seen from one of its nodes."""
    kinds = Counter(other.kind for other in nodes)
    beside = [other.name for other in nodes if other.parent == node.parent and other.number != node.number]
    into, out = reader.files_around(file.id)
    siblings = list(dict.fromkeys(beside)) if node.ordinal > MODULE_ORDINAL else []
    return Context(
        module=file.module,
        path=file.path,
        classes=sum(kinds[kind] for kind in CLASSES),
        functions=sum(kinds[kind] for kind in FUNCTIONS),
        siblings=tuple(siblings[:SIBLINGS]),
        siblings_left_out=len(siblings[SIBLINGS:]),
        used_by=into,
        uses=out,
    )


def _not_shown(left: dict[str, int]) -> Iterator[str]:
    """How many callers and callees are left out, as text."""
    if any(left.values()):
        said = ", ".join(f"{count:,} {side}" for side, count in left.items() if count)
        yield f"not shown: {said}; see more with --limit or --offset"


class _Around:
    """The callers and callees of one symbol, and the page of them that is shown."""

    def __init__(self, reader: GraphReader, match: Match, params: Params, syntaxes: Syntaxes) -> None:
        self._reader, self._match, self._params = reader, match, params
        self._syntax = syntaxes[match.file.language]
        self._nodes = reader.nodes(match.file.id)
        self._inside = inside(self._nodes, match.node)
        is_module = match.node.kind in (NodeKind.FILE, NodeKind.MODULE)
        self._kinds = CALL_KINDS | {int(EdgeKind.IMPORTS)} if is_module else CALL_KINDS
        steps = Steps(params.depth, params.min_confidence, self._kinds)
        self._up = callers(reader, self._inside, steps)
        self._down = callees(reader, self._inside, steps)
        shown = slice(params.offset, params.offset + params.limit)
        self._shown_up, self._shown_down = looked_up(reader, self._up, shown), looked_up(reader, self._down, shown)

    def result(self, edges_as_of: str) -> Result:
        """The answer."""
        node, file, by_old_hash = self._match
        relatives = Relatives(self._reader, node, self._inside)
        up, down = len(self._up.numbers), len(self._down.numbers)
        left = {"upstream": up - len(self._shown_up), "downstream": down - len(self._shown_down)}
        open_calls = self._open_calls()
        namesakes = self._reader.open_calls(node.name) if node.kind in CALLED else 0
        return Result(
            target=full_form(node, file, decode_interface(self._reader.interface(file.id) or b""), self._syntax),
            upstream=tuple(map(relatives.caller, self._shown_up)),
            downstream=tuple(map(relatives.callee, self._shown_down)),
            module_context=_context(self._reader, self._nodes, node, file),
            depth=self._params.depth,
            callers=up,
            callees=down,
            left_out={side: count for side, count in left.items() if count},
            complete=self._up.is_whole and self._down.is_whole,
            open_calls=open_calls,
            edges_as_of=edges_as_of,
            by_old_hash=by_old_hash,
            open_namesakes=namesakes,
            note="\n".join(self._notes(left, open_calls, namesakes)),
        )

    def _open_calls(self) -> dict[str, int]:
        """Unresolved calls in the symbol, by reason."""
        file = self._match.file.id
        inside = {node.ordinal for node in self._inside}
        items = decode_references(self._reader.references(file) or b"").items
        reasons = self._reader.links(file)[0] or bytes([Reason.NOT_LOOKED]) * len(items)
        found = Counter(
            reason
            for item, reason in zip(items, reasons, strict=True)
            if item.kind in CALLS and item.source in inside and reason != Reason.LINKED
        )
        return {reason.word: found[reason] for reason in Reason if found[reason]}

    def _notes(self, left: dict[str, int], open_calls: dict[str, int], namesakes: int) -> Iterator[str]:
        node, _, by_old_hash = self._match
        if by_old_hash:
            yield f"found by an old hash; it is {to_text(node.hash)} now"
        if open_calls:
            said = ", ".join(f"{count:,} {in_plain_words(reason)}" for reason, count in open_calls.items())
            yield f"calls in it without an edge: {said}"
        if namesakes:
            yield f"there may be more callers: {counted(namesakes, 'call')} of a `{node.name}` could not be resolved"
        yield from self._other_uses()
        above = set(self._up.numbers)
        cycle = [number for number in self._down.numbers if number in above]
        if cycle:
            names = [one.qualified_name for one in map(self._reader.node, cycle[:SHOWN_IN_CYCLE]) if one is not None]
            yield f"in a cycle with {', '.join(names)}{' …' if len(cycle) > SHOWN_IN_CYCLE else ''}"
        if self._calls_itself():
            yield "calls itself"
        yield from _not_shown(left)

    def _calls_itself(self) -> bool:
        """Whether the symbol, or a definition inside it, calls the symbol."""
        edges = self._reader.edges_between([node.number for node in self._inside], [self._match.node.number])
        return any(edge.kind in CALL_KINDS for edge in edges)

    def _other_uses(self) -> Iterator[str]:
        """Uses that the walk does not follow: few callers do not mean few uses."""
        others = [kind for kind in EdgeKind if kind not in self._kinds]
        uses, _ = self._reader.edge_counts(self._match.node.number, others)
        said = ", ".join(f"{EdgeKind(kind).word} {count:,}" for kind, count in sorted(uses.items()))
        if said:
            yield f"other edges that reach it: {said}"
