"""Reports: what an edit breaks, as `compile` and `review` answer it and as formats show it.

Findings are defined in `findings.py`; which there are is left to the operations, their text to the formats.
"""

from __future__ import annotations

from keel.model.findings import OWN, Finding
from keel.model.record import Record, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

OK = "ok"


class Page(Record):
    """A rule's documentation, for readers of its findings."""

    code: str
    name: str
    severity: str
    text: str
    """Its docstring: a summary line, then everything else."""


class Info(Record):
    """What was checked."""

    nodes_updated: int = field("Definitions that are new, changed or gone.")
    edges_updated: int = field("Edges that differ.")
    hashes_changed: tuple[str, ...] = field("Handles, as they are now, of the definitions that are new or changed.")
    base: str = field("What the files were compared with.")
    elsewhere: int = field("Findings that neither lie in nor reach into the files that were asked about.")
    existing: int = field("Findings about code that is as it was accepted.")
    deferred: int = field("Findings that wait for the end of the batch.", default=0)
    findings: tuple[Finding, ...] = field("Findings that do not count: suppressed ones, and remarks.", default=())


class Report(Record):
    """The findings of an edit."""

    LEFT_OUT: ClassVar = ("evidence_missing", "info")
    """Fields that JSON leaves out when they are None."""
    ASIDE: ClassVar = ("strict", "lists_all", "roots", "pages")
    """Fields that are not part of the answer, but control how formats show it."""

    version: str = field("The version of this form of answer.", default="1.0")
    command: str = field("The command that answered.", default="")
    status: str = field("`error` when there are errors, else `warning` when there are warnings, else `ok`.")
    files_analyzed: tuple[str, ...] = field("The files that were checked.")
    errors: tuple[Finding, ...] = field("Errors: what breaks callers, or is required and missing.")
    warnings: tuple[Finding, ...] = field("Warnings: what may break callers, and advice.")
    evidence: str = field("`ty` when ty was asked and what it said counts, else `own`.", default=OWN)
    evidence_missing: str | None = field(
        "Why ty's evidence is missing; left out when it is not, or was not needed.", default=None
    )
    info: Info | None = field("What was looked at; left out when nothing is wrong, unless it is asked for.")
    strict: bool = field("Whether warnings fail too.", default=False)
    lists_all: bool = field("Whether people are shown findings about existing code too.", default=False)
    roots: dict[str, str] = field("The folder of each root, seen from the top of the repository.", default={})
    pages: tuple[Page, ...] = field("The rules that found something.", default=())

    @property
    def exit_code(self) -> int:
        """1 when there are errors; when it is strict, also when there are warnings."""
        return 1 if self.errors or (self.strict and self.warnings) else 0

    @property
    def counting(self) -> tuple[Finding, ...]:
        """The findings that count, errors first."""
        return (*self.errors, *self.warnings)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """Those of them that people are shown; findings about existing code are only counted for them."""
        return tuple(each for each in self.counting if self.lists_all or not each.unchanged)

    @property
    def silenced(self) -> tuple[Finding, ...]:
        """The findings that do not count."""
        return self.info.findings if self.info is not None else ()

    def path(self, root: str, file: str) -> str:
        """A file relative to the top of the repository."""
        folder = self.roots.get(root, "")
        return f"{folder}/{file}" if folder else file

    def place(self, root: str, file: str) -> str:
        """A file as messages name it: relative to its root, or, where there are several, to the top."""
        return self.path(root, file) if len(self.roots) > 1 else file


def short_base(base: str) -> str:
    """What the files were compared with, as messages name it: a commit is abbreviated."""
    return ", ".join(part[:SHORT] if len(part) >= FULL else part for part in base.split(", "))


SHORT, FULL = 12, 40
"""Digits of a commit's name: an abbreviation, and the least that git writes in full."""
