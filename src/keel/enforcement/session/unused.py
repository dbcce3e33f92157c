"""Suppressions as they are written, and the state of each of their codes.

A code is unused only where a run can tell. What depends on the current tree alone, such as missing hints, is known once
the file is judged. Broken callers depend on the base of the comparison: a change that is no longer visible against the
last commit may still be visible against the whole branch, so only a comparison with `--since` can tell. Messages about
suppressions are left to the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from keel.config import OFF, Suppression
from keel.enforcement.session.comments import Comment
from keel.enforcement.session.suppress import Silences, is_by_comment, is_by_entry, paths_of
from keel.model.findings import Finding
from keel.model.refs import FileKey
from keel.ports.rule import Grade, Rule, Standing, Suppressed, is_said, keys_of


class Scope(NamedTuple):
    """What a run has judged."""

    judged: Collection[FileKey]
    known: Collection[FileKey]
    """All files of the current tree and of base."""
    is_whole: bool
    """Whether the comparison shows all changes that any run will compare: that of a whole branch."""
    grade: Grade
    rules: Sequence[Rule]
    config: str
    """The name of the configuration in messages."""
    line: Callable[[str], int]
    """The line of an entry in it, by its key."""

    def rule(self, code: str) -> Rule | None:
        """The rule that has a code."""
        return next((rule for rule in self.rules if code == rule.CODE), None)


def judged_suppressions(findings: Sequence[Finding], silences: Silences, scope: Scope) -> Iterator[Suppressed]:
    """The suppressions that a run can judge, given the findings before suppression."""
    for comment in silences.comments:
        if comment.is_judged:
            fault = _fault(comment)
            codes = () if fault else [(code, _of_comment(findings, comment, code, scope)) for code in comment.codes]
            yield Suppressed(comment.root, comment.file, comment.line, "", fault, codes, comment.syntax)
    for entry in silences.entries:
        key = f"{entry.path}:{entry.symbol}"
        codes = [(code, _of_entry(findings, entry, code, scope)) for code in entry.codes]
        yield Suppressed("", scope.config, scope.line(key), key, "", codes)


def _fault(comment: Comment) -> str:
    """What is wrong with the syntax of a comment; empty for nothing."""
    if not comment.codes:
        return "it names no code"
    if not comment.reason:
        return "it gives no reason after `—`, `--` or `:`"
    return "" if comment.ids else "it is not on the line above a definition"


def _of_comment(findings: Sequence[Finding], comment: Comment, code: str, scope: Scope) -> Standing:
    rule = scope.rule(code)
    if rule is None:
        return Standing.NO_CODE
    if is_said(rule, "IS_OF_BASE"):
        return Standing.NOT_BY_COMMENT
    about = comment._replace(codes=(code,))
    is_used = any(is_by_comment(finding, about) for finding in findings)
    return Standing.USED if is_used or not _is_known(rule, comment.file, scope) else Standing.UNUSED


def _of_entry(findings: Sequence[Finding], entry: Suppression, code: str, scope: Scope) -> Standing:
    rule = scope.rule(code)
    if rule is None:
        return Standing.NO_CODE
    if any(is_by_entry(finding, entry.replace(codes=(code,))) for finding in findings):
        return Standing.USED
    about = [one for one in scope.known if entry.path in paths_of(*one)]
    if not about and (is_said(rule, "IS_OF_NOW") or scope.is_whole):
        return Standing.NO_FILE
    is_known = any(one in scope.judged and _is_known(rule, one[1], scope) for one in about)
    return Standing.UNUSED if is_known else Standing.USED


def _is_known(rule: Rule, path: str, scope: Scope) -> bool:
    """Whether a run that does not find a code in a judged file proves that no run will."""
    if not is_said(rule, "IS_OF_NOW"):
        return scope.is_whole
    return all(scope.grade(key, path) != OFF for key in keys_of([rule]))
