"""The Rule socket: one thing that can be wrong with an edit, as one file.

A rule looks at a case, whose members are computed when they are first asked for, and says its findings. Everything else
about it is declared beside: code, category, severity, keys of the configuration, and how its findings are treated; the
docstring of its module is its page. Whether findings are suppressed or downgraded is left to enforcement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol

from keel.model.contracts import Alteration, Successor
from keel.model.facts import Def, Interface, Reference
from keel.model.findings import Affected, Finding
from keel.model.kinds import NodeKind, Tier
from keel.model.record import Field
from keel.model.refs import DefRef
from keel.model.syntax import PLAIN, Syntax

NOTHING: Mapping[str, Field] = {}
MODULE = NodeKind.MODULE.word


class Subject(NamedTuple):
    """The definition a finding is about; one that is gone as base has it."""

    id: str
    root: str
    file: str
    line: int
    hash: str
    kind: str
    qualified_name: str
    is_new: bool = False
    """Whether it is not in base with the same hash."""
    syntax: Syntax = PLAIN
    """How its file is written."""

    @property
    def name(self) -> str:
        """Its last name; that of a module is its file."""
        return self.qualified_name if self.kind == MODULE else self.syntax.last_name(self.qualified_name)

    @property
    def is_constructor(self) -> bool:
        """Whether a construction runs it."""
        return self.syntax.is_constructor(self.name, NodeKind.named(self.kind))


class How(Enum):
    """In what way somebody is affected."""

    ARGUMENTS = "arguments"
    """The number of arguments does not fit any more."""
    NAMES = "names"
    """An argument is given by a name that is not taken any more."""
    KIND_CHANGE = "kind_change"
    """The result is come by in another way."""
    TYPES = "types"
    """A type has changed."""
    GONE = "gone"
    """It is not there any more."""
    LOST = "lost"
    """It is there, but not found any more by way of the subject, which has led to it."""
    NEW_CALL = "new_call"
    """A call that is new does not fit."""


class Site(NamedTuple):
    """Where something is used: a reference of a file as it is now."""

    file: int
    reference: Reference


class Span(NamedTuple):
    """Where a use stands in the text of now; lines and columns from 1, columns in bytes."""

    file: int
    """The number of its file."""
    name: tuple[int, int]
    """Where the name of what is used begins."""
    start: tuple[int, int]
    end: tuple[int, int]
    """Behind the last argument of a call, else behind the name."""


class Break(NamedTuple):
    """One place that is broken, or may be."""

    how: How
    subject: Subject
    changes: tuple[Alteration, ...]
    affected: Affected
    caller: Subject
    """The definition around the place."""
    confidence: float
    tier: str
    is_certain: bool
    """Whether it is broken if the edge is right."""
    span: Span
    is_displaced: bool = False
    """Whether the call binds, and an argument reaches another parameter than before: no type need tell."""
    successor: str = ""
    """Of something that is gone: what it has likely become, as `'name' in path`."""
    name: str = ""
    """Of something that is lost: the name it was found by."""
    site: Site | None = None
    """The reference at the place."""
    cause: DefRef | None = None
    """The subject, where it is a definition: of now, or of base if it is gone."""
    became: Successor | None = None
    """Of something that is gone: what it has likely become."""
    is_plain: bool = False
    """Whether the place itself shows that a result that must be awaited is not: no type checker need say so."""
    may_be_made: bool = False
    """Whether a module may make the name when it is asked for: then only running it tells, and no type."""


class Function(Protocol):
    """A function or method of a file that is judged and can be read whole."""

    path: str
    """Its file."""

    @property
    def subject(self) -> Subject:
        """The function as findings show it."""

    def untyped(self) -> tuple[Sequence[str], bool]:
        """The parameters without a type, and whether its result has none."""

    def undocumented(self, full: bool) -> str:
        """What its doc lacks, in words; empty for nothing. A `full` one says what is taken and returned."""


class Misplaced(NamedTuple):
    """A new function that would fit much better in another module."""

    subject: Subject
    host: str
    """The module it stands in: a directory with a `/` at the end, as the others."""
    suggested: str
    siblings: Sequence[str]
    """Functions and classes of the suggested module, those first that it deals with or is named like."""
    reasons: Sequence[str]
    """Why it fits there, in words."""
    runners_up: Sequence[str]
    margin: float
    """How much better it fits there, from 0 to 1."""


class Duplicate(NamedTuple):
    """A new function that repeats another of the same name."""

    subject: Subject
    other: Subject
    likeness: float
    """How alike the two are in shape, from 0 to 1."""
    is_clone: bool
    """Whether they are the same word for word."""
    more: int = 0
    """How many others there are like it."""


class UnknownName(NamedTuple):
    """A name that an edit uses, or imports, and that nothing provides."""

    name: str
    around: str
    """The qualified name of the definition that uses it."""
    is_import: bool
    root: str
    file: str
    line: int


class Complaint(NamedTuple):
    """What a type checker says since the edit about code that does not use what has changed."""

    root: str
    file: str
    line: int
    text: str


class ToolProblem(NamedTuple):
    """Something wrong with a tool of the project."""

    subject: Subject
    """The tool; new when something in its chain has changed."""
    text: str


class Standing(Enum):
    """What became of one code of a suppression."""

    USED = "used"
    """It suppresses something, or may: this run cannot know."""
    NO_CODE = "no_code"
    """No rule has it."""
    NOT_BY_COMMENT = "not_by_comment"
    """What it is about has no line that a comment could be above."""
    UNUSED = "unused"
    """There is nothing to suppress, and that is known."""
    NO_FILE = "no_file"
    """There is no such file."""


class Suppressed(NamedTuple):
    """A suppression that was written, in a comment or in the configuration, and what became of it."""

    root: str
    file: str
    line: int
    key: str
    """Of an entry of the configuration: `path:symbol`; of a comment: empty."""
    fault: str
    """What is wrong with how it is written, in words; empty for nothing."""
    codes: Sequence[tuple[str, Standing]]
    syntax: Syntax = PLAIN
    """Of the file that a comment is in."""


class Memory(NamedTuple):
    """What is to be said about the memory of a session and its batch."""

    is_expired: bool = False
    """Whether a batch was over before it was ended."""
    has_no_batch: bool = False
    """Whether one was ended that was not open."""
    trouble: str = ""
    """Why the memory could not be read or kept, in words."""


class Edge(NamedTuple):
    """One definition uses another, in the graph as it is now."""

    kind: str
    """The word of the graph's vocabulary: `calls`, `inherits`, …"""
    source: Subject
    target: Subject
    line: int
    """Where in the file of the source."""
    confidence: float


class Definition(Protocol):
    """A definition of a file that is judged."""

    @property
    def subject(self) -> Subject:
        """The definition as findings show it; it says whether base does not have it as it is."""

    @property
    def was(self) -> Subject | None:
        """The same definition in base."""

    @property
    def facts(self) -> Def:
        """What the file says about it; texts are those of the file's `now`."""

    @property
    def incoming(self) -> Sequence[Edge]:
        """The edges that reach it."""

    @property
    def outgoing(self) -> Sequence[Edge]:
        """The edges that leave it."""


class File(Protocol):
    """A file that is judged, as it is now and as base has it."""

    root: str
    path: str
    is_changed: bool
    """Whether it differs from base."""
    is_new: bool
    """Whether base does not have it."""

    @property
    def now(self) -> Interface:
        """What it says."""

    @property
    def base(self) -> Interface | None:
        """What it said; None when base does not have it."""

    @property
    def lines(self) -> Sequence[str]:
        """Its text, by lines."""

    @property
    def lines_before(self) -> Sequence[str]:
        """Its text in base."""

    @property
    def definitions(self) -> Sequence[Definition]:
        """Its definitions, without the module itself."""

    def line(self, offset: int) -> int:
        """The line of an offset in its text."""


class Case(Protocol):
    """Everything rules look at.

    A run asks the rules several times: about the code of each language, about tools, about suppressions, and about the
    session. What a case is not about is empty, so that a rule need not ask.
    """

    def grade(self, key: str, path: str) -> str:
        """The value of a key of `[enforcement]` for a path."""

    @property
    def files(self) -> Sequence[File]:
        """The files that are judged: those that differ from base, and those that were asked about."""

    @property
    def breaks(self) -> Sequence[Break]:
        """Every place that is broken by what differs, or may be."""

    @property
    def unchecked(self) -> Sequence[Subject]:
        """Definitions of the judged files with another signature than in base whose calls cannot be checked."""

    @property
    def functions(self) -> Sequence[Function]:
        """The functions and methods of the judged files."""

    def misplaced(self, is_judged: Callable[[str], bool]) -> Sequence[Misplaced]:
        """New functions, of the files with these paths, that would fit much better elsewhere."""

    def duplicates(self, is_judged: Callable[[str], bool]) -> Sequence[Duplicate]:
        """New functions, of the files with these paths, that repeat another of their name."""

    @property
    def unknown_names(self) -> Sequence[UnknownName]:
        """Names that the edit uses and that nothing provides, apart from those on lines of `breaks`."""

    @property
    def complaints(self) -> Sequence[Complaint]:
        """What a type checker says that no use of what has changed leads to."""

    @property
    def tools(self) -> Sequence[ToolProblem]:
        """What is wrong with tools that the edit can have hit."""

    @property
    def suppressions(self) -> Sequence[Suppressed]:
        """The suppressions that the run can judge."""

    @property
    def silenced(self) -> Sequence[tuple[Finding, str]]:
        """Findings of other rules that are suppressed, with the reason."""

    @property
    def memory(self) -> Memory:
        """What is to be said about the session."""


class Grade(Protocol):
    """How strict a check is somewhere."""

    def __call__(self, key: str, path: str) -> str:
        """The value of a key of `[enforcement]` for a path."""


class Rule(Protocol):
    """A module with these names. Its name begins with its code: `e001_broken_caller`.

    It may also say, where the default does not fit (`is_said` reads them):

    - `KEYS`: the keys of `[enforcement]` that it is graded by, each a `Field` with meaning, default and choices, from
      strict to lax;
    - `IS_DEFERRABLE`: its findings make sense only on finished code, and wait for the end of a batch;
    - `IS_BREAKING`: its findings are about something that does not work any more, so that a fix must not add one;
    - `IS_OF_NOW`: what it finds depends on the tree as it is alone; for others, also on what it is compared with;
    - `IS_OF_BASE`: the place of its findings is one of base, so that no comment can be above it;
    - `IS_ABOUT_TOOLS`: its findings are about tools of the project, which `keel explain` then looks for by their id;
    - `IS_SUPPRESSION`: its findings are those of others that were suppressed, so that they cannot be once more;
    - `EVIDENCE`: how a finding that names no other place came about, a sentence for `keel explain`.

    A finding with more fields than others is a subclass of `Finding` in the rule's own file.
    """

    CODE: str
    CATEGORY: str
    SEVERITY: str

    def check(self, case: Case) -> Iterator[Finding]:
        """What is wrong."""


def is_said(rule: Rule, name: str) -> bool:
    """Whether a rule says one of the things that it may say."""
    return bool(getattr(rule, name, False))


def keys_of(rules: Sequence[Rule]) -> dict[str, Field]:
    """The keys of `[enforcement]` that rules declare."""
    return {name: said for rule in rules for name, said in getattr(rule, "KEYS", NOTHING).items()}


def codes_that(rules: Sequence[Rule], name: str) -> frozenset[str]:
    """The codes of the rules that say something."""
    return frozenset(rule.CODE for rule in rules if is_said(rule, name))


def suppress_hint(code: str, subject: Subject) -> str:
    """How to silence a finding about a definition."""
    comment = subject.syntax.suppression(f"{code} — why this is intended")
    return f"{comment} (on the line above the definition)"


def finding_about(
    rule: Any, subject: Subject, message: str, hint: str, kind: type[Finding] = Finding, **more: object
) -> Finding:
    """A finding of a rule about a definition; `more` are fields that differ from what is usual."""
    fields: dict[str, Any] = {
        "code": rule.CODE,
        "severity": rule.SEVERITY,
        "category": rule.CATEGORY,
        "message": message,
        "file": subject.file,
        "line": subject.line,
        "hash": subject.hash,
        "confidence": 1.0,
        "resolution_tier": Tier.TIER1_TREESITTER.word,
        "fix_hint": hint,
        "suppress_hint": suppress_hint(rule.CODE, subject),
        "root": subject.root,
        "symbol": subject.qualified_name,
        "id": subject.id,
    }
    return kind(**{**fields, **more})


def finding_at(rule: Any, message: str, hint: str, file: str, line: int, root: str = "", symbol: str = "") -> Finding:
    """A finding of a rule about a line, and no definition."""
    return Finding(
        code=rule.CODE,
        severity=rule.SEVERITY,
        category=rule.CATEGORY,
        message=message,
        file=file,
        line=line,
        hash="",
        confidence=1.0,
        resolution_tier=Tier.TIER1_TREESITTER.word,
        fix_hint=hint,
        root=root,
        symbol=symbol,
    )
