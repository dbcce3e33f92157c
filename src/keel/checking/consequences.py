"""What changes of a signature would break: every call of a function, and which of its parameters each call gives.

The calls are bound as `keel compile` binds them, with nothing changed. Who is reached further away is left to
`graph/reach.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from keel.checking.judgement import unchanged
from keel.graph.naming import id_of
from keel.graph.reach import is_test_case
from keel.model.contracts import State
from keel.model.hashing import to_text
from keel.model.kinds import EdgeKind, NodeKind, ParamKind, RefKind, Tier
from keel.model.record import Record, field
from keel.model.refs import DefRef
from keel.model.text.plain import in_plain_words
from keel.ports.language import has_contracts

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.enforcement.comparison import Comparison
    from keel.model.facts import Def, Interface, Lines, Param
    from keel.model.rows import FileRow, StoredEdge, StoredNode
    from keel.model.syntax import Syntax
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

CALLS = (EdgeKind.CALLS, EdgeKind.INSTANTIATES)
CALLING = (RefKind.CALL, RefKind.DECORATE)
METHODS = (NodeKind.METHOD, NodeKind.CONSTRUCTOR)
STARS = (ParamKind.VAR_POSITIONAL, ParamKind.VAR_KEYWORD)


class Call(Record):
    """A call of the symbol, and what it gives."""

    LAYOUT: ClassVar = ("{path}:{line}  {caller}  {hash}  {passes}  {manner}",)
    LLM: ClassVar = "{path}:{line} {caller} {hash} {passes} {confidence:.2f}"

    path: str = field("The file it is in.")
    line: int = field("Its line.")
    caller: str = field("The definition around it.")
    caller_id: str = field("The stable name of that.")
    hash: str = field("The short handle of that.")
    by_place: tuple[str, ...] = field("Parameters that it gives a value without saying their name.")
    by_name: tuple[str, ...] = field("Parameters that it names.")
    is_open: bool = field("Whether a star hides what else it gives, or what it calls is not certain.")
    confidence: float = field("How sure it is that it calls this.")
    resolution_tier: str = field("Who produced the evidence.", choices=Tier.words())
    is_test: bool = field("Whether it is in a test.")

    @property
    def passes(self) -> str:
        """What it gives, as a call would be written."""
        given = [*self.by_place, *(f"{name}=" for name in self.by_name), *(["…"] if self.is_open else [])]
        return f"({', '.join(given)})"

    @property
    def manner(self) -> str:
        """How sure it is, and whether it is a test's."""
        return f"{self.confidence:.2f} {in_plain_words(self.resolution_tier)}{' test' if self.is_test else ''}"


class Bound(NamedTuple):
    """All calls of a symbol, and what changes would do to them."""

    calls: list[Call]
    broken_by: dict[str, dict[str, int]]
    """How many calls do not fit any more when a parameter is renamed, removed, or has no default any more."""
    is_checked: bool = True
    """Whether the language of the symbol says how calls bind."""


def bound(workspace: Workspace, reader: GraphReader, node: StoredNode, file: FileRow, floor: float) -> Bound:
    """The calls of a function or class, bound to it as it is now."""
    language = next(each for each in workspace.languages if each.name == file.language)
    comparison = unchanged(workspace, reader, reader.files(), language).comparison
    calls = [
        call
        for edge in reader.edges_to(node.number)
        if edge.kind in CALLS and edge.confidence >= round(floor * 100)
        for call in _call(comparison, reader, edge, DefRef(node.file, node.ordinal))
    ]
    calls.sort(key=lambda call: (call.is_test, call.path, call.line))
    if not has_contracts(language):
        return Bound(calls, {}, is_checked=False)
    return Bound(calls, _broken_by(calls, _params(comparison, node)))


def _call(comparison: Comparison, reader: GraphReader, edge: StoredEdge, callee: DefRef) -> Iterator[Call]:
    source = reader.node(edge.source)
    file = reader.file(source.file) if source is not None else None
    if source is None or file is None or not comparison.now.facts.has(file.id):
        return
    at = source.start + edge.at
    references = [one for _, one in comparison.now.facts.references_at(file.id, at) if one.kind in CALLING]
    for reference in references[:1]:
        verdict = comparison.contracts.fits(file.id, reference, callee)
        yield Call(
            path=file.path,
            line=_lines(comparison, file.id).line(at),
            caller=source.qualified_name,
            caller_id=id_of(source, file),
            hash=to_text(source.hash),
            by_place=verdict.given,
            by_name=verdict.named,
            is_open=verdict.state is not State.FITS,
            confidence=edge.confidence / 100,
            resolution_tier=Tier(edge.tier).word,
            is_test=is_test_case(source, file, comparison.syntaxes),
        )


def _lines(comparison: Comparison, file: int) -> Lines:
    from keel.model.facts import Lines

    return Lines(comparison.now.facts.interface(file).lines)


def _params(comparison: Comparison, node: StoredNode) -> dict[str, Param]:
    """The parameters that a call can give, by name; of a class, those of its constructor."""
    interface = comparison.now.facts.interface(node.file)
    definition = interface.defs[node.ordinal]
    if definition.signature is None:
        inside = [each for each in interface.defs if each.parent == node.ordinal]
        definition = _constructor(comparison.syntax(node.file), interface, inside) or definition
    from keel.model.facts import STATIC

    signature = definition.signature
    given = signature.params if signature is not None else []
    if definition.kind in METHODS and not definition.flags & STATIC:
        given = given[comparison.syntax(node.file).bound_parameters :]
    return {interface.text(each.name): each for each in given if each.kind not in STARS}


def _constructor(syntax: Syntax, interface: Interface, inside: Sequence[Def]) -> Def | None:
    """The definition of a class that takes the arguments of a construction."""
    named = {interface.text(each.name): each for each in reversed(inside)}
    by_name = [named[name] for name in syntax.constructors if name in named]
    by_kind = [each for each in inside if each.kind == NodeKind.CONSTRUCTOR]
    return next(iter((*by_name, *by_kind)), None)


def _broken_by(calls: Sequence[Call], params: dict[str, Param]) -> dict[str, dict[str, int]]:
    """How many calls each of the usual changes of a parameter breaks for certain."""
    named = Counter(name for call in calls for name in call.by_name)
    placed = Counter(name for call in calls for name in call.by_place)
    without = {
        name: sum(not call.is_open and name not in (*call.by_name, *call.by_place) for call in calls) for name in params
    }
    return {
        name: {
            "renamed": named[name],
            "removed": named[name] + placed[name],
            "required": without[name] if param.default >= 0 else 0,
        }
        for name, param in params.items()
    }
