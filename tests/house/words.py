"""Words that keel's sources and pages do without, each with the plain one to write instead.

Where they are looked for is left to `test_words.py`.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Hit(NamedTuple):
    """A banned word at a line of a file."""

    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.line} {self.word} → {self.instead}"


IDENTIFIERS = {
    "Line": "IndexContext, or what the line is of (ExportLine, SourceLine)",
    "Warmth": "GraphCache",
    "Place": "FileKey, DefRef or SourceSpan",
    "Spot": "FileKey, DefRef or SourceSpan",
    "Things": "AbstractValues",
    "Thing": "AbstractValue",
    "Gifts": "ArgumentFlow",
    "Giving": "FlowSource",
    "Rounds": "Fixpoint",
    "Then": "BaseGraph",
    "Now": "CurrentGraph",
    "Trees": "Comparison",
    "Heard": "CheckedBreaks, Notifications",
    "Said": "HelperTargets, or what was said",
    "Told": "ReadableReport",
    "_told": "_format_…",
    "_said": "_format_…",
    "is_dear": "is_expensive",
    "MOST": "MAX_…",
    "LONGEST": "MAX_…_LENGTH",
    "Found": "a noun: ScannedFile, ModuleMatch",
    "Kept": "a noun: OpenWorkspace, UnchangedLines",
    "Listed": "ListEntry",
    "passed_on": "re_exports",
    "Nobody": "NoDefinitions",
}
"""Whole names."""
PARTS = {
    "warmth": "graph_cache",
    "tape": "ir",
    "witness": "checker, type_checker",
    "witnesses": "type_checkers",
    "testimony": "type_evidence",
    "unheard": "evidence_missing",
    "natures": "kind_changes",
    "steer": "parse_manifests",
    "steering": "manifests",
    "mend": "fix",
    "mends": "fixes",
    "mending": "fixing",
    "mended": "fixed",
    "dear": "expensive",
    "whoever": "the part that does it",
    "somebody": "the part that does it",
    "nobody": "the part that does it",
}
"""Parts of names, between underscores or capital letters."""
PROSE = {
    r"warmth": "the graph cache",
    r"process(?:es)? that stays?": "the daemon",
    r"tapes?": "expression IR",
    r"witness(?:es)?": "type checker",
    r"testimon(?:y|ies)": "type evidence",
    r"unheard": "without type evidence",
    r"natures?": "kind",
    r"steer(?:s|ing)?": "manifests",
    r"mend(?:s|ed|ing)?": "fix",
    r"whoever": "the part that does it",
    r"somebody": "the part that does it",
    r"nobody": "the part that does it",
    r"leads? nowhere": "does not resolve",
    r"stands?": "is",
}
"""Words of docstrings, comments and pages, as patterns."""

_PROSE = re.compile(r"\b(?:" + "|".join(f"(?P<w{index}>{word})" for index, word in enumerate(PROSE)) + r")\b", re.I)
_INSTEAD = list(PROSE.values())
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_CODE = re.compile(r"`[^`]*`|https?://\S+")


def of_name(name: str, line: int) -> list[Hit]:
    """What is wrong with an identifier."""
    if name in IDENTIFIERS:
        return [Hit(line, name, IDENTIFIERS[name])]
    parts = [part.lower() for part in _PART.findall(name)]
    return [Hit(line, f"{part} (in {name})", PARTS[part]) for part in parts if part in PARTS]


def of_prose(text: str, first_line: int = 1) -> list[Hit]:
    """What is wrong with a text; what it quotes as code is not its own."""
    found = []
    for number, line in enumerate(text.splitlines(), first_line):
        for match in _PROSE.finditer(_CODE.sub("", line)):
            index = int((match.lastgroup or "w0")[1:])
            found.append(Hit(number, match.group().lower(), _INSTEAD[index]))
    return found
