"""Suppression, batch mode and circuit breaker from the command line, by the words of the acceptance criteria."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.workspaces import PATIENCE, MakeWorkspace, commit_all, run_keel, write_files

SHOP = 'def charge(order: int, amount: int) -> int:\n    """Charges."""\n    return amount\n'
RENAMED = SHOP.replace("amount", "sum")
APP = 'from shop import charge\n\n\ndef pay() -> int:\n    """Pays."""\n    return charge(1, amount=2)\n'
UNTYPED = 'def fresh(a):\n    """Is new."""\n    return a\n'


@pytest.fixture
def project(workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a caller and a callee, committed and mapped."""
    for name in ("KEEL_SESSION", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    folder = workspace({"shop.py": SHOP, "app.py": APP})
    commit_all(folder)
    mapped = run_keel(["map", "--quiet"], cwd=folder)
    assert mapped.returncode == 0, mapped.stderr
    return folder


def answer(folder: Path, *words: str) -> dict[str, Any]:
    """What compile answers in JSON."""
    done = run_keel(["compile", *words, "--json"], cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_given_batch_start_was_called_when_a_file_with_missing_type_hints_is_compiled_then_e002_is_not_emitted_and_when_batch_end_is_called_then_e002_is_emitted_for_the_deferred_file(  # noqa: E501  # the words of the criterion
    project: Path,
) -> None:
    assert answer(project, "--batch-start")["status"] == "ok"
    write_files(project, {"new.py": UNTYPED})
    during = run_keel(["compile", "new.py"], cwd=project)
    assert (during.returncode, during.stdout, during.stderr) == (0, "", "")
    ended = answer(project, "--batch-end")
    assert [(each["code"], each["file"]) for each in ended["errors"]] == [("E002", "new.py")]


def test_given_the_same_e001_error_on_the_same_hash_fails_3_consecutive_times_when_the_3rd_compile_returns_then_it_is_downgraded_to_warning_and_the_instruction_says_to_run_keel_explain(  # noqa: E501  # the words of the criterion
    project: Path,
) -> None:
    write_files(project, {"shop.py": RENAMED})
    first, second = answer(project, "shop.py"), answer(project, "shop.py")
    assert [each["code"] for each in (*first["errors"], *second["errors"])] == ["E001", "E001"]
    third = answer(project, "shop.py")
    assert (third["status"], third["errors"]) == ("warning", [])
    [warning] = third["warnings"]
    assert (warning["code"], warning["severity"]) == ("E001", "WARNING")
    assert warning["hash"] == first["errors"][0]["hash"]
    assert f"Run `keel explain E001 {warning['hash']}`" in warning["fix_hint"]


def test_given_a_function_with_a_suppression_on_the_line_above_when_it_is_compiled_then_the_violation_appears_as_s001_with_suppressed_true(  # noqa: E501  # the words of the criterion
    project: Path,
) -> None:
    write_files(project, {"shop.py": f"# keel:suppress E001 -- intentional migration\n{RENAMED}"})
    found = answer(project, "shop.py")
    assert (found["status"], found["errors"], found["warnings"]) == ("ok", [], [])
    [one] = found["info"]["findings"]
    assert (one["code"], one["severity"], one["suppressed"], one["suppressed_code"]) == ("S001", "INFO", True, "E001")
    assert [each["name"] for each in one["affected"]] == ["pay"]


def test_only_suppressed_findings_are_clean_and_verbose_shows_them(project: Path) -> None:
    write_files(project, {"new.py": UNTYPED})
    done = run_keel(["compile", "--suppress", "E002"], cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    everything = run_keel(["compile", "--suppress", "E002", "--all"], cwd=project)
    assert (everything.returncode, everything.stdout) == (0, "")
    shown = run_keel(["compile", "--suppress", "E002", "--verbose"], cwd=project)
    assert "new.py:1  info S001 (was E002)  Function 'fresh' missing type annotations." in shown.stdout


def test_a_suppression_is_told_to_be_idle_by_what_compares_the_whole_branch(project: Path) -> None:
    write_files(project, {"shop.py": f"# keel:suppress E001 -- done long ago\n{SHOP}"})
    assert "info" not in answer(project, "shop.py")
    [one] = answer(project, "shop.py", "--since", "HEAD")["info"]["findings"]
    assert (one["code"], one["message"]) == ("I001", "The suppression of E001 suppresses nothing.")


WRONG = {
    '"a.py:f" = { codes = ["E001"] }': ':2: suppress."a.py:f": has no reason',
    '"a.py:f" = { codes = ["E001"], reason = " " }': ':2: suppress."a.py:f".reason: is empty',
    '"a.py:f" = { code = ["E001"], reason = "x" }': "did you mean 'codes'?",
    '"a.py:f" = { codes = "E001", reason = "x" }': "is a list of texts, not a text",
    '"a.py" = { codes = ["E001"], reason = "x" }': 'is not "path:symbol" or "path:*"',
    '"a.py:f" = "because"': "is a table, not a text",
}


def test_a_suppression_in_the_configuration_that_is_wrong_is_refused_with_its_line(project: Path) -> None:
    for entry, said in WRONG.items():
        write_files(project, {".keel/config.toml": f"[suppress]\n{entry}\n"})
        done = run_keel(["compile"], cwd=project)
        assert (done.returncode, done.stdout) == (2, "")
        assert "config.toml:2: " in done.stderr
        assert said in done.stderr


def test_words_that_do_not_fit_are_refused(project: Path) -> None:
    for words, said in (
        (["--suppress", "E999"], "unknown code 'E999' to suppress"),
        (["--suppress", "S001"], "unknown code 'S001' to suppress"),
        (["--batch-start", "--batch-end"], "--batch-start and --batch-end cannot be used together"),
    ):
        done = run_keel(["compile", *words], cwd=project)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_people_are_told_the_instruction_after_the_hint(project: Path) -> None:
    write_files(project, {"shop.py": RENAMED})
    run_keel(["compile"], cwd=project)
    lines = run_keel(["compile"], cwd=project).stdout.splitlines()
    [hint] = [line for line in lines if line.startswith("    fix: ")]
    assert hint.startswith("    fix: Update 1 caller of 'charge' (parameter 'amount' renamed to 'sum'). Run `keel disc")


def test_several_at_once_are_all_counted(project: Path) -> None:
    write_files(project, {"shop.py": RENAMED})
    command = [sys.executable, "-m", "keel", "compile", "--json"]
    runs = [subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, encoding="utf-8") for _ in range(3)]
    statuses = [json.loads(each.communicate(timeout=PATIENCE)[0])["status"] for each in runs]
    assert sorted(statuses) == ["error", "error", "warning"]


def test_what_is_remembered_is_hidden_from_git(project: Path) -> None:
    write_files(project, {"shop.py": RENAMED})
    run_keel(["compile"], cwd=project)
    assert (project / ".keel" / "session.json").exists()
    status = subprocess.run(["git", "status", "--short"], cwd=project, capture_output=True, encoding="utf-8")
    assert status.stdout == " M shop.py\n"


def test_a_git_hook_is_not_passed_by_an_agents_downgrade(project: Path) -> None:
    hook = project / ".git" / "hooks" / "pre-commit"
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m keel compile\n")
    hook.chmod(0o755)
    write_files(project, {"shop.py": RENAMED})
    for _ in range(4):
        last = run_keel(["compile"], cwd=project)
    assert last.returncode == 0, "it is a warning by now"
    commit = subprocess.run(["git", "commit", "-qam", "x"], cwd=project, capture_output=True, encoding="utf-8")
    assert commit.returncode == 1
    assert "error E001" in commit.stdout + commit.stderr


def test_a_batch_that_is_over_too_early_is_told_and_logged(project: Path) -> None:
    write_files(project, {"new.py": UNTYPED})
    assert answer(project, "new.py", "--batch-start")["errors"] == []
    memory = project / ".keel" / "session.json"
    remembered = json.loads(memory.read_bytes())
    remembered["sessions"][0]["batch"]["last"] -= 61
    memory.write_text(json.dumps(remembered))
    found = answer(project, "app.py")
    assert [each["code"] for each in found["errors"]] == ["E002"]
    assert [each["code"] for each in found["info"]["findings"]] == ["I002"]
    assert "I002 The batch ended: 60 seconds passed without a compile." in (project / ".keel" / "log").read_text()


def test_what_is_gone_is_suppressed_as_the_hint_says(project: Path) -> None:
    write_files(project, {"shop.py": '"""Nothing is left."""\n'})
    [error] = answer(project)["errors"]
    entry, _, where = error["suppress_hint"].partition("  # in ")
    assert where == "[suppress] of .keel/config.toml"
    write_files(project, {".keel/config.toml": f"[suppress]\n{entry}\n"})
    found = answer(project)
    assert (found["status"], [each["suppressed_code"] for each in found["info"]["findings"]]) == ("ok", ["E004"])
