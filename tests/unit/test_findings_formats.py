"""Reports as SARIF, as GitHub annotations and for language models: valid, stable, escaped, and within bounds.

What compile finds is told elsewhere; here reports are made by hand.
"""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from keel.formats.github import MAX_ANNOTATIONS, Github
from keel.formats.llm import Llm
from keel.formats.sarif import Sarif
from keel.model.findings import ERROR, INFO, WARNING, Affected, Finding
from keel.model.report import Info, Page, Report

PAGE = Page(
    code="E005", name="arity_mismatch", severity=ERROR, text="E005 arity_mismatch: it is off.\n\nWhy: it fails."
)


def caller(number: int, **changes: Any) -> Affected:
    """A place in `app.py`."""
    said = {"hash": "h", "name": f"pay{number}", "file": "app.py", "line": number, "why": "missing 'b'", "root": "main"}
    return Affected(**{**said, **changes})


def finding(code: str = "E005", **changes: Any) -> Finding:
    """An error about `charge`."""
    said: dict[str, Any] = {
        "code": code,
        "severity": ERROR,
        "category": "arity_mismatch",
        "message": "Function 'charge' takes other arguments now.",
        "file": "shop.py",
        "line": 3,
        "hash": "abc",
        "confidence": 0.9,
        "resolution_tier": "tier1_treesitter",
        "fix_hint": "Update it",
        "root": "main",
        "symbol": "charge",
    }
    return Finding(**{**said, **changes})


def report(*findings: Finding, **changes: Any) -> Report:
    """What compile would answer."""
    errors = tuple(each for each in findings if each.severity == ERROR)
    warnings = tuple(each for each in findings if each.severity == WARNING)
    silenced = tuple(each for each in findings if each.severity == INFO)
    existing = sum(each.unchanged for each in findings)
    said: dict[str, Any] = {
        "command": "compile",
        "status": "error" if errors else "warning" if warnings else "ok",
        "files_analyzed": ("shop.py",),
        "errors": errors,
        "warnings": warnings,
        "info": Info(
            nodes_updated=1,
            edges_updated=0,
            hashes_changed=(),
            base="HEAD",
            elsewhere=0,
            existing=existing,
            findings=silenced,
        ),
        "roots": {"main": ""},
        "pages": (PAGE,),
    }
    return Report(**{**said, **changes})


CLEAN = report(info=None, pages=(), roots={})


def sarif(asked: Report) -> dict[str, Any]:
    """The run of a SARIF log, which is valid."""
    [text] = Sarif().render(asked)
    log = json.loads(text)
    jsonschema.Draft202012Validator(LOG).validate(log)
    [run] = log["runs"]
    found: dict[str, Any] = run
    return found


def github(asked: Report) -> list[str]:
    """The lines of workflow commands."""
    return "".join(Github().render(asked)).splitlines()


def llm(asked: Report, tokens: int = 4000) -> str:
    """The text for language models."""
    return "".join(Llm(tokens).render(asked))


# What the schema of SARIF 2.1.0 demands of the parts that keel writes, and what GitHub asks for beyond it.
TEXT = {"type": "object", "properties": {"text": {"type": "string", "minLength": 1}}, "required": ["text"]}
PHYSICAL = {
    "type": "object",
    "required": ["artifactLocation", "region"],
    "properties": {
        "artifactLocation": {
            "type": "object",
            "required": ["uri", "uriBaseId"],
            "properties": {
                "uri": {"type": "string", "pattern": r"^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)[!-~]+$"},
                "uriBaseId": {"type": "string"},
            },
            "additionalProperties": False,
        },
        "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}},
    },
}
LOCATION = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": -1},
        "physicalLocation": PHYSICAL,
        "logicalLocations": {"type": "array", "uniqueItems": True},
        "message": TEXT,
    },
    "additionalProperties": False,
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RESULT = {
    "type": "object",
    "required": ["ruleId", "level", "message", "locations", "partialFingerprints"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": TEXT,
        "locations": {"type": "array", "items": LOCATION, "maxItems": 1},
        "relatedLocations": {"type": "array", "items": LOCATION, "uniqueItems": True},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
        "suppressions": {
            "type": "array",
            "uniqueItems": True,
            "items": {
                "type": "object",
                "required": ["kind"],
                "properties": {
                    "kind": {"enum": ["inSource", "external"]},
                    "status": {"enum": ["accepted", "underReview", "rejected"]},
                    "justification": {"type": "string"},
                },
                "additionalProperties": False,
            },
        },
        "properties": {"type": "object"},
    },
    "additionalProperties": False,
}
RULE = {
    "type": "object",
    "required": ["id", "shortDescription", "fullDescription", "help"],
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "defaultConfiguration": {"type": "object", "properties": {"level": LEVEL}},
        "properties": {"type": "object"},
    },
    "additionalProperties": False,
}
DRIVER = {
    "type": "object",
    "required": ["name", "rules"],
    "properties": {
        "name": {"const": "keel"},
        "version": {"type": "string"},
        "rules": {"type": "array", "items": RULE, "uniqueItems": True},
    },
    "additionalProperties": False,
}
RUN = {
    "type": "object",
    "required": ["tool", "results"],
    "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": DRIVER}},
        "automationDetails": {"type": "object", "properties": {"id": {"type": "string"}}},
        "originalUriBaseIds": {"type": "object", "additionalProperties": {"type": "object"}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": RESULT},
    },
    "additionalProperties": False,
}
LOG = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": RUN, "minItems": 1},
    },
    "additionalProperties": False,
}


def test_a_result_names_its_rule_and_the_affected_places() -> None:
    run = sarif(report(finding(affected=(caller(7), caller(9)))))
    [rule], [result] = run["tool"]["driver"]["rules"], run["results"]
    assert (rule["id"], rule["shortDescription"]["text"]) == ("E005", "It is off.")
    assert "Why: it fails." in rule["help"]["text"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("E005", 0, "error")
    assert place(result["locations"][0]) == ("shop.py", 3)
    assert [place(each) for each in result["relatedLocations"]] == [("app.py", 7), ("app.py", 9)]
    assert [each["id"] for each in result["relatedLocations"]] == [1, 2]


def place(location: dict[str, Any]) -> tuple[str, int]:
    """File and line of a location."""
    physical = location["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


@pytest.mark.parametrize(("severity", "level"), [(ERROR, "error"), (WARNING, "warning"), (INFO, "note")])
def test_the_level_is_that_of_the_severity(severity: str, level: str) -> None:
    assert [each["level"] for each in sarif(report(finding(severity=severity)))["results"]] == [level]


def test_a_fingerprint_stays_when_lines_shift_and_callers_are_fixed() -> None:
    before = sarif(report(finding(affected=(caller(7), caller(9)))))["results"]
    after = sarif(report(finding(line=40, hash="other", affected=(caller(70),))))["results"]
    assert before[0]["partialFingerprints"] == after[0]["partialFingerprints"]


def test_fingerprints_tell_findings_apart() -> None:
    found = [finding(), finding(severity=WARNING), finding("E002"), finding(symbol="pay"), finding(file="other.py")]
    prints = [each["partialFingerprints"]["keelFinding/v1"] for each in sarif(report(*found))["results"]]
    assert len(set(prints)) == len(prints)


def test_a_silenced_finding_is_suppressed_under_the_code_it_had() -> None:
    silenced = finding(
        "S001", severity=INFO, suppressed=True, suppressed_code="E005", message="It is off. Suppressed: a migration"
    )
    [result] = sarif(report(silenced))["results"]
    assert (result["ruleId"], result["level"]) == ("E005", "note")
    assert result["suppressions"][0]["justification"] == "a migration"


def test_what_is_gone_is_shown_where_it_is_still_used() -> None:
    [result] = sarif(report(finding("E004", file="deleted.py", affected=(caller(7),))))["results"]
    assert place(result["locations"][0]) == ("app.py", 7)


def test_uris_are_relative_and_encoded_whatever_the_path_is() -> None:
    odd = finding(file="a b/ü%25:#?.py", root="lib")
    [result] = sarif(report(odd, roots={"main": "", "lib": "packages/lib"}))["results"]
    assert place(result["locations"][0])[0] == "packages/lib/a%20b/%C3%BC%25%3A%23%3F.py"


def test_a_root_outside_of_the_repository_has_a_base_of_its_own() -> None:
    run = sarif(report(finding(root="lib"), roots={"main": "", "lib": "../lib"}))
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "shop.py", "uriBaseId": "ROOT_lib"}
    assert set(run["originalUriBaseIds"]) == {"SRCROOT", "ROOT_lib"}


def test_a_clean_log_has_no_results() -> None:
    assert sarif(CLEAN)["results"] == []


def test_existing_code_is_told_from_new() -> None:
    results = sarif(report(finding(), finding(symbol="old", severity=WARNING, unchanged=True)))["results"]
    assert [each["baselineState"] for each in results] == ["new", "unchanged"]


def test_each_affected_place_is_annotated_on_its_line() -> None:
    lines = github(report(finding(affected=(caller(7), caller(9)))))
    assert [line.partition("::Missing")[0] for line in lines] == [
        "::error file=app.py,line=7,title=E005 arity mismatch",
        "::error file=app.py,line=9,title=E005 arity mismatch",
    ]
    assert lines[0].endswith("(charge, shop.py:3)")


def test_a_finding_without_places_is_annotated_at_its_definition() -> None:
    [line] = github(report(finding("E002", severity=WARNING, category="missing_type_hints")))
    assert line == (
        "::warning file=shop.py,line=3,title=E002 missing type hints"
        "::Function 'charge' takes other arguments now.%0AUpdate it"
    )


def test_whatever_is_in_a_finding_is_escaped() -> None:
    odd = finding(file="a,b:%25.py", category="x:y,z", message="100%\r\n::error::no")
    [line] = github(report(odd))
    assert line.startswith("::error file=a%2Cb%3A%25.py,line=3,title=E005 x%3Ay%2Cz::100%25%0D%0A::error::no%0A")


def test_annotations_name_files_from_the_top_of_the_repository() -> None:
    [line] = github(report(finding(root="lib"), roots={"main": "", "lib": "packages/lib"}))
    assert "file=packages/lib/shop.py," in line


def test_annotations_are_bounded_and_the_rest_is_counted() -> None:
    lines = github(report(finding(affected=tuple(caller(number) for number in range(1, MAX_ANNOTATIONS + 13)))))
    assert len(lines) == MAX_ANNOTATIONS + 1
    assert lines[-1].startswith("::notice title=keel compile::12 places more")


def test_findings_on_existing_code_are_counted_in_annotations() -> None:
    [line] = github(report(finding(severity=WARNING, unchanged=True)))
    assert line == "::notice title=keel compile::1 finding on code that is as it was"


def test_a_clean_report_has_no_annotations_and_no_text() -> None:
    assert github(CLEAN) == []
    assert llm(CLEAN) == ""


def test_for_a_model_what_breaks_others_comes_first_a_line_each_by_file() -> None:
    found = [
        finding("E002", file="a.py", line=1, message="No types."),
        finding("E005", file="b.py", line=2, message="Off.", severity=WARNING),
        finding("E002", file="b.py", line=3, message="No\ntypes.", severity=WARNING),
        finding("E001", file="c.py", line=4, message="Changed."),
    ]
    assert llm(report(*found)).splitlines() == [
        "c.py",
        " 4 E001 ERROR Changed. fix: Update it",
        "b.py",
        " 2 E005 WARNING Off. fix: Update it",
        " 3 E002 WARNING No types. fix: Update it",
        "a.py",
        " 1 E002 ERROR No types. fix: Update it",
    ]


def test_for_a_model_what_did_not_fit_is_counted_at_the_end() -> None:
    found = [finding("E002", file=f"{number}.py", message="No types at all." * 3) for number in range(30)]
    said = llm(report(*found, finding("E001", file="z.py")), tokens=300)
    assert said.startswith("z.py\n 3 E001 ERROR")
    assert said.splitlines()[-1].startswith("… not shown: 2")
    assert said.splitlines()[-1].endswith("errors (raise --max-tokens to see more)")


def test_for_a_model_a_finding_with_many_places_leaves_room_for_others() -> None:
    places = tuple(caller(number, name=f"a_rather_long_name_{number}") for number in range(1, 11))
    hint = "Update: " + ", ".join(f"{one.name} at app.py:{one.line}" for one in places)
    said = llm(report(finding(affected=places, fix_hint=hint), finding("E002", file="a.py")), tokens=150)
    assert "and 9 more" in said
    assert "E002" in said


@pytest.mark.parametrize(("strict", "code"), [(False, 0), (True, 1)])
def test_warnings_fail_when_it_is_strict(strict: bool, code: int) -> None:
    assert report(finding(severity=WARNING), strict=strict).exit_code == code
    assert report(finding(), strict=strict).exit_code == 1
    assert report(strict=strict).exit_code == 0
