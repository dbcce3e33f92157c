"""`keel compile` from the command line: what it compares with, what it says, and how it ends.

Which edits give which findings is told by `tests/spec/enforcement`.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.workspaces import MakeWorkspace, commit_all, run_keel, write_files

SHOP = 'def charge(order: int, amount: int) -> int:\n    """Charges."""\n    return amount\n'
APP = 'from shop import charge\n\n\ndef pay() -> int:\n    """Pays."""\n    return charge(1, 2)\n'
WIDER = SHOP.replace("amount: int)", "amount: int, currency: str)")


@pytest.fixture
def project(workspace: MakeWorkspace) -> Path:
    """A repository with a caller and a callee, committed and mapped."""
    folder = workspace({"shop.py": SHOP, "app.py": APP})
    commit_all(folder)
    mapped = run_keel(["map", "--quiet"], cwd=folder)
    assert mapped.returncode == 0, mapped.stderr
    return folder


def git(folder: Path, *words: str) -> str:
    """Runs git and gives what it says."""
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def answer(folder: Path, *words: str) -> dict[str, Any]:
    """What compile answers in JSON."""
    done = run_keel(["compile", *words, "--json"], cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def codes(folder: Path, *words: str) -> list[str]:
    """The codes of the errors."""
    return [each["code"] for each in answer(folder, *words)["errors"]]


def test_a_clean_compile_says_nothing(project: Path) -> None:
    done = run_keel(["compile", "shop.py"], cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert answer(project, "shop.py") == {
        "version": "1.0",
        "command": "compile",
        "status": "ok",
        "files_analyzed": ["shop.py"],
        "errors": [],
        "warnings": [],
        "evidence": "own",
    }


def test_verbose_tells_what_was_looked_at(project: Path) -> None:
    info = answer(project, "--verbose")["info"]
    assert (info["nodes_updated"], info["edges_updated"], info["hashes_changed"]) == (0, 0, [])
    assert info["base"] == "HEAD"


def test_an_arity_change_lists_every_caller(project: Path) -> None:
    write_files(project, {"shop.py": WIDER})
    found = answer(project, "shop.py")
    [error] = found["errors"]
    assert (error["code"], error["severity"], error["category"]) == ("E005", "ERROR", "arity_mismatch")
    assert (error["file"], error["line"]) == ("shop.py", 1)
    [caller] = error["affected"]
    assert (caller["name"], caller["file"], caller["line"]) == ("pay", "app.py", 6)
    assert len(caller["hash"]) == len(error["hash"]) == 11
    assert found["info"]["hashes_changed"] == [error["hash"]]
    assert run_keel(["compile"], cwd=project).returncode == 1


def test_it_says_the_same_until_it_is_fixed_reverted_or_committed(project: Path) -> None:
    write_files(project, {"shop.py": WIDER})
    assert codes(project) == codes(project) == ["E005"]
    write_files(project, {"app.py": APP.replace("(1, 2)", '(1, 2, "EUR")')})
    assert codes(project) == []
    write_files(project, {"app.py": APP})
    assert codes(project) == ["E005"]
    git(project, "add", "-A")
    assert codes(project) == ["E005"], "what stands in the index is not accepted"
    git(project, "commit", "-qm", "accepted")
    assert codes(project) == []


def test_files_narrow_what_is_shown_and_the_rest_is_counted(project: Path) -> None:
    write_files(project, {"shop.py": WIDER, "other.py": "def f(a):\n    return a\n"})
    assert codes(project, "app.py") == ["E005"], "the caller's file is affected"
    assert codes(project, "other.py") == ["E002", "E003"]
    assert answer(project, "other.py")["info"]["elsewhere"] == 1


@pytest.mark.parametrize("folder", [".", "../workspace", "pkg"])
def test_a_folder_means_the_files_below_it(project: Path, folder: str) -> None:
    write_files(project, {"pkg/shop.py": SHOP, "pkg/app.py": APP.replace("from shop", "from pkg.shop")})
    commit_all(project)
    (project / "pkg/shop.py").write_text(WIDER)
    assert codes(project, folder) == ["E005"]
    write_files(project, {"other/plain.py": "X = 1\n"})
    assert codes(project, "other") == []


def test_a_wrong_key_is_refused_when_nothing_differs(project: Path) -> None:
    write_files(project, {".keel/config.toml": '[enforcement]\ndocstring = "off"\n'})
    for words in (["compile"], ["status"]):
        done = run_keel(words, cwd=project)
        assert (done.returncode, "enforcement.docstring" in done.stderr) == (2, True)


def test_a_file_that_is_no_source_has_nothing_to_check(project: Path) -> None:
    write_files(project, {"notes.txt": "x"})
    done = run_keel(["compile", "notes.txt"], cwd=project)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_file_that_is_not_there_is_refused(project: Path) -> None:
    done = run_keel(["compile", "nowhere.py"], cwd=project)
    assert done.returncode == 2
    assert "there is no file nowhere.py" in done.stderr


def test_a_deleted_file_can_be_asked_about(project: Path) -> None:
    (project / "shop.py").unlink()
    assert [each["code"] for each in answer(project, "shop.py")["warnings"]] == ["E004"]


def test_since_compares_with_where_the_branch_left(project: Path) -> None:
    git(project, "checkout", "-qb", "topic")
    write_files(project, {"shop.py": WIDER})
    commit_all(project)
    assert codes(project) == []
    assert codes(project, "--since", "main") == ["E005"]
    done = run_keel(["compile", "--since", "nothing"], cwd=project)
    assert done.returncode == 2
    assert "there is no commit 'nothing'" in done.stderr


def test_a_shallow_clone_says_what_to_fetch(project: Path, tmp_path: Path) -> None:
    git(project, "checkout", "-qb", "topic")
    write_files(project, {"shop.py": WIDER})
    commit_all(project)
    git(tmp_path, "clone", "-q", "--depth", "1", "--branch", "topic", f"file://{project}", "shallow")
    done = run_keel(["compile", "--since", "origin/main"], cwd=tmp_path / "shallow")
    assert done.returncode == 2
    assert "git fetch --unshallow" in done.stderr


def test_a_fresh_clone_finds_the_same(project: Path, tmp_path: Path) -> None:
    git(project, "checkout", "-qb", "topic")
    write_files(project, {"shop.py": WIDER})
    commit_all(project)
    git(tmp_path, "clone", "-q", str(project), "copy")
    here, there = answer(project, "--since", "main"), answer(tmp_path / "copy", "--since", "origin/main")
    assert [each["affected"][0]["line"] for each in there["errors"]] == [6]
    assert [each["message"] for each in here["errors"]] == [each["message"] for each in there["errors"]]


def test_before_the_first_commit_the_map_is_what_is_compared_with(workspace: MakeWorkspace) -> None:
    folder = workspace({"shop.py": SHOP, "app.py": APP})
    git(folder, "init", "-q")
    assert run_keel(["map", "--quiet"], cwd=folder).returncode == 0
    write_files(folder, {"shop.py": WIDER})
    assert codes(folder) == ["E005"]


def test_outside_git_accepting_clears(workspace: MakeWorkspace) -> None:
    folder = workspace({"shop.py": SHOP, "app.py": APP})
    assert run_keel(["map", "--quiet"], cwd=folder).returncode == 0
    write_files(folder, {"shop.py": WIDER})
    assert codes(folder) == codes(folder) == ["E005"]
    accepted = run_keel(["accept"], cwd=folder)
    assert (accepted.returncode, accepted.stdout) == (0, "accepted 2 files\n")
    assert codes(folder) == []
    done = run_keel(["compile", "--since", "main"], cwd=folder)
    assert done.returncode == 2
    assert "there is no git repository" in done.stderr


def test_in_git_committing_is_accepting(project: Path) -> None:
    done = run_keel(["accept"], cwd=project)
    assert done.returncode == 2
    assert "commit to accept" in done.stderr


def test_a_root_inside_a_repository_and_a_file_that_moves(workspace: MakeWorkspace) -> None:
    folder = workspace({"lib/shop.py": SHOP, "lib/app.py": APP, "top.py": "import os\n"})
    commit_all(folder)
    write_files(folder, {"lib/.keel/config.toml": ""})
    assert run_keel(["map", "--quiet"], cwd=folder / "lib").returncode == 0
    git(folder, "mv", "lib/shop.py", "lib/store.py")
    [warning] = answer(folder / "lib")["warnings"]
    assert warning["code"] == "E004"
    assert "store.py" in warning["fix_hint"]


def test_without_a_graph_it_is_built_first(workspace: MakeWorkspace) -> None:
    folder = workspace({"shop.py": SHOP, "app.py": APP})
    commit_all(folder)
    write_files(folder, {"shop.py": WIDER})
    assert codes(folder) == ["E005"]


def test_a_submodule_is_compared_with_the_commit_it_is_at(workspace: MakeWorkspace) -> None:
    inner = workspace({"shop.py": SHOP}, name="inner")
    commit_all(inner)
    outer = workspace({"app.py": APP.replace("from shop", "from inner.shop")}, name="outer")
    commit_all(outer)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner")
    commit_all(outer)
    assert codes(outer) == []
    write_files(outer, {"inner/shop.py": WIDER})
    assert codes(outer) == ["E005"]


def test_a_graph_of_an_older_keel_is_filled_again(project: Path) -> None:
    with closing(sqlite3.connect(project / ".keel/graph.db")) as connection, connection:
        connection.execute("UPDATE facts SET interface = x'93c00102'")  # facts in a form that is not known any more
        connection.execute("PRAGMA user_version = 7")
    (project / "shop.py").write_text(WIDER)
    assert codes(project) == ["E005"]
