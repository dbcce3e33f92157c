"""Reports as workflow commands of GitHub Actions: an annotation on every line that is broken.

A finding with affected places is shown at each of them, since that is where the code must change; any other at its
definition. Their number is limited, errors first, and the last line counts the rest. Finding them is left to the
operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.model.findings import ERROR, Finding
from keel.model.ids import unescape_path
from keel.model.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keel.model.report import Report

MAX_ANNOTATIONS = 50
"""Annotations of one run; GitHub shows ten of a sort for each step, and the log all of them."""


class Github:
    """The Format socket as workflow commands, for reports."""

    name = "github"

    def render(self, result: Any, colour: bool = False) -> Iterator[str]:
        """A command a line; nothing when nothing is wrong."""
        annotations = list(_annotations(result))
        for each in annotations[:MAX_ANNOTATIONS]:
            yield each.command
        rest = list(_rest(result, len(annotations) - MAX_ANNOTATIONS))
        if rest:
            yield f"::notice title=keel {_property(result.command)}::{_data('; '.join(rest))}\n"


class Annotation(NamedTuple):
    """An annotation on a line of a file."""

    level: str
    path: str
    line: int
    title: str
    text: str

    @property
    def command(self) -> str:
        """As a workflow command, with its line end."""
        place = f"file={_property(unescape_path(self.path))},line={max(self.line, 1)}," if self.path else ""
        return f"::{self.level} {place}title={_property(self.title)}::{_data(self.text)}\n"


def _annotations(report: Report) -> Iterator[Annotation]:
    for each in report.shown:
        level = "error" if each.severity == ERROR else "warning"
        title = f"{each.code} {each.category.replace('_', ' ')}"
        if not each.affected:
            path = report.path(each.root, each.file) if each.file else ""
            yield Annotation(level, path, each.line, title, f"{each.message}\n{each.fix_hint}")
        for one in each.affected:
            path = report.path(one.root, one.file)
            yield Annotation(level, path, one.line, title, _format_finding(report, each, one.why))


def _format_finding(report: Report, finding: Finding, why: str) -> str:
    """The finding at one of its places: what is wrong here, then the change that did it."""
    where = f"{report.path(finding.root, finding.file)}:{finding.line}"
    return f"{_sentence(why)}{finding.message} ({finding.symbol}, {where})"


def _sentence(why: str) -> str:
    return f"{why[:1].upper()}{why[1:]}. " if why else ""


def _rest(report: Report, more: int) -> Iterator[str]:
    """What has no annotation, in words."""
    if more > 0:
        yield f"{counted(more, 'place')} more; `keel {report.command} --verbose` names all"
    if report.info is not None and report.info.existing and not report.lists_all:
        yield f"{counted(report.info.existing, 'finding')} on code that is as it was"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


format = Github()
