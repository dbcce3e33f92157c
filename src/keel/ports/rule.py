"""The Rule socket: one kind of problem with an edit, as one file.

A rule reads a case, whose members are computed on first use, and yields its findings. Everything else about it is
declared beside: code, category, severity, keys of the configuration, and how its findings are treated; the docstring of
its module is its page. Suppressing and downgrading findings is left to enforcement.
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
    """The definition that a finding is about; one that was removed is taken from base."""

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
    """The syntax of its file's language."""

    @property
    def name(self) -> str:
        """Its last name; for a module, its file."""
        return self.qualified_name if self.kind == MODULE else self.syntax.last_name(self.qualified_name)

    @property
    def is_constructor(self) -> bool:
        """Whether constructing an instance runs it."""
        return self.syntax.is_constructor(self.name, NodeKind.named(self.kind))


class How(Enum):
    """In what way a use is affected."""

    ARGUMENTS = "arguments"
    """The number of arguments does not fit any more."""
    NAMES = "names"
    """An argument is passed by a name that is no longer a parameter."""
    KIND_CHANGE = "kind_change"
    """The result is obtained in another way: by awaiting, by iterating, by reading a property."""
    TYPES = "types"
    """A type has changed."""
    GONE = "gone"
    """The definition was removed."""
    LOST = "lost"
    """The definition exists, but the name of the subject no longer resolves to it."""
    NEW_CALL = "new_call"
    """A new call does not bind."""


class Site(NamedTuple):
    """A use: a reference of a file as it is now."""

    file: int
    reference: Reference


class Span(NamedTuple):
    """The source span of a use in the current text; lines and columns from 1, columns in bytes."""

    file: int
    """The number of its file."""
    name: tuple[int, int]
    """Where the name that is used begins."""
    start: tuple[int, int]
    end: tuple[int, int]
    """After the last argument of a call, else after the name."""


class Break(NamedTuple):
    """One use that is broken, or may be."""

    how: How
    subject: Subject
    changes: tuple[Alteration, ...]
    affected: Affected
    caller: Subject
    """The definition that contains the use."""
    confidence: float
    tier: str
    is_certain: bool
    """Whether it is broken provided that the edge is right."""
    span: Span
    is_displaced: bool = False
    """Whether the call binds, but an argument reaches another parameter than before, which types need not reveal."""
    successor: str = ""
    """Of a removed definition: its likely successor, as `'name' in path`."""
    name: str = ""
    """Of a name that no longer resolves: that name."""
    site: Site | None = None
    """The reference that uses it."""
    cause: DefRef | None = None
    """The subject, where it is a definition: of now, or of base if it was removed."""
    became: Successor | None = None
    """Of a removed definition: its likely successor."""
    is_plain: bool = False
    """Whether the source of the use alone proves that a result is not awaited: no type checker need confirm it."""
    may_be_made: bool = False
    """Whether a module may create the name at run time: then neither source nor types can prove it missing."""


class Function(Protocol):
    """A function or method of a checked file, with access to its source."""

    path: str
    """Its file."""

    @property
    def subject(self) -> Subject:
        """The function as findings show it."""

    def untyped(self) -> tuple[Sequence[str], bool]:
        """The parameters without a type, and whether its result has none."""

    def undocumented(self, full: bool) -> str:
        """What its documentation lacks, in words; empty for nothing. `full` also requires parameters and result to be
        described."""


class Misplaced(NamedTuple):
    """A new function that would fit much better in another module."""

    subject: Subject
    host: str
    """The module that it is in: a directory with a `/` at the end, as the others."""
    suggested: str
    siblings: Sequence[str]
    """Functions and classes of the suggested module, those first that it uses or that are named like it."""
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
    """Whether they are identical token for token."""
    more: int = 0
    """How many more functions are like it."""


class UnknownName(NamedTuple):
    """A name that an edit uses or imports, and that no module or scope provides."""

    name: str
    around: str
    """The qualified name of the definition that uses it."""
    is_import: bool
    root: str
    file: str
    line: int


class Complaint(NamedTuple):
    """A type checker's diagnostic that the edit caused in code that does not use what has changed."""

    root: str
    file: str
    line: int
    text: str


class ToolProblem(NamedTuple):
    """Something wrong with a tool of the project."""

    subject: Subject
    """The tool; new when a part of its delegation chain has changed."""
    text: str


class Standing(Enum):
    """The state of one code of a suppression."""

    USED = "used"
    """It suppresses a finding, or may: this run cannot know."""
    NO_CODE = "no_code"
    """No rule has it."""
    NOT_BY_COMMENT = "not_by_comment"
    """Findings of this code have no current line that a comment could be above."""
    UNUSED = "unused"
    """It is known that there is no finding to suppress."""
    NO_FILE = "no_file"
    """The file does not exist."""


class Suppressed(NamedTuple):
    """A suppression in a comment or in the configuration, and the state of its codes."""

    root: str
    file: str
    line: int
    key: str
    """Of an entry of the configuration: `path:symbol`; of a comment: empty."""
    fault: str
    """What is malformed about it, in words; empty for nothing."""
    codes: Sequence[tuple[str, Standing]]
    syntax: Syntax = PLAIN
    """The syntax of the file that a comment is in."""


class Memory(NamedTuple):
    """What has to be reported about the memory of a session and its batch."""

    is_expired: bool = False
    """Whether a batch expired before it was ended."""
    has_no_batch: bool = False
    """Whether a batch was ended that was not open."""
    trouble: str = ""
    """Why the memory could not be read or written, in words."""


class Edge(NamedTuple):
    """A use of one definition by another, in the current graph."""

    kind: str
    """The kind in the graph's vocabulary: `calls`, `inherits`, …"""
    source: Subject
    target: Subject
    line: int
    """The line in the file of the source."""
    confidence: float


class Definition(Protocol):
    """A definition of a checked file."""

    @property
    def subject(self) -> Subject:
        """The definition as findings show it; its `is_new` compares it with base."""

    @property
    def was(self) -> Subject | None:
        """The same definition in base."""

    @property
    def facts(self) -> Def:
        """The definition's facts; its texts are indexes into the file's `now`."""

    @property
    def incoming(self) -> Sequence[Edge]:
        """The edges that reach it."""

    @property
    def outgoing(self) -> Sequence[Edge]:
        """The edges that leave it."""


class File(Protocol):
    """A checked file, as it is now and as it is in base."""

    root: str
    path: str
    is_changed: bool
    """Whether it differs from base."""
    is_new: bool
    """Whether it does not exist in base."""

    @property
    def now(self) -> Interface:
        """Its current interface."""

    @property
    def base(self) -> Interface | None:
        """Its interface in base; None when it does not exist there."""

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
    """Everything that rules read.

    A run calls the rules several times: about the code of each language, about tools, about suppressions, and about the
    session. Members that a case is not about are empty, so that a rule need not check which it is.
    """

    def grade(self, key: str, path: str) -> str:
        """The value of a key of `[enforcement]` for a path."""

    @property
    def files(self) -> Sequence[File]:
        """The files that are checked: those that differ from base, and those that were named in the request."""

    @property
    def breaks(self) -> Sequence[Break]:
        """Every use that is broken by the differences, or may be."""

    @property
    def unchecked(self) -> Sequence[Subject]:
        """Definitions of the judged files with another signature than in base whose calls cannot be checked."""

    @property
    def functions(self) -> Sequence[Function]:
        """The functions and methods of the checked files."""

    def misplaced(self, is_judged: Callable[[str], bool]) -> Sequence[Misplaced]:
        """New functions, of the files with these paths, that would fit much better elsewhere."""

    def duplicates(self, is_judged: Callable[[str], bool]) -> Sequence[Duplicate]:
        """New functions, of the files with these paths, that repeat another of their name."""

    @property
    def unknown_names(self) -> Sequence[UnknownName]:
        """Names that the edit uses and that nothing provides, apart from those on lines of `breaks`."""

    @property
    def complaints(self) -> Sequence[Complaint]:
        """Diagnostics of a type checker that no use of what has changed explains."""

    @property
    def tools(self) -> Sequence[ToolProblem]:
        """Problems of tools that the edit can have affected."""

    @property
    def suppressions(self) -> Sequence[Suppressed]:
        """The suppressions that the run can judge."""

    @property
    def silenced(self) -> Sequence[tuple[Finding, str]]:
        """Findings of other rules that are suppressed, with the reason."""

    @property
    def memory(self) -> Memory:
        """What has to be reported about the session."""


class Grade(Protocol):
    """How strict a check is for a path."""

    def __call__(self, key: str, path: str) -> str:
        """The value of a key of `[enforcement]` for a path."""


class Rule(Protocol):
    """A module with these names. Its name begins with its code: `e001_broken_caller`.

    It may also define, where the default does not fit (`is_said` reads them):

    - `KEYS`: the keys of `[enforcement]` that it is graded by, each a `Field` with meaning, default and choices, from
      strict to lax;
    - `IS_DEFERRABLE`: its findings make sense only on finished code, and wait for the end of a batch;
    - `IS_BREAKING`: its findings are about code that no longer works, so that a fix must not add one;
    - `IS_OF_NOW`: its findings depend on the current tree alone; those of others, also on the base that it is compared
      with;
    - `IS_OF_BASE`: its findings are located in base, so that no comment can be above them;
    - `IS_ABOUT_TOOLS`: its findings are about tools of the project, which `keel explain` then looks up by id;
    - `IS_SUPPRESSION`: its findings are suppressed findings of others, so that they cannot be suppressed once more;
    - `EVIDENCE`: how a finding without another location came about, a sentence for `keel explain`.

    `check` is deterministic: the same case gives the same findings in the same order. A finding with more fields than
    others is a subclass of `Finding` in the rule's own file.
    """

    CODE: str
    CATEGORY: str
    SEVERITY: str

    def check(self, case: Case) -> Iterator[Finding]:
        """The findings of a case."""


def is_said(rule: Rule, name: str) -> bool:
    """Whether a rule defines one of the optional flags as true."""
    return bool(getattr(rule, name, False))


def keys_of(rules: Sequence[Rule]) -> dict[str, Field]:
    """The keys of `[enforcement]` that rules declare."""
    return {name: said for rule in rules for name, said in getattr(rule, "KEYS", NOTHING).items()}


def codes_that(rules: Sequence[Rule], name: str) -> frozenset[str]:
    """The codes of the rules that define a flag as true."""
    return frozenset(rule.CODE for rule in rules if is_said(rule, name))


def suppress_hint(code: str, subject: Subject) -> str:
    """How to suppress a finding about a definition."""
    comment = subject.syntax.suppression(f"{code} — why this is intended")
    return f"{comment} (on the line above the definition)"


def finding_about(
    rule: Any, subject: Subject, message: str, hint: str, kind: type[Finding] = Finding, **more: object
) -> Finding:
    """A finding of a rule about a definition; `more` are fields that differ from their usual values."""
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
    """A finding of a rule about a line, without a definition."""
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
