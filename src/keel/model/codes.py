"""Codes of findings: the frozen ones, which rules have, and the additive ones, which say what no rule does.

The additive codes are all listed here, with what they mean; `docs/codes.md` shows them. What a frozen code means is
said by the docstring of its rule.
"""

from __future__ import annotations

from typing import NamedTuple

from keel.model.findings import INFO, WARNING, Finding
from keel.model.kinds import Tier

STRUCTURAL = ("E001", "E004", "E005")
"""Somebody is broken."""
QUALITY = ("E002", "E003", "W001", "W002")
"""Something is missing, or better elsewhere."""
OF_NOW = ("E002", "E003")
"""What is found depends on the tree as it is; for all others, also on what it is compared with."""
FROZEN = (*STRUCTURAL, *QUALITY)
"""Codes that can be suppressed wherever rules for them are installed or not."""


class Code(NamedTuple):
    """A code that no rule has."""

    category: str
    severity: str
    meaning: str


UNUSED, BATCH, REACHED = "I001", "I002", "I005"
MISWRITTEN, FORGOTTEN, UNREAD, UNKNOWN = "W101", "W102", "W103", "W104"
ADDITIVE = {
    UNUSED: Code(
        "unused_suppression",
        INFO,
        "A suppression, in a comment or in `[suppress]`, suppresses nothing, and that is known: what it is about was"
        " judged in this run.",
    ),
    BATCH: Code(
        "batch",
        INFO,
        "A batch was over before its `--batch-end`, 60 seconds after the last compile, or `--batch-end` found none.",
    ),
    REACHED: Code(
        "reached_indirectly",
        INFO,
        "A type checker complains since the edit about code that does not use what has changed: it may follow from a"
        " finding elsewhere.",
    ),
    MISWRITTEN: Code(
        "miswritten_suppression",
        WARNING,
        "A suppression does not suppress: it gives no reason, names no code or one that does not exist, or its comment"
        " is not on the line above a definition.",
    ),
    FORGOTTEN: Code(
        "session_forgotten",
        WARNING,
        "The memory of the session could not be read or kept, so failed attempts and an open batch are forgotten. The"
        " findings are complete.",
    ),
    UNREAD: Code(
        "unreadable_code",
        WARNING,
        "An edited file cannot be read whole since the edit: its syntax is wrong, or half of a merge is left in it."
        " Nothing in it counts as removed until it can.",
    ),
    UNKNOWN: Code(
        "unknown_name",
        WARNING,
        "Edited code uses a name that nothing in its file defines or imports, or imports one that the module does not"
        " have: mistyped, forgotten, or left behind by a renaming.",
    ),
}
"""By code."""


def additive(code: str, message: str, hint: str, file: str, line: int, root: str = "", symbol: str = "") -> Finding:
    """A finding with a code that no rule has."""
    said = ADDITIVE[code]
    return Finding(
        code=code,
        severity=said.severity,
        category=said.category,
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
