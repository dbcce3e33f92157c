"""What keel makes of type evidence: confirmed, cleared, added, or as it was; and when no type checker is asked at all.

The type checker is made up. What the real ty says is in `tests/spec/enforcement/with_ty.md`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.checking.finding_explanations import OfFinding
from keel.enforcement.breaks import type_evidence
from keel.model.findings import Finding
from keel.operations import compile as compiling
from keel.operations import explain
from keel.operations import map as mapping
from keel.ports.type_checker import Complaint, Knowledge, Meaning
from tests.type_checking import FakeTypeChecker
from tests.workspaces import MakeWorkspace, write_files

SHOP = 'def price(item: int) -> int:\n    """Says it."""\n    return item\n'
WIDER = SHOP.replace("item: int)", "item: int, tax: int)")
TILL = 'from shop import price\n\n\ndef total() -> int:\n    """Adds."""\n    return price(1)\n'
FILES = {"shop.py": SHOP, "till.py": TILL}


def opened(folder: Path, checker: FakeTypeChecker) -> Workspace:
    """A workspace with a type checker of the test's."""
    workspace = open_workspace(str(folder), str(folder))
    vars(workspace)["type_checkers"] = {"python": checker}
    return workspace


def compiled(folder: Path, checker: FakeTypeChecker) -> compiling.Result:
    return compiling.run(opened(folder, checker), compiling.Params(session="git"))


def structural(result: compiling.Result) -> list[Finding]:
    return [each for each in (*result.errors, *result.warnings) if each.code in ("E001", "E004", "E005")]


@pytest.fixture
def shop(workspace: MakeWorkspace) -> Path:
    """A mapped workspace whose accepted tree is FILES."""
    folder = workspace(FILES)
    mapping.run(open_workspace(str(folder), str(folder)), mapping.Params())
    return folder


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param({}, id="nothing differs"),
        pytest.param({"shop.py": SHOP.replace("return item", "return item + 1")}, id="a body"),
        pytest.param({"shop.py": SHOP.replace("Says it.", "Tells it.")}, id="a docstring"),
        pytest.param({"shop.py": SHOP.replace("item: int)", "item: int, tax: int = 0)")}, id="an optional parameter"),
        pytest.param({"shop.py": SHOP + "\n\n" + WIDER.replace("price", "fresh")}, id="a new function"),
        pytest.param({"shop.py": WIDER, "till.py": ""}, id="no caller"),
    ],
)
def test_no_type_checker_is_asked_when_no_caller_can_be_broken(shop: Path, edit: dict[str, str]) -> None:
    write_files(shop, edit)
    checker = FakeTypeChecker()
    assert compiled(shop, checker).evidence == "own"
    assert checker.asked == []


def test_what_is_confirmed_is_as_sure_as_the_type_checker(shop: Path) -> None:
    write_files(shop, {"shop.py": WIDER})
    result = compiled(shop, FakeTypeChecker())
    [found] = structural(result)
    assert (result.evidence, found.evidence, found.resolution_tier, found.confidence) == ("ty", "ty", "tier2_ty", 0.95)
    assert (found.code, found.severity) == ("E005", "ERROR")
    [place] = found.affected
    assert (place.why, place.diagnostic) == (
        "missing required 'tax'",
        "missing-argument: `price` wants 2 and gets 1",
    )


def test_the_diagnostic_is_a_step_of_the_explanation(shop: Path) -> None:
    write_files(shop, {"shop.py": WIDER})
    workspace = opened(shop, FakeTypeChecker())
    [found] = structural(compiling.run(workspace, compiling.Params(session="git")))
    told = explain.run(workspace, explain.Params(caller=found.code, callee=found.hash))
    assert isinstance(told, OfFinding)
    steps = [(step.kind, step.line, step.text) for step in told.resolution_chain]
    assert ("diagnostic", 6, "ty missing-argument: `price` wants 2 and gets 1") in steps


def test_a_diagnostic_is_shown_at_its_own_line(workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    till = TILL.replace("return price(1)", "found = price(1)\n    return found")
    folder = workspace({"shop.py": SHOP, "till.py": till})
    mapping.run(open_workspace(str(folder), str(folder)), mapping.Params())
    write_files(folder, {"shop.py": SHOP.replace("-> int", "-> str")})
    said = Complaint(str(folder / "till.py"), 7, 12, 7, 17, "invalid-return-type", Meaning.TYPE, "it is no `int`")
    monkeypatch.setattr(FakeTypeChecker, "complaints", lambda *_: [said])
    opening = opened(folder, FakeTypeChecker())
    [found] = structural(compiling.run(opening, compiling.Params(session="git")))
    assert [(place.line, place.diagnostic_line) for place in found.affected] == [(6, 7)]
    told = explain.run(opening, explain.Params(caller=found.code, callee=found.hash))
    assert isinstance(told, OfFinding)
    [step] = [each for place in told.places for each in place.resolution_chain if each.kind == "diagnostic"]
    assert (step.line, step.text) == (7, "ty invalid-return-type: it is no `int`")


@pytest.mark.parametrize(
    ("knows", "expected"),
    [(Knowledge.TYPES, []), (Knowledge.SHAPE, []), (Knowledge.VALUE, ["E005"]), (Knowledge.NOTHING, ["E005"])],
)
def test_silence_clears_only_where_the_callee_is_known(
    shop: Path, monkeypatch: pytest.MonkeyPatch, knows: Knowledge, expected: list[str]
) -> None:
    monkeypatch.setattr(FakeTypeChecker, "complaints", lambda *_: [])
    write_files(shop, {"shop.py": WIDER})
    result = compiled(shop, FakeTypeChecker(knows))
    assert [each.code for each in structural(result)] == expected
    assert result.evidence == "ty"


def test_a_type_checker_that_fails_changes_nothing_but_that_it_is_told(shop: Path) -> None:
    write_files(shop, {"shop.py": WIDER})
    alone = compiling.run(open_workspace(str(shop), str(shop)), compiling.Params(session="git"))
    result = compiled(shop, FakeTypeChecker(is_broken=True))
    assert result.replace(evidence_missing=None) == alone
    assert result.evidence == "own"
    assert result.evidence_missing


def test_callers_beyond_the_bound_are_told_as_doubtful(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_evidence, "MAX_FILES", 1)
    write_files(shop, {"more.py": TILL})
    mapping.run(open_workspace(str(shop), str(shop)), mapping.Params())
    write_files(shop, {"shop.py": WIDER})
    found = structural(compiled(shop, FakeTypeChecker()))
    told = {(place.file, each.severity) for each in found for place in each.affected}
    assert told == {("more.py", "ERROR"), ("till.py", "WARNING")} or told == {
        ("till.py", "ERROR"),
        ("more.py", "WARNING"),
    }
    assert any(type_evidence.TOO_MANY in place.why for each in found for place in each.affected)


def test_what_the_source_excuses_stays_excused(shop: Path) -> None:
    write_files(shop, {"shop.py": WIDER, "till.py": TILL.replace("price(1)", "price(1)  # type: ignore")})
    assert structural(compiled(shop, FakeTypeChecker())) == []


def test_the_type_checker_is_closed_with_the_workspace(shop: Path) -> None:
    checker = FakeTypeChecker()
    opened(shop, checker).close()
    assert checker.closed == 1
