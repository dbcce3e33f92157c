"""Findings as answers: which of them are shown, and the text for people.

`compile` and `review` share it. Which findings exist is left to `judgement.py`; JSON, SARIF and the other forms for
programs are left to the formats.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from keel.model.findings import ERROR, INFO, OWN, WARNING, Finding, named
from keel.model.refs import FileKey
from keel.model.report import OK, Info, Page, Report, short_base
from keel.model.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from keel.ports.rule import Rule
    from keel.ports.workspace import Workspace

FORMATS = ("human", "json", "llm", "sarif", "github")
"""The formats of a report."""
MAX_NAMED = 20
"""Affected places that the text shows for one finding."""
R = TypeVar("R", bound=Report)


class ReadableReport(Report):
    """A report that can be shown as text."""

    LAYOUT = ("{report}",)

    @property
    def report(self) -> str:
        """The findings, and what is not shown, in lines."""
        return "\n".join(lines_of(self))


def report_of(
    kind: type[R],
    workspace: Workspace,
    findings: Sequence[Finding],
    within: Collection[FileKey] | None,
    info: Info,
    *,
    files: Sequence[FileKey],
    strict: bool,
    lists_all: bool,
    tells_info: bool,
    evidence: str = OWN,
    evidence_missing: str = "",
) -> R:
    """A report of the findings with a cause or an affected place in some files (None for all); `info` counts the
    others.
    """
    asked = None if within is None else set(within)
    shown = [each for each in findings if asked is None or each.is_within(asked)]
    errors = tuple(each for each in shown if each.severity == ERROR)
    warnings = tuple(each for each in shown if each.severity == WARNING)
    silenced = tuple(each for each in shown if each.severity == INFO)
    told = info.replace(
        elsewhere=sum(each.severity != INFO for each in findings) - len(errors) - len(warnings),
        existing=sum(each.unchanged for each in (*errors, *warnings)),
        findings=silenced,
    )
    codes = {each.suppressed_code or each.code for each in shown}
    return kind(
        status="error" if errors else "warning" if warnings else OK,
        files_analyzed=tuple(path for _, path in files),
        errors=errors,
        warnings=warnings,
        evidence=evidence,
        evidence_missing=evidence_missing or None,
        info=told if shown or tells_info else None,
        strict=strict,
        lists_all=tells_info or bool((lists_all or strict) and (errors or warnings)),  # what fails is listed
        roots=folders_of(workspace) if shown else {},
        pages=pages_of(workspace.rules, codes) if shown else (),
    )


def folders_of(workspace: Workspace) -> dict[str, str]:
    """The folder of each root, relative to the top of the repository; without one, relative to the workspace."""
    from keel.indexing.git.repository import git_top

    top = git_top(workspace.folder) or workspace.folder
    found = {root: os.path.relpath(folder, top).replace(os.sep, "/") for root, folder in workspace.roots.items()}
    return {root: "" if folder == "." else folder for root, folder in found.items()}


def pages_of(rules: Sequence[Rule], codes: Collection[str]) -> tuple[Page, ...]:
    """The pages of the rules with these codes."""
    return tuple(
        Page(code=rule.CODE, name=rule.CATEGORY, severity=rule.SEVERITY, text=rule.__doc__ or "")
        for rule in rules
        if rule.CODE in codes
    )


def lines_of(report: Report) -> Iterator[str]:
    """The text of a report: each finding with its places and what to do, then what was not shown."""
    for each in report.shown:
        yield from _finding(report, each)
    info = report.info
    if info is None or (report.status == OK and not report.lists_all):
        return
    if report.lists_all:
        for each in info.findings:
            place = f"{report.place(each.root, each.file)}:{each.line}"
            yield f"{place}  {each.severity.lower()} {_code(each)}  {each.message}"
    elif info.existing:
        yield f"{counted(info.existing, 'finding')} on code that is as it was; --verbose lists them"
    if report.lists_all:
        differ = f"{counted(info.nodes_updated, 'node')} and {counted(info.edges_updated, 'edge')} differ"
        heard = "" if report.evidence == OWN else f", with {report.evidence}"
        yield f"compared with {short_base(info.base)}{heard}: {differ}"
        if report.evidence_missing:
            yield f"without a type checker: {report.evidence_missing}"
    if info.elsewhere:
        yield f"{counted(info.elsewhere, 'finding')} elsewhere; `keel {report.command}` shows all"


def _finding(report: Report, finding: Finding) -> Iterator[str]:
    place = f"{report.place(finding.root, finding.file)}:{finding.line}"
    yield f"{place}  {finding.severity.lower()} {_code(finding)}  {finding.message}"
    places = finding.affected if report.lists_all else finding.affected[:MAX_NAMED]
    for one in places:
        yield f"    {report.place(one.root, one.file)}:{one.line}  {one.name}: {one.why}"
    if len(places) < len(finding.affected):
        yield f"    … and {len(finding.affected) - len(places):,} more; --verbose names all"
    yield f"    fix: {_hint(finding)}"


def _code(finding: Finding) -> str:
    return f"{finding.code} (was {finding.suppressed_code})" if finding.suppressed_code else finding.code


def _hint(finding: Finding) -> str:
    """What to do, without the places, which are listed above it."""
    return finding.fix_hint.replace(f": {named(finding.affected)}", "") if finding.affected else finding.fix_hint
