"""Broken places grouped into findings: one per definition and severity, with every affected place.

Which places are broken is left to `enforcement/breaks`, the wording to each rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from keel.model.findings import ERROR, OWN, TY, WARNING, Affected, Finding, named
from keel.model.ids import MODULE
from keel.model.text.wording import counted
from keel.ports.rule import Break, How, Rule, Subject, suppress_hint

SURE = 0.7
"""Below this confidence a finding is a warning, never an error."""

Wording = Callable[[Subject, Sequence[Break]], tuple[str, str]]
"""Message and hint for the broken places of one definition."""


def findings(rule: Rule, breaks: Iterable[Break], said: Wording) -> Iterator[Finding]:
    """The findings of a rule, one per definition and severity."""
    groups: dict[tuple[str, str], list[Break]] = {}
    for each in breaks:
        severity = rule.SEVERITY if each.is_certain and each.confidence >= SURE else WARNING
        groups.setdefault((each.subject.id, severity), []).append(each)
    for (_, severity), group in groups.items():
        subject = group[0].subject
        message, hint = said(subject, group)
        weakest = min(group, key=lambda each: each.confidence)
        yield Finding(
            code=rule.CODE,
            severity=severity,
            category=rule.CATEGORY,
            message=message if severity == ERROR else f"{message}{_doubt(group)}",
            file=subject.file,
            line=subject.line,
            hash=subject.hash,
            confidence=weakest.confidence,
            resolution_tier=weakest.tier,
            fix_hint=hint,
            suppress_hint=_suppress_hint(rule.CODE, group[0]),
            affected=affected(group),
            root=subject.root,
            symbol=subject.qualified_name,
            id=subject.id,
            evidence=TY if all(each.affected.evidence == TY for each in group) else OWN,
        )


def _doubt(group: Sequence[Break]) -> str:
    """Why it is only a warning."""
    is_weak = any(each.confidence < SURE for each in group)
    return " What the calls resolve to is not certain." if is_weak else " Whether that breaks them is not certain."


def affected(group: Sequence[Break]) -> tuple[Affected, ...]:
    """The affected places, each once, ordered by file and line; several reasons for one place are joined."""
    found: dict[tuple[str, str, int, str], Affected] = {}
    said: dict[tuple[str, str, int, str], dict[str, None]] = {}
    for each in group:
        one = each.affected
        key = (one.root, one.file, one.line, one.name)
        found[key] = one
        said.setdefault(key, {})[one.why] = None
    return tuple(found[key].replace(why="; ".join(said[key])) for key in sorted(found))


def places(group: Sequence[Break]) -> str:
    """The affected places as text: `load at src/a.py:23, main at src/b.py:4`."""
    return named(affected(group))


def callers(group: Sequence[Break]) -> str:
    """The number of affected places: `2 callers`."""
    return counted(len(affected(group)), "caller")


def title(subject: Subject) -> str:
    """What a finding is about: `Function 'load'`."""
    return f"{subject.kind.replace('_', ' ').capitalize()} '{subject.qualified_name}'"


def changes(group: Sequence[Break]) -> str:
    """The changes of the definition as text; without any, why the places are affected."""
    words = dict.fromkeys(change.words for each in group for change in each.changes)
    return "; ".join(words) or "; ".join(dict.fromkeys(each.affected.why for each in group))


def _suppress_hint(code: str, about: Break) -> str:
    """How to suppress it: in the configuration where no comment can: for a removed definition, and for a module."""
    subject = about.subject
    is_module = subject.qualified_name == subject.file
    if about.how is not How.GONE and not is_module:
        return suppress_hint(code, subject)
    key = f"{subject.file}:{MODULE if is_module else subject.qualified_name}"
    return f'"{key}" = {{ codes = ["{code}"], reason = "why this is intended" }}  # in [suppress] of .keel/config.toml'
