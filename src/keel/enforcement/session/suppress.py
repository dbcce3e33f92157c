"""Suppression: findings that a comment, the configuration or the command line suppresses become S001.

They do not count any more, and are never hidden. A finding that is suppressed twice keeps the first reason: that of the
comment, then of the configuration, then of the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from keel.config import Suppression
from keel.enforcement.case import RunCase, findings_of
from keel.enforcement.session.comments import Comment
from keel.model.findings import Finding
from keel.model.ids import MODULE
from keel.ports.rule import Rule

ANY = "*"


class Silences(NamedTuple):
    """All suppressions of a run."""

    comments: Sequence[Comment] = ()
    entries: Sequence[Suppression] = ()
    """Of the configuration."""
    codes: Sequence[str] = ()
    """Of the command line."""


def suppress(findings: Sequence[Finding], silences: Silences, rules: Sequence[Rule]) -> list[Finding]:
    """The findings; of suppressed ones, what the rules report instead."""
    reasons = [(finding, _reason(finding, silences)) for finding in findings]
    told = [finding for finding, reason in reasons if not reason]
    return told + findings_of(rules, RunCase(silenced=[pair for pair in reasons if pair[1]]))


def _reason(finding: Finding, silences: Silences) -> str:
    """Why a finding does not count; empty when it does."""
    for comment in silences.comments:
        if comment.reason and is_by_comment(finding, comment):
            return comment.reason
    for entry in silences.entries:
        if is_by_entry(finding, entry):
            return entry.reason
    return f"--suppress {finding.code}" if finding.code in silences.codes else ""


def is_by_comment(finding: Finding, comment: Comment) -> bool:
    """Whether a comment is about a finding."""
    return finding.code in comment.codes and finding.id in comment.ids


def is_by_entry(finding: Finding, entry: Suppression) -> bool:
    """Whether an entry of the configuration is about a finding."""
    return (
        finding.code in entry.codes
        and entry.path in paths_of(finding.root, finding.file)
        and (entry.symbol in (ANY, finding.symbol) or (entry.symbol == MODULE and finding.symbol == finding.file))
    )


def paths_of(root: str, file: str) -> tuple[str, str]:
    """The paths that name a file: within its root, or, with several roots, with the root in front."""
    return file, f"{root}/{file}"
