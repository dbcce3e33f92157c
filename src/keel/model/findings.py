"""Findings: what rules report about an edit, as answers show it.

A finding is not an error of keel's. Which findings there are is left to the rules, suppressing and downgrading them to
enforcement.
"""

from __future__ import annotations

from keel.model.record import Record, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import ClassVar

ERROR, WARNING, INFO = "ERROR", "WARNING", "INFO"
SEVERITIES = (ERROR, WARNING, INFO)
STRUCTURAL = ("E001", "E004", "E005")
"""Codes of findings about uses of what has changed; all others are about one definition or line."""
GONE = "E004"
"""The code of findings about removed definitions: they are located in the accepted tree."""
MAX_NAMED = 10
"""Uses that a hint names; all of them are in `affected`."""
SHOWN_CONFIG, SHOWN_SESSION = ".keel/config.toml", ".keel/session.json"
"""Keel's own files, as findings name them."""
OWN = "own"
"""Evidence: keel's own binding and comparison, without a type checker."""
TY = "ty"
"""Evidence: ty was asked, and its diagnostics count."""


class Affected(Record):
    """A use of what has changed: its location, and the enclosing definition."""

    hash: str = field("The handle of the definition around the place.")
    name: str = field("Its name within its file; that of the module at the top level.")
    file: str = field("The file, relative to its root.")
    line: int = field("The line of the call, import or other use.")
    why: str = field("Why it is affected, in words.", default="")
    root: str = field("The root that the file is in.", default="")
    evidence: str = field("Who says so: keel's own judgement, or a type checker.", default=OWN)
    diagnostic: str = field("What the type checker says there, with the name of its rule.", default="")
    diagnostic_line: int = field("The line that the type checker says it of; 0 when it says nothing.", default=0)


class Finding(Record):
    """One finding."""

    IS_EXTENDED: ClassVar = True
    """A rule whose findings have more fields has a subclass; schemas show its fields too, as optional ones."""

    code: str = field("Which rule found it.")
    severity: str = field("How much it matters.", choices=SEVERITIES)
    category: str = field("The rule in words.")
    message: str = field("What was found: old and new, and which callers it affects.")
    file: str = field("The file of the definition it is about, relative to its root.")
    line: int = field("The line of that definition.")
    hash: str = field("The handle of that definition.")
    confidence: float = field("How sure it is, from 0 to 1.")
    resolution_tier: str = field("Who produced the evidence.")
    fix_hint: str = field("What to do about it.")
    suppressed: bool = field("Whether it is silenced.", default=False)
    suppressed_code: str = field("Of one that is silenced: the code it had.", default="")
    suppress_hint: str = field("How to silence it.", default="")
    affected: tuple[Affected, ...] = field("Every affected place.", default=())
    root: str = field("The root that the file is in.")
    symbol: str = field("The qualified name of the definition.")
    id: str = field("The id of the definition; empty for a finding about none.", default="")
    evidence: str = field("Whose judgement it is: keel's own, or a type checker's.", default=OWN)
    unchanged: bool = field("Whether it is about code that is as it was accepted.", default=False)
    escalation: str = field("After failed attempts: what to try instead, which `fix_hint` ends with.", default="")

    @property
    def places(self) -> set[tuple[str, str]]:
        """The files it is about, each with its root: that of the cause, and those of the affected uses."""
        return {(self.root, self.file), *((each.root, each.file) for each in self.affected)}

    def is_within(self, places: Collection[tuple[str, str]]) -> bool:
        """Whether it is about one of these files, each given with its root; a finding without a root is about all."""
        return not self.root or any(place in places for place in self.places)


def order_of(finding: Finding) -> tuple[object, ...]:
    """Findings by file, line and code, so that equal trees give equal answers."""
    return finding.root, finding.file, finding.line, finding.code, finding.severity, finding.message


def named(affected: Sequence[Affected], most: int = MAX_NAMED) -> str:
    """Affected uses as hints name them: `load at src/a.py:23, main at src/b.py:4`."""
    said = [f"{one.name} at {one.file}:{one.line}" for one in affected[:most]]
    more = len(affected) - most
    return ", ".join([*said, *([f"and {more} more"] if more > 0 else [])])
