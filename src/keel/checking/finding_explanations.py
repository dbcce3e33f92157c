"""Findings explained: the definition in base and now, and how every affected place resolves to it.

The comparison is made again, so that the evidence is that of the current files; removed definitions are explained from
base. Which findings exist is left to `judgement.py`, edges alone to `edge_explanations.py`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from keel.checking.edge_explanations import format_steps
from keel.checking.judgement import Compared, compared_of, judged_of
from keel.checking.run import TOOLS
from keel.enforcement.breaks.removed import WORDS
from keel.errors import CodeUnknown, FindingMissing, SymbolNotFound
from keel.graph.lookup.handles import PathScope, find_all
from keel.indexing.scan.regular_files import read_regular
from keel.model.facts import Lines
from keel.model.findings import OWN, Affected, Finding
from keel.model.hashing import from_text
from keel.model.ids import unescape_path
from keel.model.kinds import EdgeKind, RefKind, StepKind, Tier
from keel.model.nodes import Step
from keel.model.record import Record, field
from keel.model.refs import DefRef
from keel.model.report import short_base
from keel.model.text.plain import in_plain_words
from keel.model.text.wording import counted
from keel.ports.rule import codes_that, is_said
from keel.querying.current_graph import index_context
from keel.querying.evidence import steps_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import ClassVar

    from keel.indexing.base.sources import Accepted
    from keel.model.refs import FileKey
    from keel.model.rows import EdgeRow, FileRow
    from keel.ports.contracts import TreeVersion
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

MAX_EXPLAINED = 10
"""Affected places whose steps are shown."""
CALLS = (EdgeKind.CALLS, EdgeKind.INSTANTIATES)
ROLES = {RefKind.IMPORT: StepKind.IMPORT, RefKind.CALL: StepKind.CALL, RefKind.TYPE: StepKind.TYPE_REF}
KINDS = {words: ROLES.get(kind, StepKind.USE) for kind, words in WORDS.items()}
"""The kind of a place's first step, by why it is affected; without an entry, it is a call."""


class ExplainedPlace(Record):
    """One affected place, and how it resolves to the definition."""

    name: str = field("The definition around the place.")
    file: str = field("The file, relative to its root.")
    line: int = field("The line.")
    text: str = field("The text of that line.")
    why: str = field("Why it is affected.")
    resolution_chain: tuple[Step, ...] = field("The steps from the use to the definition.")


class OfFinding(Record):
    """The evidence for a finding."""

    LAYOUT: ClassVar = ("{head}", "{summary}", "{definitions}", "{text}", "fix: {hint}", "{more}")

    version: str = field("The version of this form of answer.", default="1.0")
    command: str = field("The command that answered.", default="explain")
    error_code: str = field("The code that is explained.")
    hash: str = field("The handle of the definition it is about.")
    confidence: float = field("How sure it is, from 0 to 1.")
    resolution_tier: str = field("Who produced the evidence.", choices=Tier.words())
    resolution_chain: tuple[Step, ...] = field("All steps in order: the definition, then those of each place.")
    summary: str = field("The reasoning in a few sentences.")
    severity: str = field("How much it matters.")
    message: str = field("What the finding says.")
    symbol: str = field("The qualified name of the definition.")
    file: str = field("Its file, relative to its root.")
    line: int = field("Its line; of what is gone, the line it had.")
    fix_hint: str = field("What to do about it.")
    places: tuple[ExplainedPlace, ...] = field("The affected places that are explained.")
    unexplained: int = field("Affected places beyond those.")
    base: str = field("What the files were compared with.")

    @property
    def head(self) -> str:
        """The finding in one line."""
        said = [self.severity.lower(), f"confidence {self.confidence:.2f}", in_plain_words(self.resolution_tier)]
        return f"{self.file}:{self.line}  {self.error_code} {self.symbol}  {', '.join(said)}"

    @property
    def definitions(self) -> str:
        """The definition in base and now."""
        return "\n".join(format_steps([step for step in self.resolution_chain if step.kind in DEFINITIONS]))

    @property
    def text(self) -> str:
        """Every place with its steps."""
        said: list[str] = []
        for place in self.places:
            said.append(f"{place.file}:{place.line}  {place.name}: {place.why}")
            said += format_steps(place.resolution_chain)
        return "\n".join(said)

    @property
    def hint(self) -> str:
        """What to do, without the places, which are listed above it."""
        more = f", and {self.unexplained} more" if self.unexplained else ""
        said = [f"{place.name} at {place.file}:{place.line}" for place in self.places]
        return self.fix_hint.replace(f": {', '.join(said)}{more}", "") if said else self.fix_hint

    @property
    def more(self) -> str:
        """How much is not shown, and where to read on."""
        rest = f"{counted(self.unexplained, 'place')} more; `keel compile --verbose` names all\n"
        return f"{rest if self.unexplained else ''}`keel help {self.error_code}` describes the rule"


DEFINITIONS = (StepKind.DEFINITION.word, StepKind.BEFORE.word)


def explained_finding(workspace: Workspace, code: str, handle: str, since: str | None) -> OfFinding:
    """Judges the edit again, selects the finding, and collects the evidence for it."""
    from keel.indexing.base.accepted_tree import accepted_tree
    from keel.indexing.pipeline import bring_up_to_date

    rules = {rule.CODE: rule for rule in workspace.rules}
    if code not in rules:
        raise CodeUnknown(code, list(rules))
    evidence = str(getattr(rules[code], "EVIDENCE", READ_OFF))
    workspace.prepare()
    context = index_context(workspace)
    bring_up_to_date(context, workspace.progress)
    with workspace.store.reading() as reader:
        files = reader.files()
        base = accepted_tree(context, files, since, workspace.accepted)
        if is_said(rules[code], "IS_ABOUT_TOOLS"):
            found = _found_about_tool(workspace, reader, files, base, code, handle, since)
            return _explained(found, _ToolFile(workspace), base.label, evidence)
        found = _found(workspace, reader, files, base, code, handle)
        compared = [each for each in compared_of(workspace, reader, files, base) if _speaks(each, found[0])]
        return _explained(found, _ComparedSources(workspace, reader, base, compared[0]), base.label, evidence)


def _found_about_tool(
    workspace: Workspace,
    reader: GraphReader,
    files: Sequence[FileRow],
    base: Accepted,
    code: str,
    handle: str,
    since: str | None,
) -> list[Finding]:
    """The findings about a tool; no graph contains tools, so all tools of the project are judged."""
    from keel.checking.plain_tools import plain_tools
    from keel.toolspaces.nodes import id_of
    from keel.toolspaces.spaces import PROJECT

    plain = plain_tools(workspace, since)
    tools = {*plain.there, *((row.root, row.path) for row in files if row.path.startswith(TOOLS))}
    item_id = handle.removeprefix(id_of(PROJECT, ""))
    return _found(workspace, reader, files, base, code, item_id, tools, plain.changed)


def _speaks(compared: Compared, finding: Finding) -> bool:
    return finding.file.endswith(compared.language.suffixes)


def _found(
    workspace: Workspace,
    reader: GraphReader,
    files: Sequence[FileRow],
    base: Accepted,
    code: str,
    handle: str,
    tools: Collection[FileKey] = (),
    unread: Collection[FileKey] = (),
) -> list[Finding]:
    """The findings of a code about what a handle names, the most severe first."""
    matches = find_all(reader, handle, PathScope(workspace.roots, workspace.here))
    judged = {*base.sources, *((match.file.root, match.file.path) for match in matches), *tools}
    findings = judged_of(workspace, reader, files, base, judged, unread).findings
    named = {(match.file.root, match.file.path, match.node.qualified_name) for match in matches}
    about = [each for each in findings if each.hash == handle]
    about = about or [each for each in findings if (each.root, each.file, each.symbol) in named]
    about = about or [each for each in findings if handle in (each.symbol, each.file)]
    found = [each for each in about if each.code == code]
    if found:
        return sorted(found, key=lambda each: each.severity)
    if not about and not matches and not _is_tool(handle, tools) and from_text(handle) is None:
        from keel.graph.lookup.nearest import nearest_names

        raise SymbolNotFound(handle, nearest_names(reader, handle))
    raise FindingMissing(code, handle, short_base(base.label), sorted({f"{each.code} {each.hash}" for each in about}))


def _is_tool(handle: str, files: Collection[FileKey]) -> bool:
    return any(handle in (path, path.removeprefix(TOOLS).rpartition(".")[0]) for _, path in files)


def _explained(
    findings: Sequence[Finding], checker: _ComparedSources | _ToolFile, base: str, evidence: str
) -> OfFinding:
    first = findings[0]
    affected = [one for each in findings for one in each.affected]
    definitions = tuple(checker.definitions(first))
    places = tuple(checker.place(first, one) for one in affected[:MAX_EXPLAINED])
    chain = dict.fromkeys([*definitions, *(step for place in places for step in place.resolution_chain)])
    return OfFinding(
        error_code=first.code,
        hash=first.hash,
        confidence=first.confidence,
        resolution_tier=first.resolution_tier,
        resolution_chain=tuple(chain),
        summary=_summary(first, base, [step.kind for step in chain]) if affected else f"{first.message} {evidence}",
        severity=first.severity,
        message=first.message,
        symbol=first.symbol,
        file=first.file,
        line=first.line,
        fix_hint=first.fix_hint,
        places=places,
        unexplained=len(affected) - len(places),
        base=base,
    )


def _summary(finding: Finding, base: str, kinds: Sequence[str]) -> str:
    ways = [word for kind, word in WAYS.items() if kind in kinds]
    sure = "High confidence" if finding.confidence >= SURE else "Low confidence, and so no more than a warning"
    how = f"Resolved via {', '.join(ways)}" if ways else "Resolved within the file"
    weakest = f"the weakest edge was found {in_plain_words(finding.resolution_tier)}"
    if finding.evidence != OWN:
        weakest = f"{finding.evidence} reports every place since the edit, and did not before"
    return f"{finding.message} Compared with {short_base(base)}. {how}. {sure}: {weakest}."


READ_OFF = "That follows from the definition itself, without any resolution."
"""How a finding without affected places came about, where its rule does not say."""
SURE = 0.7
WAYS = {
    StepKind.IMPORT.word: "import",
    StepKind.RE_EXPORT.word: "re-export",
    StepKind.ASSIGNMENT.word: "assignment",
    StepKind.ANNOTATION.word: "annotation",
    StepKind.INHERIT.word: "base class",
    StepKind.CALL.word: "call",
    StepKind.TYPE_REF.word: "type",
    StepKind.USE.word: "use",
}
"""Kinds of steps as summaries name them."""


class _Lead(NamedTuple):
    """An edge of base or of the current graph that may have caused the finding at a place."""

    side: TreeVersion[Any]
    file: int
    row: EdgeRow


class _ComparedSources:
    """The comparison of a language with its source texts."""

    def __init__(self, workspace: Workspace, reader: GraphReader, base: Accepted, compared: Compared) -> None:
        self._reader, self._base, self._compared = reader, base, compared
        self._was: dict[tuple[str, str], list[str]] = {}
        self._of_base = codes_that(workspace.rules, "IS_OF_BASE")

    def definitions(self, finding: Finding) -> Iterator[Step]:
        """The definition in base, where it differs, and now."""
        comparison = self._compared.comparison
        spot = None if finding.code in self._of_base else self._spot(finding)
        was = self._gone(finding) if spot is None else comparison.base.counterpart(spot)
        before = None
        if was is not None:
            subject = comparison.subject(was, is_now=False)
            before = self._then(comparison.base.facts.tree.files[was.file], subject.line)
            if spot is None or before != self._line(finding.root, finding.file, finding.line):
                yield Step(StepKind.BEFORE.word, subject.file, subject.line, before)
        if spot is not None:
            text = self._line(finding.root, finding.file, finding.line)
            yield Step(StepKind.DEFINITION.word, finding.file, finding.line, text)

    def place(self, finding: Finding, affected: Affected) -> ExplainedPlace:
        """A place with the steps from it to the definition; the place alone when its edge is not found again."""
        text = self._line(affected.root, affected.file, affected.line)
        own = Step(_kind(affected.why).word, affected.file, affected.line, text)
        steps: list[Step] = []
        for lead in self._leads(finding, affected):
            read = self._now if lead.side is self._compared.now else self._then
            steps += steps_of(self._compared.language, lead.side, lead.file, lead.row, read)
        if not any((step.file, step.text) == (own.file, own.text) for step in steps):
            steps.insert(0, own)
        if affected.diagnostic:
            said = f"{affected.evidence} {affected.diagnostic}"
            steps.append(Step(StepKind.DIAGNOSTIC.word, affected.file, affected.diagnostic_line, said))
        return ExplainedPlace(
            name=affected.name,
            file=affected.file,
            line=affected.line,
            text=text,
            why=affected.why,
            resolution_chain=tuple(dict.fromkeys(steps)),
        )

    def _leads(self, finding: Finding, affected: Affected) -> list[_Lead]:
        """The edges from the place to the definition: current ones, or those of base for a removed definition."""
        if finding.code in self._of_base:
            return self._leads_before(finding, affected)
        file = self._number(affected.root, affected.file)
        interface = self._compared.now.tree.interface(file)
        lines = Lines(interface.lines)
        rows = [
            row
            for row in self._reader.edges_of(file)
            if lines.line(interface.defs[row.source].start + row.at) == affected.line
        ]
        spot = self._spot(finding)
        mine = [row for row in rows if (row.target_file, row.target) == spot]
        return [_Lead(self._compared.now, file, row) for row in mine or rows if mine or row.kind in CALLS]

    def _leads_before(self, finding: Finding, affected: Affected) -> list[_Lead]:
        """The edge of base to a removed definition that is the same use, as far as the text of its line shows."""
        base = self._compared.comparison.base
        gone = self._gone(finding)
        file = self._number(affected.root, affected.file)
        if gone is None or file not in base.links:
            return []
        is_whole = not self._compared.comparison.now.facts.has(gone.file)
        interface = base.facts.interface(file)
        row_of, lines = base.facts.tree.files[file], Lines(interface.lines)
        wanted = self._line(affected.root, affected.file, affected.line)
        found = []
        for row in base.links[file].edges:
            is_it = row.target_file == gone.file and (is_whole or row.target == gone.ordinal)
            if is_it and self._then(row_of, lines.line(interface.defs[row.source].start + row.at)) == wanted:
                found.append(_Lead(self._compared.base, file, row))
        return found[:1]

    def _spot(self, finding: Finding) -> DefRef | None:
        value = from_text(finding.hash)
        nodes = self._reader.with_hash(value) if value is not None else []
        return next((DefRef(node.file, node.ordinal) for node in nodes), None)

    def _gone(self, finding: Finding) -> DefRef | None:
        comparison = self._compared.comparison
        gone = comparison.delta.gone
        return next((spot for spot in gone if comparison.subject(spot, is_now=False).hash == finding.hash), None)

    def _number(self, root: str, path: str) -> int:
        files = self._compared.now.tree.files.values()
        return next(row.id for row in files if (row.root, row.path) == (root, path))

    def _now(self, row: FileRow, line: int) -> str:
        return _at(self._compared.comparison.lines(row.id), line)

    def _line(self, root: str, path: str, line: int) -> str:
        row = self._compared.now.tree.files[self._number(root, path)]
        return self._now(row, line)

    def _then(self, row: FileRow, line: int) -> str:
        """A line of a file in base."""
        source = self._base.sources.get((row.root, row.path))
        if source is None:
            return self._now(row, line)
        place = (row.root, row.path)
        if place not in self._was:
            self._was[place] = self._compared.language.text(source).decode("utf-8", "replace").split("\n")
        return _at(self._was[place], line)


class _ToolFile:
    """The source of a tool: the line of its file that a finding is about."""

    def __init__(self, workspace: Workspace) -> None:
        self._folder = workspace.folder

    def definitions(self, finding: Finding) -> Iterator[Step]:
        """The current line; none for a file that cannot be read."""
        with suppress(OSError):
            data = read_regular(os.path.join(self._folder, unescape_path(finding.file)))[0]
            text = _at(data.decode("utf-8", "replace").split("\n"), finding.line)
            yield Step(StepKind.DEFINITION.word, finding.file, finding.line, text)

    def place(self, finding: Finding, affected: Affected) -> ExplainedPlace:
        """A finding about a tool has no other affected places."""
        raise NotImplementedError


def _kind(why: str) -> StepKind:
    return KINDS.get(why.partition(";")[0], StepKind.CALL)


def _at(lines: Sequence[str], line: int) -> str:
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""
