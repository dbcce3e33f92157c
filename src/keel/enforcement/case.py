"""Cases: what rules look at, computed when a rule first asks for it.

How each part is found is left to the modules that are imported here, which many cases do not need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from keel.enforcement.breaks.functions import added_functions, functions_of
from keel.enforcement.comparison import Comparison
from keel.enforcement.graphs import Edge as GraphEdge
from keel.model.facts import MODULE_DEF, Def, Interface
from keel.model.findings import Finding
from keel.model.kinds import EdgeKind
from keel.model.refs import DefRef
from keel.ports.contracts import UnknownContracts
from keel.ports.rule import (
    Break,
    Case,
    Complaint,
    Definition,
    Duplicate,
    Edge,
    File,
    Function,
    Grade,
    Memory,
    Misplaced,
    Rule,
    Subject,
    Suppressed,
    ToolProblem,
    UnknownName,
)


def findings_of(rules: Iterable[Rule], case: Case) -> list[Finding]:
    """What rules say about a case."""
    return [finding for rule in rules for finding in rule.check(case)]


class RunCase:
    """A case about a run, and no code: tools, suppressions, findings that are suppressed, the session."""

    files: Sequence[File] = ()
    breaks: Sequence[Break] = ()
    unchecked: Sequence[Subject] = ()
    functions: Sequence[Function] = ()
    unknown_names: Sequence[UnknownName] = ()
    complaints: Sequence[Complaint] = ()

    def __init__(
        self,
        tools: Sequence[ToolProblem] = (),
        suppressions: Sequence[Suppressed] = (),
        silenced: Sequence[tuple[Finding, str]] = (),
        memory: Memory = Memory(),  # noqa: B008  # a frozen value
    ) -> None:
        self.tools, self.suppressions, self.silenced, self.memory = tools, suppressions, silenced, memory

    def grade(self, key: str, path: str) -> str:
        """Nothing is graded: there is no code."""
        return ""

    def misplaced(self, is_judged: Callable[[str], bool]) -> Sequence[Misplaced]:
        """None: there is no code."""
        return ()

    def duplicates(self, is_judged: Callable[[str], bool]) -> Sequence[Duplicate]:
        """None: there is no code."""
        return ()


class CodeCase:
    """A case about the code of one language, in base and now."""

    tools: Sequence[ToolProblem] = ()
    suppressions: Sequence[Suppressed] = ()
    silenced: Sequence[tuple[Finding, str]] = ()
    memory = Memory()

    def __init__(
        self,
        comparison: Comparison,
        judged: Sequence[int],
        grade: Grade,
        breaks: Sequence[Break],
        complaints: Sequence[Complaint] = (),
    ) -> None:
        self._comparison, self._judged, self._grade = comparison, judged, grade
        self.breaks, self.complaints = breaks, complaints

    def grade(self, key: str, path: str) -> str:
        """The value of a key of `[enforcement]` for a path."""
        return self._grade(key, path)

    @cached_property
    def files(self) -> Sequence[File]:
        """The files that are judged."""
        return [JudgedFile(self._comparison, file) for file in self._judged]

    @property
    def unchecked(self) -> Sequence[Subject]:
        """What has another signature, in a language that brings no contracts."""
        if not isinstance(self._comparison.contracts, UnknownContracts):
            return ()
        altered = [pair.after for pair in self._comparison.delta.altered if pair.before and pair.after]
        return [self._comparison.subject(ref) for ref in altered if ref.file in self._judged]

    @cached_property
    def functions(self) -> Sequence[Function]:
        """The functions and methods of the judged files that can be read whole."""
        return list(functions_of(self._comparison, self._judged))

    @cached_property
    def _added(self) -> Sequence[DefRef]:
        return list(added_functions(self._comparison, self._judged))

    def misplaced(self, is_judged: Callable[[str], bool]) -> Sequence[Misplaced]:
        """New functions that would fit much better elsewhere; most edits add none, and pay nothing for it."""
        if not self._added:
            return ()
        from keel.enforcement.breaks.new_functions import misplaced

        return misplaced(self._comparison, self._added, is_judged)

    def duplicates(self, is_judged: Callable[[str], bool]) -> Sequence[Duplicate]:
        """New functions that repeat another of their name."""
        if not self._added:
            return ()
        from keel.enforcement.breaks.new_functions import duplicates

        return duplicates(self._comparison, self._added, is_judged)

    @cached_property
    def unknown_names(self) -> Sequence[UnknownName]:
        """Names that the edit uses and that nothing provides."""
        if self._comparison.delta.changed.isdisjoint(self._judged):
            return ()
        from keel.enforcement.breaks.unknown import unknown

        told = {(each.affected.root, each.affected.file, each.affected.line) for each in self.breaks}
        return list(unknown(self._comparison, self._judged, told))


class JudgedFile:
    """A file that is judged."""

    def __init__(self, comparison: Comparison, file: int) -> None:
        self._comparison, self._file = comparison, file
        row = comparison.now.facts.tree.files[file]
        self.root, self.path = row.root, row.path
        self.is_changed = file in comparison.delta.changed
        self.is_new = not comparison.base.facts.has(file)

    @property
    def now(self) -> Interface:
        """What it says."""
        return self._comparison.now.facts.interface(self._file)

    @property
    def base(self) -> Interface | None:
        """What it said."""
        return None if self.is_new else self._comparison.base.facts.interface(self._file)

    @property
    def lines(self) -> Sequence[str]:
        """Its text, by lines."""
        return self._comparison.lines(self._file)

    @property
    def lines_before(self) -> Sequence[str]:
        """Its text in base."""
        return () if self.is_new else self._comparison.lines_before(self._file)

    @cached_property
    def definitions(self) -> Sequence[Definition]:
        """Its definitions, without the module itself."""
        spots = [DefRef(self._file, ordinal) for ordinal in range(MODULE_DEF + 1, len(self.now.defs))]
        return [JudgedDefinition(self._comparison, spot) for spot in spots]

    def line(self, offset: int) -> int:
        """The line of an offset in its text."""
        return self._comparison.now.facts.lines(self._file).line(offset)


class JudgedDefinition:
    """A definition of a file that is judged."""

    def __init__(self, comparison: Comparison, ref: DefRef) -> None:
        self._comparison, self._spot = comparison, ref

    @cached_property
    def subject(self) -> Subject:
        """The definition as findings show it."""
        return self._comparison.subject(self._spot)

    @property
    def was(self) -> Subject | None:
        """The same definition in base."""
        before = self._comparison.base.counterpart(self._spot)
        return None if before is None else self._comparison.subject(before, is_now=False)

    @property
    def facts(self) -> Def:
        """What the file says about it."""
        return self._comparison.now.facts.interface(self._spot.file).defs[self._spot.ordinal]

    @property
    def incoming(self) -> Sequence[Edge]:
        """The edges that reach it."""
        return [self._edge(each) for each in self._comparison.now.into(self._spot)]

    @property
    def outgoing(self) -> Sequence[Edge]:
        """The edges that leave it."""
        around = self._comparison.now.out_of(self._spot.file)
        return [self._edge(each) for each in around if each.source == self._spot.ordinal]

    def _edge(self, edge: GraphEdge) -> Edge:
        source, line = DefRef(edge.file, edge.source), self._comparison.now.facts.lines(edge.file).line(edge.at)
        subject = self._comparison.subject
        return Edge(EdgeKind(edge.kind).word, subject(source), subject(edge.target), line, edge.confidence / 100)
