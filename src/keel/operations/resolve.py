"""Resolve an identifier to one node, several candidates, or none.

An identifier is an id, a hash, a dotted name or the end of one (`pkg.mod.Class.method`, `Class.method`, `Class`), the
path of a file, a route (`GET /carts/{id}`, `shop GET /carts`, `/carts`), or what a client calls (`shop`,
`shop /carts`). Ask here first when you have a name: nothing is guessed, and the answer is one of three. `one` has the
node. `many` has the candidates, at most ten, the most likely first, each with the reason why it is one. `none` has a
message.

    keel resolve Session.get
    keel resolve "GET /carts/{id}"
    keel resolve orders --hint-kind route
    keel resolve 1gHsK93bQxT --json

`--hint-kind` looks among nodes of one kind only; `producer`, `package` and `tool` are looked at only when it is given.
Candidates are ordered by reason, then by how much of their name the identifier covers, then by id; do not branch on
`score`. Sentences and wildcards are no identifiers: they are for `search`. `describe` shows what a node is, given its
id. The exit code is 0 for `one` and `many`, 1 for `none`, 2 for what is no identifier at all.

The files of all candidates are looked at, and when one changed, the graph is brought up to date before answering. So it
is when there are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.errors import KeelError, UsageError, brief
from keel.graph.lookup.candidates import CLIENTS, PACKAGES, PRODUCERS, ROUTES, SYMBOLS, candidates
from keel.graph.lookup.endpoints import endpoint_of
from keel.graph.lookup.handles import is_text
from keel.graph.naming import id_of
from keel.graph.views import short_form
from keel.model.ids import PREFIXES
from keel.model.kinds import NodeKind, ResolveReason
from keel.model.nodes import NodeRef
from keel.model.record import Record, field
from keel.model.rows import NodeFilter
from keel.model.text.plain import in_plain_words
from keel.querying.entries import name_of
from keel.querying.single_file import is_as_stored

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import ClassVar

    from keel.graph.lookup.candidates import Candidate as GraphCandidate
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

GROUP = "ask"
QUICK = True
ONE, MANY, NONE = "one", "many", "none"
TOOLS = "tool"
EVERYWHERE = (SYMBOLS, ROUTES, CLIENTS)
KINDS = (*EVERYWHERE, PRODUCERS, PACKAGES, TOOLS)
MAX_CANDIDATES = 10
"""Candidates that an answer has at most."""
MAX_IDENTIFIER_LENGTH = 1000
"""No identifier is longer; a longer text is not looked up."""
WILDCARDS = "*?"
ID_BEGINNINGS = tuple(f"{prefix}:" for prefix in PREFIXES)
INVALID = "Invalid identifier:"
PRIORITY = {
    ResolveReason.EXACT_ID: 0,
    ResolveReason.EXACT_FQN: 1,
    ResolveReason.ROUTE_METHOD_PATH: 1,
    ResolveReason.CLIENT_TARGET_PATH: 1,
    ResolveReason.TOOL_ID: 1,
    ResolveReason.FQN_SUFFIX: 2,
    ResolveReason.ROUTE_TEMPLATE: 2,
    ResolveReason.SHORT_NAME: 3,
    ResolveReason.CLIENT_TARGET: 3,
    ResolveReason.PRODUCER_TOPIC: 3,
    ResolveReason.PACKAGE_NAME: 3,
}
"""The order of reasons: lower values come first."""


class Params(Record):
    """Parameters of `resolve`."""

    identifier: str = field(
        "An id, a hash, a dotted name or its end, a path, a route, or a client's target.", positional=True
    )
    hint_kind: str | None = field("Look among nodes of this kind only.", default=None, choices=KINDS)


class Candidate(Record):
    """A node that the identifier may name."""

    LAYOUT: ClassVar = ("{node.path}:{node.line}  {node.kind} {name}  {node.hash}  {match}  {service}",)

    node: NodeRef = field("The node in short.")
    reason: str = field("Why it is one.", choices=ResolveReason.words())
    score: float = field("For statistics only; use the order instead.")

    @property
    def name(self) -> str:
        """Its name within the file; of a module, its own name."""
        return name_of(self.node)

    @property
    def match(self) -> str:
        """Why it is a candidate, as text."""
        return in_plain_words(self.reason)

    @property
    def service(self) -> str:
        """The service it is part of, as text."""
        return f"service {self.node.service}" if self.node.service else ""


class Result(Record):
    """One node, several candidates, or none."""

    LAYOUT: ClassVar = ("{found}", "{message}", "candidates")

    success: bool = field("Whether it was an identifier at all.")
    status: str = field("How many nodes it may name.", choices=(ONE, MANY, NONE))
    node: NodeRef | None = field("The node, when there is one.", default=None)
    candidates: tuple[Candidate, ...] = field("The nodes it may name, when there are several.", default=())
    message: str = field("Why there is none, or another remark; usually empty.", default="")

    @property
    def found(self) -> str:
        """The one node, as text."""
        if self.node is None:
            return ""
        node = self.node
        service = f"  service {node.service}" if node.service else ""
        return f"{node.path}:{node.line}  {node.kind} {name_of(node)}  {node.hash}{service}\n{node.id}"

    @property
    def exit_code(self) -> int:
        """0 when something was found, 1 when not, 2 when there was nothing to look for."""
        if not self.success:
            return 2
        return 1 if self.status == NONE else 0


def run(workspace: Workspace, params: Params) -> Result:
    """Looks for all nodes that the identifier may name; their number decides the status."""
    if params.hint_kind is not None and params.hint_kind not in KINDS:
        raise UsageError(f"hint_kind cannot be '{brief(str(params.hint_kind))}' ({', '.join(KINDS)})")
    identifier = params.identifier.strip()
    refused = _refused(identifier)
    if refused is None and params.hint_kind == TOOLS:
        return checked(_tool(workspace, identifier))
    return checked(refused or _resolved(workspace, identifier, params.hint_kind))


def checked(result: Result) -> Result:
    """The result, if it is well-formed; one that is not is a defect of keel, and raises."""
    broken = broken_promise(result)
    if broken:
        raise KeelError(problem=f"resolve broke its promise: {broken}")
    return result


def broken_promise(result: Result) -> str:
    """What makes an answer malformed; empty for nothing."""
    ids = [candidate.node.id for candidate in result.candidates]
    fits = {
        ONE: result.node is not None and not ids,
        MANY: result.node is None and 2 <= len(ids) <= MAX_CANDIDATES,
        NONE: result.node is None and not ids and bool(result.message),
    }
    if not fits.get(result.status, False):
        return f"'{result.status}' with {'a' if result.node else 'no'} node and {len(ids)} candidates"
    if not result.success and not (result.status == NONE and result.message.startswith(INVALID)):
        return "a failure that does not say what is invalid"
    return "a node twice" if len(set(ids)) < len(ids) else ""


def _refused(identifier: str) -> Result | None:
    """The answer to an identifier that is malformed, or too long to be a name."""
    if not identifier:
        return Result(
            success=False, status=NONE, message=f"{INVALID} it is empty; give a name, an id, a path or a route"
        )
    if not is_text(identifier) or "\0" in identifier:
        return Result(success=False, status=NONE, message=f"{INVALID} it is not text")
    return (
        _none(f"no symbol is called '{brief(identifier, 80)}': too long for a name")
        if len(identifier) > MAX_IDENTIFIER_LENGTH
        else None
    )


def _resolved(workspace: Workspace, identifier: str, hint: str | None) -> Result:
    kinds = EVERYWHERE if hint is None else (hint,)
    question = _as_question(identifier)
    if question and not identifier.startswith(ID_BEGINNINGS):  # a path within an id may hold anything
        return _none(question)
    with workspace.store.reading() as reader:
        found = ranked(candidates(reader, identifier, kinds))
        if found and all(is_as_stored(workspace, one.match.file) for one in found):
            return _format_result(found)
    from keel.querying.current_graph import current_graph

    with current_graph(workspace) as reader:
        found = ranked(candidates(reader, identifier, kinds))
        return _format_result(found) if found else _none(_why_none(reader, identifier, hint))


def _as_question(identifier: str) -> str:
    """Why a text is for `search`; empty when it may be an identifier."""
    if any(sign in identifier for sign in WILDCARDS):
        return f"'{brief(identifier)}' has a wildcard in it, and names are exact here: `search` finds parts of names"
    if len(identifier.split()) > 1 and endpoint_of(identifier) is None:
        return f"'{brief(identifier)}' reads like a sentence, not like a name: `search` takes words"
    return ""


def ranked(found: Iterable[GraphCandidate]) -> list[GraphCandidate]:
    """Each node once, for its best reason; the first ten, in a total order."""
    best: dict[int, tuple[tuple[int, int, str, int], GraphCandidate]] = {}
    for one in found:
        place = (PRIORITY[one.reason], one.unmatched, id_of(one.match.node, one.match.file), int(one.reason))
        known = best.get(one.match.node.number)
        if known is None or place < known[0]:
            best[one.match.node.number] = place, one
    return [one for _, one in sorted(best.values(), key=lambda pair: pair[0])][:MAX_CANDIDATES]


def _format_result(found: list[GraphCandidate]) -> Result:
    if len(found) == 1:
        [one] = found
        node = short_form(one.match.node, one.match.file)
        message = f"found by an old hash; it is {node.hash} now" if one.match.by_old_hash else ""
        return Result(success=True, status=ONE, node=node, message=message)
    shown = tuple(
        Candidate(
            node=short_form(one.match.node, one.match.file),
            reason=one.reason.word,
            score=round(1 / (1 + PRIORITY[one.reason] + one.unmatched / 10), 3),
        )
        for one in found
    )
    return Result(success=True, status=MANY, candidates=shown)


def _none(message: str) -> Result:
    return Result(success=True, status=NONE, message=message)


def _why_none(reader: GraphReader, identifier: str, hint: str | None) -> str:
    """The message when no node has the name, with what to try instead."""
    from keel.graph.lookup.nearest import nearest_names

    question = _as_question(identifier)
    if question:
        return question
    what = f"no {hint} is" if hint else "no symbol is"
    said = f"{what} called '{brief(identifier)}'"
    if hint is None and identifier.startswith(f"{TOOLS}:"):
        return f"{said}; to find tools, give the hint kind `{TOOLS}`"
    path, _, line = identifier.rpartition(":")
    if path and line.isdecimal():
        return f"{said}; `where` and `describe` take a place such as path:line"
    if hint in (ROUTES, CLIENTS) or endpoint_of(identifier) is not None:
        # No language extracts routes and clients yet: that the graph has none says nothing about the source.
        there = reader.found_by(NodeFilter(kinds=frozenset((NodeKind.ROUTE, NodeKind.CLIENT))), 1, 0)[0]
        return f"{said}" if there else f"{said}; routes and clients are not read from source yet"
    near = nearest_names(reader, identifier) if hint in (None, SYMBOLS) else []
    if near:
        return f"{said}; did you mean {', '.join(near)}?"
    return f"{said}; `search` looks for words in names and docs"


def _tool(workspace: Workspace, identifier: str) -> Result:
    from keel.querying.tool_nodes import tool_node

    found = tool_node(workspace, identifier)
    if found is None:
        return _none(f"no tool is called '{brief(identifier)}'; `keel tools list` shows all")
    return Result(success=True, status=ONE, node=found.node.ref(), message=found.note)
