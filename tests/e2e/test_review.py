"""`keel review`: what a branch breaks, in whatever state the clone is; and the bases that compile shares with it.

What a comparison finds is told by `tests/spec/enforcement`, how findings are written by the tests of the formats.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from keel import registry
from keel.model.schemas import schema_of
from tests.workspaces import MakeWorkspace, commit_all, git, keel_inside, write_files

SHOP = 'def charge(order: int, amount: int) -> int:\n    """Charges."""\n    return amount\n'
APP = 'from shop import charge\n\n\ndef pay() -> int:\n    """Pays."""\n    return charge(1, 2)\n'
WIDER = SHOP.replace("amount: int)", "amount: int, currency: str)")
IN_CLONE = ("review", "--base", "origin/main")


@pytest.fixture
def branch(git_workspace: MakeWorkspace) -> Path:
    """A repository on a branch that breaks a caller; no graph yet."""
    folder = git_workspace({"shop.py": SHOP, "app.py": APP})
    git(folder, "checkout", "-qb", "topic")
    write_files(folder, {"shop.py": WIDER})
    commit_all(folder)
    return folder


def answer(folder: Path, *words: str) -> dict[str, Any]:
    """What is answered in JSON, which fits the schema."""
    said = keel_inside(folder, *words, "--json")
    assert said.code in (0, 1), said.err
    operation = registry.operation(words[0])
    assert operation is not None
    found: dict[str, Any] = json.loads(said.out)
    jsonschema.Draft202012Validator(schema_of(operation.Result)).validate(found)
    return found


def test_it_says_what_the_branch_breaks_and_builds_the_graph_for_it(branch: Path) -> None:
    said = keel_inside(branch, "review", "--base", "main")
    assert said.code == 1
    assert said.out.splitlines()[1] == "    app.py:6  pay: missing required 'currency'"


def test_it_agrees_with_compile_since(branch: Path) -> None:
    reviewed, compiled = answer(branch, "review", "--base", "main"), answer(branch, "compile", "--since", "main")
    assert reviewed == {**compiled, "command": "review"}


def test_it_agrees_in_a_fresh_clone(branch: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(branch), "copy")
    here, there = answer(branch, "review", "--base", "main"), answer(tmp_path / "copy", *IN_CLONE)
    assert without_roots(here) == without_roots(there)


def without_roots(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The errors as they are in every clone: a root, and with it ids and hashes, is named after its folder."""
    plain = []
    for each in found["errors"]:
        affected = [{**one, "root": "", "hash": ""} for one in each["affected"]]
        plain.append({**each, "root": "", "hash": "", "id": "", "affected": affected})
    return plain


def test_what_happened_on_the_other_branch_is_not_held_against_this_one(branch: Path) -> None:
    git(branch, "checkout", "-q", "main")
    write_files(branch, {"other.py": "def f(a):\n    return a\n"})
    commit_all(branch)
    git(branch, "checkout", "-q", "topic")
    assert [each["code"] for each in answer(branch, "review", "--base", "main")["errors"]] == ["E005"]


def test_what_is_not_committed_yet_counts_too(branch: Path) -> None:
    write_files(branch, {"app.py": APP.replace("(1, 2)", '(1, 2, "EUR")')})
    assert keel_inside(branch, "review", "--base", "main") == (0, "", "")


def test_nothing_is_remembered_about_the_findings(branch: Path) -> None:
    for _ in range(4):
        assert keel_inside(branch, "review", "--base", "main").code == 1
    assert not (branch / ".keel/session.json").exists()
    assert git(branch, "status", "--short") == ""


@pytest.mark.parametrize("form", ["human", "json", "llm", "sarif", "github"])
def test_every_form_names_the_broken_line(branch: Path, form: str) -> None:
    said = keel_inside(branch, "review", "--base", "main", "--format", form)
    assert said.code == 1
    assert "app.py" in said.out
    assert "E005" in said.out


def test_strict_fails_for_warnings_and_shows_them(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace({"shop.py": "def old(a):\n    return a\n"})
    write_files(folder, {"shop.py": "def old(a):\n    return a\n\n\nX = 1\n"})
    assert keel_inside(folder, "compile").code == 0
    said = keel_inside(folder, "compile", "--strict")
    assert said.code == 1
    assert "warning E002" in said.out


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_refused_and_not_taken_for_the_last_commit(branch: Path, name: str) -> None:
    for words in (("review", "--base", name), ("compile", "--since", name)):
        said = keel_inside(branch, *words)
        assert said.code == 2
        assert "the commit to compare with has no name" in said.err


def test_a_shallow_clone_of_one_branch_says_what_to_fetch_and_then_works(branch: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", "--branch", "topic", f"file://{branch}", "shallow")
    clone = tmp_path / "shallow"
    said = keel_inside(clone, *IN_CLONE)
    assert said.code == 2
    assert "`git fetch --unshallow`" in said.err
    assert "`git fetch origin main:refs/remotes/origin/main`" in said.err
    git(clone, "fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    assert "have no common commit here; the clone is shallow" in keel_inside(clone, *IN_CLONE).err
    git(clone, "fetch", "-q", "--unshallow")
    assert keel_inside(clone, *IN_CLONE).code == 1


def test_a_branch_that_is_there_under_the_remote_is_proposed(branch: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--branch", "topic", str(branch), "copy")
    assert "did you mean origin/main?" in keel_inside(tmp_path / "copy", "review", "--base", "main").err


def test_without_git_and_without_a_commit_it_says_so(workspace: MakeWorkspace) -> None:
    folder = workspace({"shop.py": SHOP})
    assert "there is no git repository, and so no 'main'" in keel_inside(folder, "review", "--base", "main").err
    git(folder, "init", "-q")
    assert "there is no commit yet to compare 'main' with" in keel_inside(folder, "review", "--base", "main").err


# bases that compile and review share


def codes(folder: Path, *words: str) -> list[str]:
    """The codes of errors."""
    return [each["code"] for each in answer(folder, *(words or ("compile",)))["errors"]]


def test_a_working_tree_beside_has_a_base_of_its_own(branch: Path) -> None:
    git(branch, "worktree", "add", "-q", "-b", "second", "../second", "main")
    second = branch.parent / "second"
    assert codes(second) == []
    write_files(second, {"shop.py": WIDER})
    assert codes(second) == codes(second, "review", "--base", "main") == ["E005"]
    assert codes(branch) == []


def test_a_head_that_is_detached_is_as_good_as_a_branch(branch: Path) -> None:
    git(branch, "checkout", "-q", "--detach")
    assert codes(branch) == []
    assert codes(branch, "review", "--base", "main") == ["E005"]


def test_the_index_is_no_part_of_it(branch: Path) -> None:
    git(branch, "checkout", "-q", "main")
    write_files(branch, {"shop.py": WIDER})
    git(branch, "add", "-A")
    write_files(branch, {"shop.py": SHOP})
    assert codes(branch) == [], "the working tree is as HEAD"
    write_files(branch, {"shop.py": WIDER})
    assert codes(branch) == ["E005"]


def test_during_a_merge_the_resolution_is_what_counts(branch: Path) -> None:
    git(branch, "checkout", "-q", "main")
    write_files(branch, {"shop.py": SHOP.replace("Charges.", "Charges money.")})
    commit_all(branch)
    git(branch, "config", "merge.conflictStyle", "merge")
    assert keel_inside(branch, "compile").code == 0
    git(branch, "merge", "-q", "--no-commit", "-X", "theirs", "topic")
    assert codes(branch) == ["E005"]


def test_code_in_a_renamed_file_is_not_new(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace({"old.py": "def f(a):\n    return a\n"})
    git(folder, "mv", "old.py", "new.py")
    found = answer(folder, "compile")
    assert found["errors"] == []
    assert [(each["code"], each["unchanged"]) for each in found["warnings"]] == [("E002", True), ("E003", True)]
    write_files(folder, {"new.py": "def f(a, b):\n    return a\n"})
    assert codes(folder) == ["E002", "E003"]


def test_a_renamed_file_is_named_in_the_hint(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace({"pkg/__init__.py": "", "pkg/shop.py": SHOP, "app.py": APP.replace("shop", "pkg.shop")})
    git(folder, "mv", "pkg/shop.py", "pkg/store.py")
    [error] = answer(folder, "compile")["errors"]
    assert error["fix_hint"].startswith("Use pkg/store.py instead of 'pkg/shop.py' in ")


def test_a_repository_with_long_hashes(workspace: MakeWorkspace) -> None:
    folder = workspace({"shop.py": SHOP, "app.py": APP})
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256")
    commit_all(folder)
    write_files(folder, {"shop.py": WIDER, "new.py": SHOP})
    assert codes(folder) == ["E005"]


def test_findings_reach_from_one_root_into_another(git_workspace: MakeWorkspace) -> None:
    roots = '[workspace.roots]\nback = "back end"\nfront = "front"\n'
    folder = git_workspace({".keel/config.toml": roots, "back end/shop.py": SHOP, "front/app.py": APP})
    write_files(folder, {"back end/shop.py": WIDER})
    [error] = answer(folder, "compile", "front/app.py")["errors"]
    assert (error["root"], error["file"]) == ("back", "shop.py")
    assert [(one["root"], one["file"]) for one in error["affected"]] == [("front", "app.py")]
    assert "\n    front/app.py:6  pay: " in keel_inside(folder, "compile").out
    assert "file=front/app.py,line=6" in keel_inside(folder, "compile", "--format", "github").out
    assert '"back%20end/shop.py"' in keel_inside(folder, "compile", "--format", "sarif").out


def test_in_a_folder_of_a_repository_programs_get_paths_from_its_top(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace({"lib/.keel/config.toml": "", "lib/shop.py": SHOP, "lib/app.py": APP})
    write_files(folder, {"lib/shop.py": WIDER})
    assert keel_inside(folder / "lib", "compile").out.startswith("shop.py:1  error")
    assert "file=lib/app.py,line=6" in keel_inside(folder / "lib", "compile", "--format", "github").out
