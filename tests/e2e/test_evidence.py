"""ty's evidence from the command line: with ty, without, and with one that fails; and whose settings count.

What is found with ty is in `tests/spec/enforcement/with_ty.md`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from keel.bootstrap import NO_TY
from keel.errors import HelperError
from keel.resolvers.ty import find, session
from tests.servers import SHORT, processes_with
from tests.workspaces import MakeWorkspace, keel_inside, write_files

SHOP = 'def price(item: str) -> int:\n    """Says it."""\n    return len(item)\n'
OTHER = SHOP.replace("item: str", "item: list[str]")
TILL = 'from shop import price\n\n\ndef total() -> int:\n    """Adds."""\n    return price("apple")\n'
VERSION = 'case "$1" in --version) echo "ty 0.0.100";;'

Summary = tuple[str, list[str], list[str]]
WITH_TY: Summary = ("ty", ["E001"], [])
ALONE: Summary = ("own", [], ["E001"])
"""The evidence, the codes of errors and those of warnings."""

pytestmark = pytest.mark.usefixtures("with_ty")


@pytest.fixture(autouse=True)
def _ty_is_installed() -> None:
    try:
        find.find_ty()
    except HelperError as error:
        pytest.skip(str(error))


@pytest.fixture
def shop(git_workspace: MakeWorkspace) -> Path:
    """A parameter's type was changed, and a caller passes the old one."""
    folder = git_workspace({"shop.py": SHOP, "till.py": TILL})
    assert keel_inside(folder, "map").code == 0
    return write_files(folder, {"shop.py": OTHER})


def compiled(folder: Path) -> dict[str, Any]:
    said = keel_inside(folder, "compile", "--json", "--session", "ci")
    assert said.code in (0, 1), said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def summary(found: dict[str, Any]) -> Summary:
    return (
        found["evidence"],
        [each["code"] for each in found["errors"]],
        [each["code"] for each in found["warnings"]],
    )


def test_a_type_that_a_caller_does_not_fit_is_an_error_with_ty_and_a_warning_without(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert summary(compiled(shop)) == WITH_TY
    monkeypatch.setenv(NO_TY, "1")
    assert summary(compiled(shop)) == ALONE


def test_the_configuration_can_do_without_ty(shop: Path) -> None:
    write_files(shop, {".keel/config.toml": "[resolution]\nty = false\n"})
    assert summary(compiled(shop)) == ALONE


def test_explain_shows_what_ty_says(shop: Path) -> None:
    said = keel_inside(shop, "explain", "E001", compiled(shop)["errors"][0]["hash"])
    assert "ty invalid-argument-type: Argument to function `price` is incorrect" in said.out


@pytest.mark.parametrize(
    "does",
    [
        pytest.param("exit 3", id="dies"),
        pytest.param("sleep 600", id="hangs"),
        pytest.param("echo Welcome", id="talks nonsense"),
    ],
)
def test_a_ty_that_fails_costs_its_evidence_and_nothing_else(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str
) -> None:
    program = tmp_path / "ty"
    program.write_text(f"#!/bin/sh\n{VERSION} *) {does};; esac\n")
    program.chmod(0o755)
    monkeypatch.setattr(find, "_candidates", lambda: iter([str(program)]))
    monkeypatch.setattr(session, "START_SECONDS", SHORT)
    found = compiled(shop)
    assert summary(found) == ALONE
    assert found["evidence_missing"].startswith("ty ")
    assert "without a type checker: ty " in keel_inside(shop, "compile", "--verbose").out
    assert "without a type checker: ty " in (shop / ".keel" / "log").read_text()
    assert processes_with(str(program)) == []


def test_without_any_ty_the_verdict_is_keels_own(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "_candidates", lambda: iter(()))
    assert summary(compiled(shop)) == ALONE


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param('[tool.ty.rules]\nall = "ignore"\n', id="rules"),
        pytest.param('[tool.ty.src]\nexclude = ["till.py"]\n', id="excludes"),
        pytest.param('[[tool.ty.overrides]]\ninclude = ["till.py"]\nrules = {all = "ignore"}\n', id="overrides"),
    ],
)
def test_what_the_user_wants_to_hear_from_ty_does_not_count(shop: Path, settings: str) -> None:
    write_files(shop, {"pyproject.toml": settings})
    assert summary(compiled(shop)) == WITH_TY


def test_nothing_is_left_running(shop: Path) -> None:
    compiled(shop)
    own = Path(f"/proc/self/task/{os.getpid()}/children")
    if not own.exists():
        pytest.skip("only Linux says whose children run")
    assert own.read_text() == ""
