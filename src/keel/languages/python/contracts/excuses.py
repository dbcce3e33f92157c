"""The text around a use: from where to where it extends, whether it may fail, and whether it is awaited.

Only the few lines that findings are about are read: facts do not keep what surrounds a call. They do keep the offsets
of a call and of each of its arguments, and how long the arguments are. Whether a finding is excused by it is left to
`judge`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from keel.languages.python import forms
from keel.languages.python.facts import Interface
from keel.model.facts import Lines, Reference
from keel.model.kinds import RefKind

CALLING = (RefKind.CALL, RefKind.DECORATE)


def extent(interface: Interface, reference: Reference) -> tuple[int, int]:
    """The offsets of a use: of a call up to behind its last argument, of anything else the chain of names."""
    at = interface.defs[reference.source].start + reference.at
    before, dot, name = interface.text(reference.text).rpartition(".")
    end = at + len(name.encode())
    at -= len(f"{before}{dot}".encode()) if reference.kind != RefKind.IMPORT else 0
    ir, expr = interface.ir, reference.value
    if reference.kind not in CALLING or expr < 0 or ir[expr] != forms.CALL:
        return at, end
    start, npos, nkw = ir[expr + 2], ir[expr + 4], ir[expr + 5]
    first = expr + 6
    arguments = [*range(first, first + 3 * npos, 3), *range(first + 3 * npos + 1, first + 3 * npos + 4 * nkw, 4)]
    ends = [start + ir[each + 1] + ir[each + 2] for each in arguments]
    return min(start, at), max([end, *ends]) + 1


_ignored = re.compile(r"#\s*(?:type:\s*ignore|pyright:\s*ignore|ty:\s*ignore)").search
_expecting = re.compile(r"\b(?:raises|assertRaises|assertRaisesRegex|assertRaisesMessage|suppress)\s*\(").search
_names = re.compile(r"[A-Za-z_][\w.]*").findall
_opens = re.compile(r"\s*(?:async\s+)?(?:def|class)\b").match
_with = re.compile(r"\s*(?:async\s+)?with\b").match
FAILURES = frozenset(
    ("TypeError", "AttributeError", "NameError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException")
)
"""What a broken use raises, or a base class of it; a failure of another kind does not excuse one."""
MAX_LINES = 20


def is_excused(lines: Sequence[str], line: int, is_import: bool) -> bool:
    """Whether a line (1-based) is marked to be ignored, or is inside a `with` that expects a failure.

    An import that does not resolve fails whatever type checkers are told: comments for them do not excuse it.
    """
    if not 0 < line <= len(lines):
        return False
    text = lines[line - 1]
    if (_ignored(text) and not is_import) or (_with(text) and _expects(text)):
        return True
    depth = _indent(text)
    for index in range(line - 2, -1, -1):
        above = lines[index]
        if not above.strip() or _indent(above) >= depth:
            continue
        depth = _indent(above)
        if _opens(above):
            return False
        if _expects(_head(lines, index)):
            return True
    return False


def _expects(text: str) -> bool:
    """Whether a `with` expects what a broken use raises; what is no name of a class may be anything."""
    found = _expecting(text)
    if found is None:
        return False
    named = [each.rpartition(".")[2] for each in _names(_first_argument(text[found.end() :]))]
    return not named or any(each in FAILURES or not each[0].isupper() for each in named)


def _first_argument(text: str) -> str:
    """The first argument of a call whose parenthesis has just been opened."""
    depth = 0
    for at, letter in enumerate(text):
        if depth == 0 and letter in ",)":
            return text[:at]
        depth += (letter in "([{") - (letter in ")]}")
    return text


def _head(lines: Sequence[str], index: int) -> str:
    """A line, and those it continues: the header of a `with` may be written on several."""
    if lines[index].lstrip()[:1] not in (")", "]"):
        return lines[index]
    first = index
    while first > 0 and not (_with(lines[first]) and _indent(lines[first]) == _indent(lines[index])):
        first -= 1
        if index - first > MAX_LINES:
            return lines[index]
    return " ".join(lines[first : index + 1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


MAX_LINES_ABOVE = 5
"""How far above a call its `await` may be, behind brackets that open."""
_awaits = re.compile(
    r"(?:\bawait|\basync\s+for\s[^:]*?\sin|\basync\s+with"
    r"|\b(?:run|run_until_complete|create_task|ensure_future|gather|wait_for|shield)\s*\()[\s(\\]*$"
).search


def is_awaited(lines: Sequence[str], interface: Interface, reference: Reference) -> bool:
    """Whether the text before a use, on its line or above an open bracket, awaits its result."""
    start, _ = extent(interface, reference)
    line, column = Lines(interface.lines).place(start)
    if not 0 < line <= len(lines):
        return False
    text = lines[line - 1].encode()[: column - 1].decode(errors="replace")
    for above in reversed(lines[max(0, line - 1 - MAX_LINES_ABOVE) : line - 1]):
        if text.strip(" \t(\\"):
            break
        text = f"{above}\n{text}"
    return _awaits(text) is not None
