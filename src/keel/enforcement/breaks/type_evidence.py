"""The step that applies type evidence to breaks: the checker confirms or clears them, and adds what keel missed.

A use is broken when the checker reports it in the current tree and did not in base. It is fine when the checker knows
the type that is used and reports nothing. Where it has no type, keel's own judgement is kept. Without a checker, or
when it fails, nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from keel.enforcement.breaks.removed import WORDS
from keel.enforcement.breaks.unchanged_lines import UnchangedLines
from keel.enforcement.breaks.uses import CONFIDENCE, Changed, Use, changed_of, near_files, spelled_in, uses_of
from keel.enforcement.comparison import Comparison
from keel.errors import HelperError
from keel.model.contracts import Aspect
from keel.model.findings import TY
from keel.model.kinds import NodeKind, RefKind, Tier
from keel.model.refs import DefRef
from keel.ports import rule
from keel.ports.definitions import Position
from keel.ports.rule import Break, How, Span
from keel.ports.type_checker import Asking, Complaint, Knowledge, Meaning, TypeChecker

MAX_FILES = 50
"""Files with uses that are checked; breaks in the others are reported as uncertain."""
FLOWING = (Aspect.KIND_CHANGE, Aspect.RETURN_TYPE)
"""Changes whose effect may show anywhere in the calling function, not only at the call."""
HOW = {Meaning.ARITY: How.ARGUMENTS, Meaning.NAME: How.NAMES, Meaning.ASYNC: How.KIND_CHANGE}
"""The kind of break for a kind of diagnostic; all others are about types."""
PROOF = {
    How.ARGUMENTS: (Knowledge.SHAPE, Knowledge.TYPES),
    How.NAMES: (Knowledge.SHAPE, Knowledge.TYPES),
    How.NEW_CALL: (Knowledge.SHAPE, Knowledge.TYPES),
    How.TYPES: (Knowledge.TYPES,),
    How.GONE: (Knowledge.VALUE, Knowledge.SHAPE, Knowledge.TYPES),
    How.LOST: (Knowledge.VALUE, Knowledge.SHAPE, Knowledge.TYPES),
}
"""What the checker must know for its silence to clear a use; a kind change is never cleared by silence."""
TOO_MANY = "not checked: too many files use it"


class CheckedBreaks(NamedTuple):
    """Breaks after type evidence was applied."""

    breaks: list[Break]
    remarks: Sequence[rule.Complaint] = ()
    by: str = ""
    """The checker that gave evidence; empty for none."""
    trouble: HelperError | None = None
    """Why there is no evidence."""


def with_type_evidence(comparison: Comparison, breaks: Sequence[Break], asking: Asking) -> CheckedBreaks:
    """The breaks, with the evidence of a checker about them and about every other use of a changed definition."""
    evidence_missing = CheckedBreaks(list(breaks))
    checker = asking.checker()
    changed = changed_of(comparison, breaks) if checker is not None else []
    if checker is None or not (changed or breaks):
        return evidence_missing
    uses = uses_of(comparison, changed)
    edited = [file for file in dict.fromkeys(each.spot.file for each in changed) if comparison.now.facts.has(file)]
    uses += _spelled(comparison, edited, changed, uses)
    if not uses and not breaks:
        return evidence_missing
    near = near_files(comparison, changed)
    files = list(dict.fromkeys([*(each.span.file for each in breaks), *(each.span.file for each in uses), *near]))
    asked = files[:MAX_FILES]
    complaints = _complaints(comparison, asking, checker, asked)
    if complaints is None:
        return evidence_missing._replace(trouble=checker.trouble)
    uses += _spelled(comparison, [file for file in asked if file in near and file not in edited], changed, uses)
    blamed, transitive = _attributed(comparison, breaks, uses, complaints)
    told = [_confirmed(each, blamed[each.span]) for each in breaks if each.span in blamed]
    silent = [each for each in breaks if each.span not in blamed]
    cleared = _cleared(comparison, asking, checker, [each for each in silent if each.span.file in set(asked)])
    if cleared is None:
        return evidence_missing._replace(trouble=checker.trouble)
    told += cleared
    told += [_beyond(each) for each in silent if each.span.file not in set(asked)]
    spans = {each.span for each in breaks}
    told += _added(comparison, [each for each in uses if each.span in blamed and each.span not in spans], blamed)
    return CheckedBreaks(told, [_remark(comparison, each) for each in transitive], checker.name)


def _spelled(
    comparison: Comparison, files: Sequence[int], changed: Sequence[Changed], uses: Sequence[Use]
) -> list[Use]:
    known = {each.span for each in uses}
    return [use for file in files for use in spelled_in(comparison, file, changed, known)]


def _complaints(
    comparison: Comparison, asking: Asking, checker: TypeChecker, files: Sequence[int]
) -> dict[int, list[Complaint]] | None:
    """The diagnostics of the checker, by file; None when it does not answer."""
    found: dict[int, list[Complaint]] = {}
    for root, some in _by_root(comparison, files).items():
        paths = {asking.path(file): file for file in some}
        said = checker.complaints(asking.scene(root), list(paths))
        if said is None:
            return None
        for each in said:
            found.setdefault(paths[each.path], []).append(each)
    return found


def _by_root(comparison: Comparison, files: Sequence[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for file in files:
        found.setdefault(comparison.now.facts.tree.files[file].root, []).append(file)
    return found


Blamed = dict[Span, Complaint]


class _AttributedComplaint(NamedTuple):
    """A use or a break, as diagnostics are attributed to it."""

    span: Span
    source: int
    """The definition around it."""
    flows: bool
    """Whether the effect of the change may show elsewhere in the function."""
    is_whole: bool
    """Whether the function is unchanged, so that no new diagnostic in it is caused by an edit of it."""
    subject: str
    is_import: bool = False


def _attributed(
    comparison: Comparison, breaks: Sequence[Break], uses: Sequence[Use], complaints: Mapping[int, Sequence[Complaint]]
) -> tuple[Blamed, list[tuple[int, Complaint]]]:
    """The diagnostics by the use they are about; those about no known use are separate."""
    placed = [_of_break(each) for each in breaks] + [_of_use(comparison, each) for each in uses]
    by_file: dict[int, list[_AttributedComplaint]] = {}
    for each in placed:
        by_file.setdefault(each.span.file, []).append(each)
    kept = UnchangedLines(comparison)
    blamed: Blamed = {}
    transitive: list[tuple[int, Complaint]] = []
    for file, said in complaints.items():
        there = by_file.get(file, [])
        for complaint in said:
            hit = _hit(comparison, kept, complaint, there)
            if hit is None:
                transitive.append((file, complaint))
                continue
            blamed.setdefault(hit.span, complaint)
            if complaint.meaning is Meaning.IMPORT and hit.is_import:
                # the checker has no types behind an import that fails, and so reports nothing there
                for other in there:
                    if other.subject == hit.subject:
                        blamed.setdefault(other.span, complaint)
    return blamed, transitive


def _of_break(each: Break) -> _AttributedComplaint:
    return _AttributedComplaint(
        each.span, -1, False, False, each.subject.id, each.affected.why == WORDS[RefKind.IMPORT]
    )


def _of_use(comparison: Comparison, use: Use) -> _AttributedComplaint:
    flows = any(each.aspect in FLOWING for each in use.changed.alterations)
    is_import = use.reference.kind == RefKind.IMPORT
    is_whole = _is_as_it_was(comparison, use.span.file, use.reference.source)
    return _AttributedComplaint(use.span, use.reference.source, flows, is_whole, use.changed.subject.id, is_import)


def _is_as_it_was(comparison: Comparison, file: int, source: int) -> bool:
    """Whether a definition is unchanged since base."""
    return file not in comparison.delta.changed or not comparison.delta.is_new.get(DefRef(file, source), True)


def _hit(
    comparison: Comparison, kept: UnchangedLines, complaint: Complaint, there: Sequence[_AttributedComplaint]
) -> _AttributedComplaint | None:
    """The use that a diagnostic is about; else one in the same function whose result may have caused it."""
    start, end = (complaint.line, complaint.column), (complaint.end_line, complaint.end_column)
    touched = [each for each in there if each.span.start < end and start < each.span.end]
    around = [each for each in touched if each.span.start <= start and end <= each.span.end]
    if around:
        return min(around, key=lambda each: _distance(each.span.start, each.span.end))
    if touched:
        return min(touched, key=lambda each: (_distance(start, each.span.start), _distance(each.span.end, end)))
    flowing = [each for each in there if each.flows and _leads_to(comparison, kept, each, complaint)]
    return min(flowing, key=lambda each: _way(each.span, complaint), default=None)


def _leads_to(comparison: Comparison, kept: UnchangedLines, each: _AttributedComplaint, complaint: Complaint) -> bool:
    """Whether a use is in the function that a diagnostic is about, and no edit of that function may be the cause.

    The use may be on an earlier line, from which the diagnostic may follow, unless both are on one line.
    """
    file, lines = each.span.file, (each.span.start[0], complaint.line, complaint.end_line)
    if each.source != _around(comparison, file, complaint.line):
        return False
    top = min(lines) if _is_on_line(each.span, complaint) else comparison.now.nodes(file)[each.source].line
    return each.is_whole or kept.has(file, top, max(lines))


def _is_on_line(span: Span, complaint: Complaint) -> bool:
    """Whether a diagnostic is about a line of a use."""
    return span.start[0] <= complaint.end_line and complaint.line <= span.end[0]


def _way(span: Span, complaint: Complaint) -> tuple[bool, bool, tuple[int, int]]:
    """Sort key: how likely a use causes a diagnostic. Its own lines first, then the last before it, then the next."""
    start = (complaint.line, complaint.column)
    return not _is_on_line(span, complaint), span.start > start, _distance(start, span.start)


def _distance(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The distance of two positions, in lines and then in columns."""
    return abs(other[0] - one[0]), abs(other[1] - one[1])


def _around(comparison: Comparison, file: int, line: int) -> int:
    """The innermost definition that contains a line."""
    found = [node for node in comparison.now.nodes(file) if node.line <= line <= node.end_line and node.kind in SCOPES]
    return max(found, key=lambda node: node.line).ordinal if found else 1


SCOPES = (NodeKind.MODULE, NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.METHOD)


def _confirmed(each: Break, complaint: Complaint) -> Break:
    """A break that the checker confirms: certain, with the confidence of the checker."""
    if each.may_be_made:
        return each
    said = f"{complaint.rule}: {complaint.message}"
    return each._replace(
        is_certain=True,
        confidence=CONFIDENCE / 100,
        tier=Tier.TIER2_TY.word,
        affected=each.affected.replace(evidence=TY, diagnostic=said, diagnostic_line=complaint.line),
    )


def _cleared(
    comparison: Comparison, asking: Asking, checker: TypeChecker, silent: Sequence[Break]
) -> list[Break] | None:
    """The breaks without a diagnostic that the checker's knowledge does not clear."""
    asks = [each for each in silent if each.how in PROOF and _is_told_by_types(each)]
    knowledge: dict[Span, Knowledge] = {}
    for root, some in _by_root(comparison, list(dict.fromkeys(each.span.file for each in asks))).items():
        spans = list(dict.fromkeys(each.span for each in asks if each.span.file in some))
        places = [Position(asking.path(span.file), *span.name) for span in spans]
        said = checker.knowledge(asking.scene(root), places)
        if said is None:
            return None
        knowledge |= dict(zip(spans, said, strict=True))
    return [_doubted(each) for each in silent if not _is_cleared(each, knowledge)]


def _is_cleared(each: Break, knowledge: Mapping[Span, Knowledge]) -> bool:
    return _is_told_by_types(each) and knowledge.get(each.span) in PROOF.get(each.how, ())


def _is_told_by_types(each: Break) -> bool:
    return not each.is_displaced and not each.may_be_made


def _doubted(each: Break) -> Break:
    """A result that is not awaited, or read as a property, without a diagnostic is uncertain, unless the text shows it.

    A checker accepts comparing, formatting or printing a coroutine that should have been awaited.
    """
    return each._replace(is_certain=False) if each.how is How.KIND_CHANGE and not each.is_plain else each


def _beyond(each: Break) -> Break:
    why = f"{each.affected.why} ({TOO_MANY})"
    return each._replace(is_certain=False, affected=each.affected.replace(why=why))


def _added(comparison: Comparison, uses: Sequence[Use], blamed: Blamed) -> Iterator[Break]:
    """Uses that keel did not report and the checker does; each place once."""
    best: dict[Span, Use] = {}
    for use in uses:
        if use.span not in best or _rank(use) > _rank(best[use.span]):
            best[use.span] = use
    for span, use in best.items():
        complaint = blamed[span]
        how = How.GONE if use.changed.is_gone else HOW.get(complaint.meaning, How.TYPES)
        place = (span.file, use.reference)
        found = comparison.broken(how, use.changed.subject, use.edge, place, complaint.message, use.changed.alterations)
        if found is not None:
            yield _confirmed(found, complaint)


def _rank(use: Use) -> tuple[bool, bool]:
    """Which of several uses at one place is reported: that of a definition that itself changed, a constructor first."""
    return bool(use.changed.alterations) or use.changed.is_gone, use.changed.subject.is_constructor


def _remark(comparison: Comparison, found: tuple[int, Complaint]) -> rule.Complaint:
    """A diagnostic that no use of a changed definition explains: reported as a remark."""
    file, complaint = found
    row = comparison.now.facts.tree.files[file]
    return rule.Complaint(row.root, row.path, complaint.line, f"{complaint.rule}: {complaint.message}")
