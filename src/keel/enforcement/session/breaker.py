"""The circuit breaker: an error that several attempts did not fix gets another instruction, and at last is a warning.

It counts failed attempts in a row at one code of one definition, in one session: runs that report the finding again
with no fewer affected places than the run before. Only errors are counted; fixing one resets its count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from keel.config import CircuitBreaker
from keel.enforcement.session.session import Attempts
from keel.model.findings import ERROR, WARNING, Finding
from keel.model.ids import parse_id
from keel.model.refs import FileKey

SECOND = 2
MAX_COUNTED = 1000
"""Findings whose attempts are counted: more than are ever fixed one by one."""
DISCOVER = (
    "Run `keel discover {hash} --depth 2` to inspect the wider dependency chain. "
    "The issue may be upstream of the direct callers."
)
EXPLAIN = (
    "Run `keel explain {code} {hash}` to inspect the resolution chain. "
    "Add findings as a code comment so the next session can resolve with full context."
)
Counted = dict[str, Attempts]


def counted(
    findings: Sequence[Finding],
    attempts: Mapping[str, Attempts],
    counts: Callable[[Finding], bool],
    judged: Collection[FileKey],
) -> Counted:
    """The attempts after a run: one more for each finding that counts, none for what is no longer found."""
    errors: dict[str, list[Finding]] = {}
    for each in findings:
        if each.severity == ERROR and each.id:
            errors.setdefault(key_of(each), []).append(each)
    after = {key: known for key, known in attempts.items() if key in errors or not _is_fixed(key, known, judged)}
    for key, group in errors.items():
        if any(map(counts, group)) and (key in after or len(after) < MAX_COUNTED):
            before = after.get(key, Attempts(0, 0))
            places = sum(len(each.affected) for each in group)
            is_progress = places < before.places
            after[key] = Attempts(before.failed + (not is_progress), places, all(each.unchanged for each in group))
    return after


def _is_fixed(key: str, known: Attempts, judged: Collection[FileKey]) -> bool:
    """Whether a finding that is no longer reported is fixed: changed code is always judged, other code is not."""
    about = parse_id(key.partition(" ")[2])
    return not known.existing or about is None or (about.root, about.path) in judged


def escalated(findings: Sequence[Finding], attempts: Mapping[str, Attempts], config: CircuitBreaker) -> list[Finding]:
    """The findings as they are reported after so many failed attempts."""
    return [_escalated(each, attempts, config) for each in findings]


def _escalated(finding: Finding, attempts: Mapping[str, Attempts], config: CircuitBreaker) -> Finding:
    known = attempts.get(key_of(finding))
    if finding.severity != ERROR or known is None or known.failed < min(SECOND, config.max_retries):
        return finding
    is_last = known.failed >= config.max_retries
    words = (EXPLAIN if is_last else DISCOVER).format(code=finding.code, hash=finding.hash)
    return finding.replace(
        severity=WARNING if is_last and config.auto_downgrade else ERROR,
        fix_hint=f"{finding.fix_hint.rstrip('.')}. {words}",
        escalation=words,
    )


def key_of(finding: Finding) -> str:
    """The key that attempts are counted by; it uses the id, since the hash changes with every attempt."""
    return f"{finding.code} {finding.id}"
