"""Calls that do not fit what they call now, and did in base or are new.

Looked at are the calls of everything whose contract differs, those in files that differ, and those that lead elsewhere
than before; a call whose fitting is not known now is no finding, unless only a doubt stands between. A decorator is a
call, and so is what another function is handed and calls: `map(f, xs)`. A call that fits, and whose arguments reach
other parameters than before, is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge
from keel.model.contracts import Alteration, Aspect, State, Verdict
from keel.model.facts import Reference
from keel.model.kinds import EdgeKind, RefKind
from keel.model.refs import DefRef
from keel.ports.rule import Break, How

CALLS = (EdgeKind.CALLS, EdgeKind.INSTANTIATES)
CALLING = (RefKind.CALL, RefKind.DECORATE)


def broken_calls(comparison: Comparison) -> Iterator[Break]:
    """All of them, each once for every callee it does not fit."""
    for (file, at), edges in _sites(comparison).items():
        calls = [one for _, one in comparison.now.facts.references_at(file, at) if one.kind in CALLING]
        for reference in calls[:1]:
            for edge in _callees(comparison, edges):
                found = _judged(comparison, reference, edge, [each for each in edges if _go_together(each, edge)])
                if found is not None:
                    yield found


def _go_together(one: Edge, other: Edge) -> bool:
    """Whether two edges of a call are both of what it calls, or both of what is called for it."""
    return one.is_implicit == other.is_implicit


def _sites(comparison: Comparison) -> dict[tuple[int, int], list[Edge]]:
    """The places of calls that may be broken, with all edges that leave each."""
    wanted: dict[tuple[int, int], None] = {}
    whole: dict[int, list[Edge]] = {}

    def edges_of(file: int) -> list[Edge]:
        if file not in whole:
            whole[file] = comparison.now.out_of(file)
        return whole[file]

    for pair in comparison.delta.altered:
        assert pair.after is not None, "what has another contract is there"
        wanted |= dict.fromkeys((edge.file, edge.at) for edge in comparison.now.into(pair.after) if edge.kind in CALLS)
    for file in sorted(comparison.delta.changed):
        if comparison.now.facts.has(file):
            was = _callees_before(comparison, file) if comparison.base.reaches else None
            for edge in edges_of(file):
                if edge.kind in CALLS and not _is_as_it_was(comparison, edge, was):
                    wanted[file, edge.at] = None
    for file in sorted(comparison.base.links) if comparison.base.reaches else ():
        if file not in comparison.delta.changed and comparison.now.facts.has(file):
            before = {(edge.at, edge.target) for edge in comparison.base.out_of(file)}
            for edge in edges_of(file):
                if edge.kind in CALLS and (edge.at, comparison.base.counterpart(edge.target)) not in before:
                    wanted[file, edge.at] = None
    found: dict[tuple[int, int], list[Edge]] = {site: [] for site in wanted}
    for file in dict.fromkeys(file for file, _ in wanted):
        for edge in edges_of(file):
            if edge.kind in CALLS and (file, edge.at) in found:
                found[file, edge.at].append(edge)
    return found


def _callees_before(comparison: Comparison, file: int) -> set[tuple[tuple[str, int], DefRef]]:
    """Who called whom in a file of base, by the name of the caller."""
    facts = comparison.base.facts
    if not facts.has(file):
        return set()
    return {
        (facts.name(DefRef(file, edge.source)), edge.target)
        for edge in comparison.base.out_of(file)
        if edge.kind in CALLS
    }


def _is_as_it_was(comparison: Comparison, edge: Edge, was: set[tuple[tuple[str, int], DefRef]] | None) -> bool:
    """Whether a function has not changed and called the same then; if the callee has changed, that is seen there.

    `was` is None where what has not changed cannot call anybody else.
    """
    source = DefRef(edge.file, edge.source)
    if comparison.delta.is_new.get(source, True):
        return False
    if was is None:
        return True
    before = comparison.base.counterpart(edge.target)
    return before is not None and (comparison.now.facts.name(source), before) in was


def _callees(comparison: Comparison, edges: Sequence[Edge]) -> list[Edge]:
    """The edges of a call that are bound to: what makes an instance is bound through its class."""
    makes = any(edge.kind == EdgeKind.INSTANTIATES for edge in edges)
    return [edge for edge in edges if not ((makes or edge.is_implicit) and _is_constructor(comparison, edge.target))]


def _is_constructor(comparison: Comparison, ref: DefRef) -> bool:
    node = comparison.now.node(ref)
    return comparison.syntax(ref.file).is_constructor(node.name, node.kind)


def _judged(comparison: Comparison, reference: Reference, edge: Edge, edges: Sequence[Edge]) -> Break | None:
    verdict = comparison.contracts.fits(edge.file, reference, edge.target)
    if verdict.may_fit:
        return _displaced(comparison, reference, edge, verdict)
    if verdict.state is State.NOT_KNOWN and not verdict.is_suspected:
        return None
    is_certain = verdict.state is State.MISFIT and _is_sure(comparison, reference, edge)
    place = (edge.file, reference)
    before = comparison.same_in_base(edge.file, reference)
    if not before:
        caller = comparison.subject(DefRef(edge.file, reference.source))
        return comparison.broken(How.NEW_CALL, caller, edge, place, _of(comparison, edge, verdict), (), is_certain)
    was = [each for one in before for each in _verdicts_before(comparison, edge, one)]
    if not was or any(each.state is State.MISFIT or each.is_suspected for each in was):
        return None  # it was as broken before, or nobody knew whom it called
    is_certain = is_certain and any(each.may_fit for each in was)
    cause = _cause(comparison, edge, edges)
    how = How.NAMES if verdict.by_name else How.ARGUMENTS
    changes = _changes(comparison, cause)
    if any(change.name in BINDING for change in changes):
        how = How.NAMES
    found = comparison.broken(how, comparison.subject(cause), edge, place, verdict.words, changes, is_certain)
    return found._replace(cause=cause) if found is not None else None


def _is_sure(comparison: Comparison, reference: Reference, edge: Edge) -> bool:
    """Whether it is this callee that the call is written for: it names it, or called it in base.

    A value that is called may come from elsewhere too, and the source may look what it takes before it calls it.
    """
    if comparison.contracts.is_named(edge.file, reference, edge.target):
        return True
    before = comparison.base.counterpart(edge.target)
    return before is not None and any(
        one.target == before
        for each in comparison.same_in_base(edge.file, reference)
        for one in _edges_before(comparison, edge, each)
    )


def _displaced(comparison: Comparison, reference: Reference, edge: Edge, now: Verdict) -> Break | None:
    """A call that fits as it did and gives an argument to another parameter; that it is not meant is likely, no more.

    A parameter that only has another name is the same one: neither is the new name among the old, nor the old among
    the new. A call that was edited may have been brought into line.
    """
    before = comparison.same_in_base(edge.file, reference) if now.given else []
    if not any(comparison.is_said_alike(edge.file, one, reference) for one in before):
        return None
    was = [each for one in before for each in _verdicts_before(comparison, edge, one)]
    if not all(each.may_fit for each in was) or len({each.given for each in was}) != 1:
        return None
    changes = _changes(comparison, edge.target)
    is_rebound = any(change.name in BINDING for change in changes)
    for number, (old, new) in enumerate(zip(was[0].given, now.given, strict=False), 1):
        if old.startswith("*"):
            is_other = is_rebound and new != old  # else one of the rest has got a name
        else:
            is_other = old != new and (new in was[0].taken or old in now.taken)
        if is_other:
            why = f"argument {number} was for '{old}' and reaches '{new}' now"
            place = (edge.file, reference)
            subject = comparison.subject(edge.target)
            return comparison.broken(How.NAMES, subject, edge, place, why, changes, is_certain=False, is_displaced=True)
    return None


BINDING = ("a static method", "a class method", "a class")
"""Changes of what a function is that are seen when a call does not bind."""


def _verdicts_before(comparison: Comparison, now: Edge, reference: Reference) -> Iterator[Verdict]:
    """How a call of base fitted what it called there."""
    edges = _edges_before(comparison, now, reference)
    makes = any(edge.kind == EdgeKind.INSTANTIATES for edge in edges)
    for edge in edges:
        interface = comparison.base.facts.interface(edge.target.file)
        target = interface.defs[edge.target.ordinal]
        syntax = comparison.syntax(edge.target.file, is_now=False)
        is_constructor = syntax.is_constructor(interface.text(target.name), target.kind)
        if not ((makes or edge.is_implicit) and is_constructor):
            yield comparison.contracts.fits(edge.file, reference, edge.target, is_now=False)


def _edges_before(comparison: Comparison, now: Edge, reference: Reference) -> list[Edge]:
    """Whom a call of base called, in the way of an edge of now."""
    at = comparison.base.facts.interface(now.file).defs[reference.source].start + reference.at
    there = comparison.base.out_of_offset(now.file, at)
    return [edge for edge in there if edge.kind in CALLS and _go_together(edge, now)]


def _cause(comparison: Comparison, edge: Edge, edges: Sequence[Edge]) -> DefRef:
    """What is to blame: the constructor of a class, where that is what differs."""
    altered = {pair.after for pair in comparison.delta.altered}
    constructors = [each.target for each in edges if each is not edge and _is_constructor(comparison, each.target)]
    return next((spot for spot in constructors if spot in altered), edge.target)


def _changes(comparison: Comparison, ref: DefRef) -> list[Alteration]:
    before = comparison.base.counterpart(ref)
    if before is None:
        return []
    return [each for each in comparison.contracts.alterations(before, ref) if each.aspect is Aspect.CALL]


def _of(comparison: Comparison, edge: Edge, verdict: Verdict) -> str:
    """Why a new call does not fit, with what it calls."""
    callee = comparison.subject(edge.target)
    return f"{callee.kind} '{callee.qualified_name}' at {callee.file}:{callee.line}: {verdict.words}"
