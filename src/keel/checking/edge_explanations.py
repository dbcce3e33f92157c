"""Edges explained: the evidence for every edge between two symbols, or, without one, the nearest references.

The text of the steps is left to `querying/evidence.py`; findings are explained by `finding_explanations.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.errors import SymbolNotFound
from keel.graph.lookup.handles import Match, PathScope, find
from keel.graph.naming import id_of, kind_of
from keel.graph.structure import structural_edges
from keel.model.facts import Lines, decode_interface, decode_references
from keel.model.hashing import to_text
from keel.model.ids import MODULE
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind, StepKind, Tier
from keel.model.metadata import shown
from keel.model.nodes import NodeRef, Step
from keel.model.record import Record, field
from keel.model.text.plain import in_plain_words
from keel.ports.language import external_of
from keel.querying.current_graph import current_graph
from keel.querying.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import ClassVar

    from keel.model.rows import StoredEdge
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace
    from keel.querying.tool_nodes import ToolNode

MODULE_ORDINAL = 1


class Explained(Record):
    """One edge, and how it was resolved."""

    kind: str = field("How the caller refers to the callee.", choices=EdgeKind.words())
    resolution_tier: str = field("Who produced the evidence for the edge.", choices=Tier.words())
    confidence: float = field("How sure the edge is, from 0 to 1.")
    type_only: bool = field("Whether it holds for type checkers only.")
    metadata: dict[str, object] = field(
        "A warning, candidates, `implicit` for a call that is not spelled out, and `own` for an edge that only a helper"
        " such as ty found: what had been found before, if anything."
    )
    path: str = field("The file of the reference.")
    line: int = field("The line of the reference.")
    resolution_chain: tuple[Step, ...] = field("The steps from the reference to the definition.")

    @property
    def text(self) -> list[str]:
        """The edge and its steps, one line each."""
        finder = in_plain_words(self.resolution_tier)
        remarks = [self.kind, f"{self.confidence:.2f}", finder, *(["type only"] * self.type_only)]
        remarks += ["not spelled out"] if self.metadata.get("implicit") else []
        said = ["  ".join(remarks)]
        if warning := self.metadata.get("warning"):
            said.append(f"  {warning}")
        candidates = self.metadata.get("candidates")
        if isinstance(candidates, list):
            said += [f"  could also be {candidate}" for candidate in candidates]
        own = self.metadata.get("own")
        if isinstance(own, list):
            said += [f"  what was found before: {other}" for other in own] or [f"  found only {finder}"]
        return [*said, *format_steps(self.resolution_chain)]


class Open(Record):
    """An unresolved reference of the caller."""

    kind: str = field("In what role the name is used.", choices=RefKind.words())
    name: str = field("The name as written, with its qualifier.")
    path: str = field("The file.")
    line: int = field("The line.")
    reason: str = field("Why there is no edge.", choices=Reason.words())
    candidates: tuple[str, ...] = field("Ids of what could be meant, when that is ambiguous.")
    package: str = field("Of one that leaves the workspace: the package it is imported from.", default="")


class SourceLine(Record):
    """A line of the source."""

    path: str = field("The file.")
    line: int = field("The line.")
    text: str = field("The text of that line.")


class OfEdges(Record):
    """Why there is an edge between two symbols, or why there is none."""

    LAYOUT: ClassVar = (
        "{caller.path}:{caller.line}  {pair}",
        "{summary}",
        "{chains}",
        "{open_references}",
    )

    version: str = field("The version of this form of answer.", default="1.0")
    command: str = field("The command that answered.", default="explain")
    caller: NodeRef = field("The symbol that refers.")
    callee: NodeRef = field("The symbol that is referred to.")
    summary: str = field("The answer in one sentence.")
    edges: tuple[Explained, ...] = field("Every edge from the one to the other, by place.")
    definition: SourceLine = field("Where the callee is defined: the end of every chain.")
    unresolved: tuple[Open, ...] = field("Without an edge: what the caller has under that name that has none either.")
    elsewhere: tuple[NodeRef, ...] = field("Without an edge: others of that name that the caller refers to.")

    inside: tuple[NodeRef, ...] = field("Without an edge: definitions inside the caller that refer to the callee.")

    @property
    def pair(self) -> str:
        """The caller and the callee."""
        return f"{_name(self.caller)} -> {_name(self.callee)}"

    @property
    def exit_code(self) -> int:
        """1 when there is no edge."""
        return 0 if self.edges else 1

    @property
    def chains(self) -> str:
        """All edges with their steps, and the definition they end at."""
        if not self.edges:
            return ""
        end = f"defined at  {self.definition.path}:{self.definition.line}  {self.definition.text}"
        return "\n".join([line for edge in self.edges for line in edge.text] + [end])

    @property
    def open_references(self) -> str:
        """The references that exist instead of an edge."""
        said = []
        for one in self.unresolved:
            why = f"{in_plain_words(one.reason)}{f', in {one.package}' if one.package else ''}"
            said.append(f"{one.path}:{one.line}  {one.kind} of {one.name} has no edge: {why}")
            said += [f"  could be {candidate}" for candidate in one.candidates]
        said += [f"refers to another: {other.path}:{other.line}  {other.qualified_name}" for other in self.elsewhere]
        said += [f"has an edge to it: {other.path}:{other.line}  {other.qualified_name}" for other in self.inside]
        return "\n".join(said)


def format_steps(steps: Sequence[Step]) -> list[str]:
    """The steps, one line each, in columns."""
    places = [f"{step.file}:{step.line}" for step in steps]
    kinds, width = max((len(step.kind) for step in steps), default=0), max(map(len, places), default=0)
    return [f"  {step.kind:<{kinds}}  {place:<{width}}  {step.text}" for step, place in zip(steps, places, strict=True)]


def explained_edges(workspace: Workspace, referring: str, referred: str) -> OfEdges:
    """Finds both symbols, and the evidence for every edge between them."""
    places = PathScope(workspace.roots, workspace.here)
    with current_graph(workspace) as reader:
        caller, callee = _end(workspace, reader, places, referring), _end(workspace, reader, places, referred)
        if not isinstance(caller, Match) or not isinstance(callee, Match):
            return _of_tools(workspace, Evidence(workspace, reader), caller, callee)
        evidence = Evidence(workspace, reader)
        edges = tuple(_edges(reader, evidence, caller, callee))
        unresolved = () if edges else tuple(_unresolved(workspace, reader, caller, callee.node.name))
        elsewhere = () if edges else tuple(_elsewhere(reader, caller, callee))
        inside = () if edges else tuple(_inside(reader, caller, callee))
        return OfEdges(
            caller=_ref(caller),
            callee=_ref(callee),
            summary=_summary(_ref(caller), _ref(callee), edges, has_hints=bool(unresolved or elsewhere or inside)),
            edges=edges,
            definition=SourceLine(
                path=callee.file.path, line=callee.node.line, text=evidence.text(callee.file, callee.node.line)
            ),
            unresolved=unresolved,
            elsewhere=elsewhere,
            inside=inside,
        )


def _end(workspace: Workspace, reader: GraphReader, places: PathScope, handle: str) -> Match | ToolNode:
    """The symbol that a handle names, or else the tool."""
    from keel.querying.tool_nodes import tool_node

    try:
        return _definition(reader, find(reader, handle, places))
    except SymbolNotFound:
        tool = tool_node(workspace, handle)
        if tool is None:
            raise
        return tool


def _of_tools(workspace: Workspace, evidence: Evidence, caller: Match | ToolNode, callee: Match | ToolNode) -> OfEdges:
    """The answer when one of the two is a tool: it delegates to the other, or there is no edge."""
    from keel.querying.tool_relatives import delegation

    source, target = (_ref(end) if isinstance(end, Match) else end.node.ref() for end in (caller, callee))
    found = delegation(workspace, source.id, target.id)
    edges: tuple[Explained, ...] = ()
    if found is not None and not isinstance(caller, Match):
        step = Step(StepKind.CONFIG.word, source.path, found.line, caller.source[found.line - 1].strip())
        edges = (
            Explained(
                kind=EdgeKind.DELEGATES_TO.word,
                resolution_tier=Tier.TIER1_TREESITTER.word,
                confidence=1.0,
                type_only=False,
                metadata={},
                path=source.path,
                line=found.line,
                resolution_chain=(step,),
            ),
        )
    if isinstance(callee, Match):
        text = evidence.text(callee.file, callee.node.line)
    else:
        text = callee.source[target.line - 1].strip()
    return OfEdges(
        caller=source,
        callee=target,
        summary=_summary(source, target, edges, has_hints=False) if edges else _no_delegation(caller, source, target),
        edges=edges,
        definition=SourceLine(path=target.path, line=target.line, text=text),
        unresolved=(),
        elsewhere=(),
        inside=(),
    )


def _no_delegation(caller: Match | ToolNode, source: NodeRef, target: NodeRef) -> str:
    """The summary when there is no edge; a tool that is shadowed has none."""
    why = f"; {_name(source)} is {caller.note}" if not isinstance(caller, Match) and caller.is_shadowed else ""
    return f"no edge from {_name(source)} to {_name(target)}{why}"


def _definition(reader: GraphReader, match: Match) -> Match:
    """The symbol itself; for a file its module, which has the edges."""
    if match.node.kind != NodeKind.FILE:
        return match
    module = next((node for node in reader.nodes(match.file.id) if node.ordinal == MODULE_ORDINAL), match.node)
    return match._replace(node=module)


def _edges(reader: GraphReader, evidence: Evidence, caller: Match, callee: Match) -> Iterator[Explained]:
    """All edges from the caller to the callee: structural ones first, then resolved ones."""
    if caller.file.id == callee.file.id:
        for implied in structural_edges(reader.nodes(caller.file.id)):
            if (implied.source, implied.target) == (caller.node.ordinal, callee.node.ordinal):
                yield Explained(
                    kind=implied.kind.word,
                    resolution_tier=Tier.TIER1_TREESITTER.word,
                    confidence=1.0,
                    type_only=False,
                    metadata={},
                    path=callee.file.path,
                    line=callee.node.line,
                    resolution_chain=(),
                )
    for edge in reader.edges_from(caller.node.number):
        if edge.target == callee.node.number:
            yield _explained(evidence, caller, callee, edge)


def _explained(evidence: Evidence, caller: Match, callee: Match, edge: StoredEdge) -> Explained:
    return Explained(
        kind=EdgeKind(edge.kind).word,
        resolution_tier=Tier(edge.tier).word,
        confidence=edge.confidence / 100,
        type_only=bool(edge.type_only),
        metadata=shown(edge.metadata),
        path=caller.file.path,
        line=evidence.line(caller.file.id, caller.node.start + edge.at),
        resolution_chain=tuple(evidence.steps(caller, callee, edge)),
    )


def _unresolved(workspace: Workspace, reader: GraphReader, caller: Match, name: str) -> Iterator[Open]:
    """Unresolved references of the caller to that name."""
    language = next((each for each in workspace.languages if each.name == caller.file.language), None)
    decode = decode_interface if language is None else language.decode
    external = None if language is None else external_of(language)
    interface = decode(reader.interface(caller.file.id) or b"")
    lines = Lines(interface.lines)
    reasons, candidates = reader.links(caller.file.id)
    for index, reference in enumerate(decode_references(reader.references(caller.file.id) or b"").items):
        text = interface.text(reference.text)
        if reference.source == caller.node.ordinal and text.rpartition(".")[2] == name and reasons[index]:
            yield Open(
                kind=RefKind(reference.kind).word,
                name=text,
                path=caller.file.path,
                line=lines.line(caller.node.start + reference.at),
                reason=Reason(reasons[index]).word,
                candidates=tuple(candidates.get(index, ())),
                package=external.package_of(interface, reference)
                if external is not None and reasons[index] == Reason.EXTERNAL
                else "",
            )


def _elsewhere(reader: GraphReader, caller: Match, callee: Match) -> Iterator[NodeRef]:
    """Other symbols with the callee's name that the caller has an edge to."""
    targets = dict.fromkeys(edge.target for edge in reader.edges_from(caller.node.number))
    for number in targets:
        node = reader.node(number)
        file = reader.file(node.file) if node is not None and node.name == callee.node.name else None
        if node is not None and file is not None:
            yield _ref(Match(node, file))


def _inside(reader: GraphReader, caller: Match, callee: Match) -> Iterator[NodeRef]:
    """Definitions inside the caller, such as the methods of a class, that have an edge to the callee."""
    around = {caller.node.ordinal}
    for node in reader.nodes(caller.file.id):
        if node.parent in around:  # a definition comes after those around it
            around.add(node.ordinal)
            if any(edge.target == callee.node.number for edge in reader.edges_from(node.number)):
                yield _ref(Match(node, caller.file))


def _ref(match: Match) -> NodeRef:
    node, file, _ = match
    return NodeRef(
        id_of(node, file),
        to_text(node.hash),
        kind_of(node),
        node.name,
        node.qualified_name,
        file.path,
        node.line,
        file.module,
    )


def _name(node: NodeRef) -> str:
    """The name of a symbol within its file; of a module, the name it is imported by."""
    return node.module if node.qualified_name == MODULE else node.qualified_name


def _summary(caller: NodeRef, callee: NodeRef, edges: tuple[Explained, ...], has_hints: bool) -> str:
    names = f"from {_name(caller)} to {_name(callee)}"
    if edges:
        best = max(edge.confidence for edge in edges)
        return f"{len(edges)} edge{'s' * (len(edges) > 1)} {names}, the surest with confidence {best:.2f}"
    return f"no edge {names}{':' if has_hints else f', and {_name(caller)} uses no such name'}"
