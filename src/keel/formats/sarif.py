"""Reports as SARIF 2.1.0, for code scanning: rules with their pages, results with the places that are affected.

Paths are relative to the top of the repository, and nothing in the text depends on the machine, the time or the run:
the same trees give the same text. Fingerprints leave lines out, so that a finding is recognised when code moves.
Finding them is left to the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.findings import ERROR, GONE, INFO, WARNING, Affected, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from keel.model.report import Page, Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"
TOP = "SRCROOT"
"""What paths are relative to: the top of the repository."""
FINGERPRINT = "keelFinding/v1"
LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}
SILENCED = "Suppressed: "
Json = dict[str, object]


class Sarif:
    """The Format socket as a SARIF log with one run, for reports."""

    name = "sarif"

    def render(self, result: Any, colour: bool = False) -> Iterator[str]:
        """One object, indented, with a line end."""
        from json import dumps

        yield dumps(log_of(result), ensure_ascii=False, indent=2) + "\n"


def log_of(report: Report) -> Json:
    """The whole log."""
    findings = [*report.counting, *report.silenced]
    outside = {root: folder for root, folder in report.roots.items() if _is_outside(folder)}
    bases: dict[str, Json] = {TOP: {"description": {"text": "The top of the repository."}}}
    for root in outside:
        bases[_base_of(root)] = {"description": {"text": f"The folder of the root '{root}'."}}
    driver = {"name": "keel", "rules": [_rule(page) for page in report.pages]}
    run: Json = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"keel/{report.command}/"},
        "originalUriBaseIds": bases,
        "columnKind": "unicodeCodePoints",
        "results": list(_results(report, findings)),
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(page: Page) -> Json:
    """A rule with its page as help."""
    title, _, body = page.text.partition("\n")
    said = title.partition(": ")[2] or title
    return {
        "id": page.code,
        "name": "".join(word.capitalize() for word in page.name.split("_")),
        "shortDescription": {"text": _sentence(said)},
        "fullDescription": {"text": _sentence(said)},
        "help": {"text": body.strip(), "markdown": f"# {title}\n\n{body.strip()}\n"},
        "defaultConfiguration": {"level": LEVELS[page.severity]},
        "properties": {"tags": ["correctness" if page.code.startswith("E") else "maintainability", page.name]},
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _results(report: Report, findings: Sequence[Finding]) -> Iterator[Json]:
    indices = {page.code: index for index, page in enumerate(report.pages)}
    seen: dict[tuple[str, ...], int] = {}
    for each in findings:
        code = each.suppressed_code or each.code
        key = (code, report.path(each.root, each.file), each.symbol)
        seen[key] = turn = seen.get(key, 0) + 1
        result: Json = {
            "ruleId": code,
            **({"ruleIndex": indices[code]} if code in indices else {}),
            "level": LEVELS[each.severity],
            "message": {"text": f"{each.message} {each.fix_hint}"},
            "locations": [_own_location(report, each)] if each.file else [],
            "partialFingerprints": {FINGERPRINT: _fingerprint(*key, str(turn))},
            "baselineState": "unchanged" if each.unchanged else "new",
            "properties": _properties(each),
        }
        if each.affected:
            result["relatedLocations"] = [
                _affected_location(report, one, number) for number, one in enumerate(each.affected, 1)
            ]
        if each.suppressed:
            reason = each.message.rpartition(SILENCED)[2]
            result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
        yield result


def _properties(finding: Finding) -> Json:
    return {
        "hash": finding.hash,
        "confidence": finding.confidence,
        "resolutionTier": finding.resolution_tier,
        "evidence": finding.evidence,
        "suppressHint": finding.suppress_hint,
    }


def _own_location(report: Report, finding: Finding) -> Json:
    """The definition; for a deleted one the first place that still uses it, since its own file may not exist."""
    if finding.code == GONE and finding.affected:
        first = finding.affected[0]
        physical = _physical(report, first.root, first.file, first.line)
    else:
        physical = _physical(report, finding.root, finding.file, finding.line)
    return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": finding.symbol}]}


def _affected_location(report: Report, affected: Affected, number: int) -> Json:
    return {
        "id": number,
        "physicalLocation": _physical(report, affected.root, affected.file, affected.line),
        "logicalLocations": [{"fullyQualifiedName": affected.name}],
        "message": {"text": f"{affected.name}: {affected.why}" if affected.why else affected.name},
    }


def _physical(report: Report, root: str, file: str, line: int) -> Json:
    is_outside = _is_outside(report.roots.get(root, ""))
    path = file if is_outside else report.path(root, file)
    base = _base_of(root) if is_outside else TOP
    return {"artifactLocation": {"uri": _uri(path), "uriBaseId": base}, "region": {"startLine": max(line, 1)}}


def _is_outside(folder: str) -> bool:
    """Whether a root's folder is not below the top of the repository."""
    from os.path import isabs

    return folder == ".." or folder.startswith("../") or isabs(folder)


def _base_of(root: str) -> str:
    return f"ROOT_{root}"


def _uri(path: str) -> str:
    """A path as a relative reference, byte by byte as the file system has it."""
    import os
    from urllib.parse import quote

    from keel.model.ids import unescape_path

    said = quote(os.fsencode(unescape_path(path)))
    return f"./{said}" if ":" in said.partition("/")[0] else said


def _fingerprint(*parts: str) -> str:
    """What a finding is about, lines aside; the last part tells those apart that are about the same."""
    from hashlib import sha256

    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


format = Sarif()
