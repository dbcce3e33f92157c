"""`.keel` and what is in it, in any state: used where it can be, told where not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bad_input.running import ok, refused
from tests.workspaces import MakeWorkspace


@pytest.fixture
def folder(workspace: MakeWorkspace) -> Path:
    return workspace({"a.py": "def f(): ...\n"}, "project")


@pytest.mark.parametrize("kind", ["file", "dangling link", "link to itself"])
def test_something_else_of_that_name_is_in_the_way(folder: Path, kind: str) -> None:
    if kind == "file":
        (folder / ".keel").write_text("mine\n", encoding="utf-8")
    else:
        (folder / ".keel").symlink_to("nowhere" if kind == "dangling link" else ".keel")
    for verb in ("map", "sync"):
        assert f"{folder}/.keel" in refused(folder, verb)
    if kind == "file":
        assert refused(folder, "map") == f"{folder}/.keel is in the way: keel needs a folder of that name"
        assert (folder / ".keel").read_text(encoding="utf-8") == "mine\n"


def test_a_link_to_a_folder_is_followed(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "elsewhere"
    kept.mkdir()
    (folder / ".keel").symlink_to(kept)
    ok(folder, "map")
    assert ok(folder, "where", "f").startswith("a.py:1  ")
    assert (kept / "graph.db").is_file()


def test_a_folder_in_the_place_of_the_graph_is_told(folder: Path) -> None:
    (folder / ".keel/graph.db").mkdir(parents=True)
    for words in (("map",), ("map", "--fresh"), ("sync",), ("where", "f"), ("status",), ("stats",)):
        assert "it is a folder" in refused(folder, *words)


def test_the_notes_beside_the_graph_can_go_at_any_time(folder: Path) -> None:
    ok(folder, "map")
    (folder / ".keel/.gitignore").unlink()
    ok(folder, "sync")
    assert (folder / ".keel/.gitignore").is_file()
