"""Where a tool is found: what counts as being there, what is refused, and what it shadows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keel.errors import ToolError, ToolIdError, ToolOutside, ToolTwice, ToolUnreadable
from keel.toolspaces import resolve_chain, resolve_tool
from keel.toolspaces.listing import ids_of
from keel.toolspaces.overview import entries
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.spaces import spaces_of
from tests.toolspaces import SpaceFolders, make_trees, manifest


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    return make_trees(tmp_path, monkeypatch)


def test_what_is_shadowed_is_told_the_next_in_line_first(trees: SpaceFolders) -> None:
    user = trees.add("user", "subprocess")
    trees.add("project", "subprocess")
    found = find_tool("subprocess", spaces_of(trees.project))
    assert [space for space, _ in found.shadows] == ["user", "system"]
    assert found.shadows[0][1] == str(user)


def test_ids_are_paths_below_the_tools_folder(trees: SpaceFolders) -> None:
    path = trees.add("project", "deploy/staging.eu/up_2-x")
    assert resolve_tool("deploy/staging.eu/up_2-x", trees.project) == (str(path), "project")
    assert ids_of(spaces_of(trees.project)[0]) == ["deploy/staging.eu/up_2-x"]


@pytest.mark.parametrize(
    ("item_id", "problem"),
    [
        ("", "it is empty"),
        ("/etc/passwd", "it is an absolute path"),
        ("a//b", "one of its segments is empty"),
        ("a/", "one of its segments is empty"),
        (".", "begins with a dot"),
        ("..", "begins with a dot"),
        ("a/../b", "its segment '..' begins with a dot"),
        (".hidden", "begins with a dot"),
        ("a\\b", "backslash"),
        ("a\0b", "NUL"),
        ("git\n", "it holds other characters"),
        ("git log", "it holds other characters"),
        ("gít", "it holds other characters"),
        ("a" * 201, "longer than 200"),
        (None, "it is no text, but NoneType"),
        (b"git", "it is no text, but bytes"),
    ],
)
def test_what_is_no_id_is_refused_before_any_path_is_made(trees: SpaceFolders, item_id: str, problem: str) -> None:
    with pytest.raises(ToolIdError, match=r"is not a valid tool id") as caught:
        resolve_tool(item_id, trees.project)
    assert problem in caught.value.problem


def test_code_and_configuration_of_one_id_in_one_space_are_an_error_that_names_both(trees: SpaceFolders) -> None:
    path = trees.add("project", "git")
    path.with_suffix(".yaml").write_text("x: 1\n")
    with pytest.raises(ToolTwice) as caught:
        resolve_tool("git", trees.project)
    assert caught.value.paths == [str(path), str(path.with_suffix(".yaml"))]


def test_a_link_inside_of_the_space_is_followed(trees: SpaceFolders) -> None:
    path = trees.add("project", "git")
    (trees.tools("project") / "alias.py").symlink_to(path)
    assert resolve_chain("alias", trees.project).tool.space == "project"


@pytest.mark.parametrize("way", ["file", "folder", "tools"])
def test_a_link_that_leaves_the_space_is_refused(trees: SpaceFolders, way: str) -> None:
    outside = trees.project / "outside"
    outside.mkdir()
    (outside / "git.py").write_text(manifest())
    tools = trees.tools("project")
    if way == "file":
        tools.mkdir(parents=True)
        (tools / "git.py").symlink_to(outside / "git.py")
    elif way == "folder":
        tools.mkdir(parents=True)
        (tools / "sub").symlink_to(outside)
    else:
        tools.parent.mkdir(parents=True)
        tools.symlink_to(outside)
    item_id = "sub/git" if way == "folder" else "git"
    with pytest.raises(ToolOutside):
        resolve_chain(item_id, trees.project)
    listed = [entry for entry in entries(spaces_of(trees.project)) if entry.space == "project"]
    assert all(entry.manifest is None for entry in listed)


def test_what_cannot_be_read_hides_what_is_below_it_all_the_same(trees: SpaceFolders) -> None:
    tools = trees.tools("project")
    tools.mkdir(parents=True)
    (tools / "subprocess.py").symlink_to(tools / "nowhere")
    with pytest.raises(ToolUnreadable):
        resolve_chain("subprocess", trees.project)


def test_a_pipe_or_a_folder_is_not_read(trees: SpaceFolders) -> None:
    tools = trees.tools("project")
    (tools / "folder.py").mkdir(parents=True)
    os.mkfifo(tools / "pipe.py")
    (tools / "ring.py").symlink_to(tools / "ring.py")
    for item_id in ("folder", "pipe", "ring"):
        with pytest.raises(ToolError):
            resolve_chain(item_id, trees.project)


def test_a_space_that_is_a_link_itself_is_where_it_leads(trees: SpaceFolders, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles"
    (elsewhere / "tools").mkdir(parents=True)
    (elsewhere / "tools" / "git.py").write_text(manifest())
    (trees.user / ".ai").symlink_to(elsewhere)
    assert resolve_chain("git", trees.project).tool.space == "user"


def test_work_in_the_users_own_folder_is_one_space_not_two(trees: SpaceFolders) -> None:
    trees.add("user", "git")
    found = find_tool("git", spaces_of(trees.user))
    assert (found.space.name, found.shadows) == ("project", ())


def test_without_a_home_there_is_no_user_space() -> None:
    names = [space.name for space in spaces_of("/nowhere", {"HOME": "~nobody-of-that-name"})]
    assert names == ["project", "system"]


def test_modules_that_tools_use_are_not_listed_and_broken_tools_are(trees: SpaceFolders) -> None:
    trees.add("project", "git")
    trees.add("project", "parsing", "def parse(): ...\n")
    trees.add("project", "broken", "__tool_type__ = 'python'\n")
    listed = {entry.item_id: entry.problem for entry in entries(spaces_of(trees.project)) if entry.space == "project"}
    assert listed == {"broken": "__executor_id__ is missing", "git": ""}
