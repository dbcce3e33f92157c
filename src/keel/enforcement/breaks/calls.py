"""Calls that do not fit their callee, and fitted in base or are new.

Checked are the calls of every definition whose contract differs, the calls in changed files, and the calls that resolve
to another callee than in base. A call that cannot be judged is no finding, unless it is suspected not to fit. A
decorator is a call, and so is a function that another one is passed and calls: `map(f, xs)`. A call that fits, and
whose arguments reach other parameters than in base, is uncertain.
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
    """All such calls, each once for every callee it does not fit."""
    for (file, at), edges in _sites(comparison).items():
        calls = [one for _, one in comparison.now.facts.references_at(file, at) if one.kind in CALLING]
        for reference in calls[:1]:
            for edge in _callees(comparison, edges):
                found = _judged(comparison, reference, edge, [each for each in edges if _go_together(each, edge)])
                if found is not None:
                    yield found


def _go_together(one: Edge, other: Edge) -> bool:
    """Whether two edges of a call are both explicit (its callees) or both implicit (what runs because of it)."""
    return one.is_implicit == other.is_implicit


def _sites(comparison: Comparison) -> dict[tuple[int, int], list[Edge]]:
    """The offsets of calls that may be broken, each with all edges that start there."""
    wanted: dict[tuple[int, int], None] = {}
    whole: dict[int, list[Edge]] = {}

    def edges_of(file: int) -> list[Edge]:
        if file not in whole:
            whole[file] = comparison.now.out_of(file)
        return whole[file]

    for pair in comparison.delta.altered:
        assert pair.after is not None, "a definition with another contract exists"
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
    """The callers and callees of a file of base, the callers by name."""
    facts = comparison.base.facts
    if not facts.has(file):
        return set()
    return {
        (facts.name(DefRef(file, edge.source)), edge.target)
        for edge in comparison.base.out_of(file)
        if edge.kind in CALLS
    }


def _is_as_it_was(comparison: Comparison, edge: Edge, was: set[tuple[tuple[str, int], DefRef]] | None) -> bool:
    """Whether an unchanged function called the same callee in base; a changed callee is checked from its own side.

    `was` is None where unchanged code cannot resolve to another callee.
    """
    source = DefRef(edge.file, edge.source)
    if comparison.delta.is_new.get(source, True):
        return False
    if was is None:
        return True
    before = comparison.base.counterpart(edge.target)
    return before is not None and (comparison.now.facts.name(source), before) in was


def _callees(comparison: Comparison, edges: Sequence[Edge]) -> list[Edge]:
    """The edges of a call whose targets its arguments are bound to; a constructor is bound through its class."""
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
        return None  # it was broken in base already, or its callee was unknown
    is_certain = is_certain and any(each.may_fit for each in was)
    cause = _cause(comparison, edge, edges)
    how = How.NAMES if verdict.by_name else How.ARGUMENTS
    changes = _changes(comparison, cause)
    if any(change.name in BINDING for change in changes):
        how = How.NAMES
    found = comparison.broken(how, comparison.subject(cause), edge, place, verdict.words, changes, is_certain)
    return found._replace(cause=cause) if found is not None else None


def _is_sure(comparison: Comparison, reference: Reference, edge: Edge) -> bool:
    """Whether the call is meant for this callee: it names it, or called it in base.

    A value that is called may come from elsewhere too, and the source may inspect its signature before the call.
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
    """A call that still fits and passes an argument to another parameter: likely, not certainly, a mistake.

    A renamed parameter is the same one: the new name is not among the old ones, nor the old name among the new. A
    call that was edited may have been adapted already, and is not reported.
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
            is_other = is_rebound and new != old  # else one of `*args` has become a named parameter
        else:
            is_other = old != new and (new in was[0].taken or old in now.taken)
        if is_other:
            why = f"argument {number} was for '{old}' and reaches '{new}' now"
            place = (edge.file, reference)
            subject = comparison.subject(edge.target)
            return comparison.broken(How.NAMES, subject, edge, place, why, changes, is_certain=False, is_displaced=True)
    return None


BINDING = ("a static method", "a class method", "a class")
"""Kind changes that show in that a call does not bind."""


def _verdicts_before(comparison: Comparison, now: Edge, reference: Reference) -> Iterator[Verdict]:
    """Whether a call of base fitted its callees there."""
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
    """The edges of a call of base that are explicit or implicit as a current edge is."""
    at = comparison.base.facts.interface(now.file).defs[reference.source].start + reference.at
    there = comparison.base.out_of_offset(now.file, at)
    return [edge for edge in there if edge.kind in CALLS and _go_together(edge, now)]


def _cause(comparison: Comparison, edge: Edge, edges: Sequence[Edge]) -> DefRef:
    """The definition that caused the break: the constructor of a class, where that is what differs."""
    altered = {pair.after for pair in comparison.delta.altered}
    constructors = [each.target for each in edges if each is not edge and _is_constructor(comparison, each.target)]
    return next((spot for spot in constructors if spot in altered), edge.target)


def _changes(comparison: Comparison, ref: DefRef) -> list[Alteration]:
    before = comparison.base.counterpart(ref)
    if before is None:
        return []
    return [each for each in comparison.contracts.alterations(before, ref) if each.aspect is Aspect.CALL]


def _of(comparison: Comparison, edge: Edge, verdict: Verdict) -> str:
    """Why a new call does not fit, with its callee."""
    callee = comparison.subject(edge.target)
    return f"{callee.kind} '{callee.qualified_name}' at {callee.file}:{callee.line}: {verdict.words}"
