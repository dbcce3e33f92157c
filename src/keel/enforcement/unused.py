"""Suppressions that do not suppress: those that are written wrongly, and those that there is nothing for.

That there is nothing for one is said only where it is known. Missing hints and docstrings are a matter of the tree as
it is: once the file is judged, it is known. What breaks callers is a matter of two trees: compared with the last commit
a change may be gone that the whole branch still shows, so only a comparison with `--since` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from keel.config import OFF, Suppression
from keel.enforcement.comments import Comment
from keel.enforcement.suppress import Silences, is_by_comment, is_by_entry, paths_of
from keel.model.codes import ADDITIVE, FROZEN, MISWRITTEN, OF_NOW, UNUSED, additive
from keel.model.findings import Finding
from keel.ports.rule import Grade

FORM = "E001 — reason"
WHERE = "on the line above the definition"
GONE = "E004"
KEYS = {"E002": "type_hints", "E003": "docstrings"}
"""By code: how strict it is."""

Place = tuple[str, str]


class Scope(NamedTuple):
    """What a run has looked at."""

    judged: Collection[Place]
    known: Collection[Place]
    """All files there are, or were in what is compared with."""
    is_whole: bool
    """Whether the comparison shows all changes that anybody will be shown: that of a whole branch."""
    grade: Grade
    codes: Collection[str]
    """The codes that installed rules have."""
    config: str
    """The configuration as messages call it."""
    line: Callable[[str], int]
    """Where in it an entry stands, by its key."""


def unused(findings: Sequence[Finding], silences: Silences, scope: Scope) -> Iterator[Finding]:
    """What is to be said about suppressions, given the findings before they were suppressed."""
    for comment in silences.comments:
        if comment.is_judged:
            yield from _about_comment(findings, comment, scope)
    for entry in silences.entries:
        yield from _about_entry(findings, entry, scope)


def _about_comment(findings: Sequence[Finding], comment: Comment, scope: Scope) -> Iterator[Finding]:
    wrong = _wrong(comment)
    if wrong:
        yield _at(comment, MISWRITTEN, f"A suppression does not suppress: {wrong}.", _as_it_should_be(comment))
        return
    for code in comment.codes:
        told = comment._replace(codes=(code,))
        if not _is_code(code, scope):
            message = f"A suppression names '{code}', which is no code."
            yield _at(comment, MISWRITTEN, message, _as_it_should_be(comment))
        elif code == GONE:
            message = f"A comment cannot suppress {GONE}: what is gone has no line that it could stand above."
            yield _at(comment, MISWRITTEN, message, f"Suppress it in `[suppress]` of {scope.config}")
        elif not any(is_by_comment(finding, told) for finding in findings) and _is_known(code, comment.file, scope):
            yield _at(comment, UNUSED, f"The suppression of {code} suppresses nothing.", f"Remove {code} from it")


def _as_it_should_be(comment: Comment) -> str:
    return f"Write `{comment.syntax.suppression(FORM)}` {WHERE}"


def _wrong(comment: Comment) -> str:
    """What is wrong with how a comment is written; empty for nothing."""
    if not comment.codes:
        return "it names no code"
    if not comment.reason:
        return "it gives no reason after `—`, `--` or `:`"
    return "" if comment.ids else "it is not on the line above a definition"


def _about_entry(findings: Sequence[Finding], entry: Suppression, scope: Scope) -> Iterator[Finding]:
    key = f"{entry.path}:{entry.symbol}"
    place = (scope.config, scope.line(key))
    for code in entry.codes:
        if not _is_code(code, scope):
            message = f"The suppression '{key}' names {code}, which is no code."
            yield additive(MISWRITTEN, message, "Name a code such as E001 or W001", *place)
            continue
        told = entry.replace(codes=(code,))
        if any(is_by_entry(finding, told) for finding in findings):
            continue
        about = [one for one in scope.known if entry.path in paths_of(*one)]
        if not about and (code in OF_NOW or scope.is_whole):
            message = f"The suppression '{key}' suppresses nothing: there is no file {entry.path}."
            yield additive(UNUSED, message, "Correct its path, or remove it", *place)
        elif any(one in scope.judged and _is_known(code, one[1], scope) for one in about):
            message = f"The suppression '{key}' suppresses nothing: there is no {code} to suppress."
            yield additive(UNUSED, message, f"Remove {code} from it", *place)


def _is_code(code: str, scope: Scope) -> bool:
    return code in FROZEN or code in scope.codes or code in ADDITIVE


def _is_known(code: str, path: str, scope: Scope) -> bool:
    """Whether a run that does not find a code in a judged file shows that nobody will."""
    if code not in OF_NOW:
        return scope.is_whole
    key = KEYS[code]
    return all(scope.grade(each, path) != OFF for each in (key, f"{key}_existing"))


def _at(comment: Comment, code: str, message: str, hint: str) -> Finding:
    return additive(code, message, hint, comment.file, comment.line, comment.root)
