"""A locked tool runs only while its chain is what was locked, and the error says what differs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from keel.errors import LockError, ToolNotWritten
from keel.toolspaces import Chain, resolve_chain, run_tool
from keel.toolspaces.locks import check_lock, lock_path, write_lock
from tests.toolspaces import SpaceFolders, make_trees, manifest

TOOL = manifest(__version__="1.0") + "print('ran')\n"


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    made = make_trees(tmp_path, monkeypatch)
    made.add("project", "greet", TOOL)
    write_lock(resolve_chain("greet", made.project))
    return made


def refused(trees: SpaceFolders, frozen: bool = False) -> str:
    with pytest.raises(LockError) as caught:
        run_tool("greet", trees.project, frozen=frozen)
    assert "'greet' is not run: " in str(caught.value)
    return "; ".join(caught.value.differences)


def test_what_is_as_it_was_locked_runs(trees: SpaceFolders) -> None:
    assert run_tool("greet", trees.project, frozen=True).data == "ran\n"


def test_a_lock_says_ids_spaces_versions_and_hashes(trees: SpaceFolders) -> None:
    said = json.loads(Path(lock_path("greet", str(trees.project))).read_text())
    assert [(each["item_id"], each["space"], each["version"], len(each["sha256"])) for each in said["chain"]] == [
        ("greet", "project", "1.0", 64),
        ("python_runtime", "system", "1.0.0", 64),
        ("subprocess", "system", "1.0.0", 64),
    ]


def test_an_edited_tool_is_refused(trees: SpaceFolders) -> None:
    trees.add("project", "greet", TOOL.replace("ran", "changed"))
    assert "'greet' (" in refused(trees)
    assert "has changed: SHA-256 " in refused(trees)
    write_lock(resolve_chain("greet", trees.project))
    assert run_tool("greet", trees.project).data == "changed\n"


def test_a_new_version_is_said(trees: SpaceFolders) -> None:
    trees.add("project", "greet", TOOL.replace("1.0", "1.1"))
    assert "has changed: version 1.0, now 1.1; SHA-256 " in refused(trees)


@pytest.mark.parametrize("element", ["python_runtime", "subprocess"])
def test_a_new_shadow_of_any_element_is_refused(trees: SpaceFolders, element: str) -> None:
    original = resolve_chain(element, trees.project).tool
    trees.add("project", element, original.data.decode())
    with pytest.raises(LockError) as caught:
        check_lock(resolve_chain("greet", trees.project))
    [difference] = caught.value.differences
    assert difference.startswith(f"'{element}' comes from the project space now (")
    assert difference.endswith("locked was the system one")


def test_a_tool_that_moved_to_another_space_is_refused(trees: SpaceFolders) -> None:
    (trees.tools("project") / "greet.py").unlink()
    trees.add("user", "greet", TOOL)
    assert refused(trees).startswith("'greet' comes from the user space now (")


def test_a_changed_runtime_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trees = make_trees(tmp_path, monkeypatch, own_system=True)
    trees.add("project", "greet")
    trees.add("system", "python_runtime", manifest("subprocess", "runtime"))
    trees.add("system", "subprocess", manifest(None, "primitive"))
    write_lock(resolve_chain("greet", trees.project))
    trees.add("system", "python_runtime", manifest("subprocess", "runtime", CONFIG={"timeout": 1}))
    with pytest.raises(LockError, match=r"'python_runtime' .* has changed"):
        check_lock(resolve_chain("greet", trees.project))


def test_another_chain_is_refused(trees: SpaceFolders) -> None:
    trees.add("project", "greet", manifest("bash_runtime"))
    assert refused(trees).startswith(
        "its chain is greet → bash_runtime → subprocess, locked was greet → python_runtime → subprocess"
    )


def test_a_lock_that_is_cut_short_anywhere_is_refused(trees: SpaceFolders) -> None:
    path = Path(lock_path("greet", str(trees.project)))
    whole = path.read_bytes().rstrip()
    chain = resolve_chain("greet", trees.project)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(LockError, match="cannot be used"):
            check_lock(chain)


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "{}",
        '{"format": 2, "item_id": "greet", "chain": []}',
        '{"format": 1, "item_id": "other", "chain": []}',
        '{"format": 1, "item_id": "greet", "chain": [], "more": 1}',
        "\udcff",
    ],
)
def test_a_damaged_lock_is_refused(trees: SpaceFolders, text: str) -> None:
    Path(lock_path("greet", str(trees.project))).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "cannot be used (" in refused(trees)


def test_every_flipped_character_of_a_lock_is_noticed(trees: SpaceFolders) -> None:
    path = Path(lock_path("greet", str(trees.project)))
    whole = path.read_text()
    chain = resolve_chain("greet", trees.project)
    for index, character in enumerate(whole):
        if not character.isspace():
            path.write_text(f"{whole[:index]}{'0' if character != '0' else '1'}{whole[index + 1 :]}")
            with pytest.raises(LockError):
                check_lock(chain)


def test_a_lock_that_leads_out_of_the_space_is_neither_read_nor_written(trees: SpaceFolders, tmp_path: Path) -> None:
    path = Path(lock_path("greet", str(trees.project)))
    outside = tmp_path / "outside.json"
    outside.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(outside)
    assert "cannot be used" in refused(trees)
    folder = path.parent
    path.unlink()
    folder.rmdir()
    folder.symlink_to(tmp_path)
    with pytest.raises(ToolNotWritten, match="outside"):
        write_lock(resolve_chain("greet", trees.project))


def test_frozen_refuses_what_is_not_locked(trees: SpaceFolders) -> None:
    os.remove(lock_path("greet", str(trees.project)))
    assert run_tool("greet", trees.project).success
    assert refused(trees, frozen=True) == "it is not locked"


def test_what_was_checked_is_what_runs(trees: SpaceFolders) -> None:
    chain: Chain = resolve_chain("greet", trees.project)
    trees.add("project", "greet", TOOL.replace("ran", "changed behind its back"))
    from keel.toolspaces import execute_chain

    assert execute_chain(chain).data == "ran\n"
