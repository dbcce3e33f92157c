"""The log: a line for each command, bounded, whole when several write, and never in the way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.errors import GraphMissing
from keel.surfaces.cli import log
from tests.workspaces import PATIENCE, MakeWorkspace, run_keel


@pytest.fixture
def opened(workspace: MakeWorkspace) -> Workspace:
    """A workspace that keel keeps things in."""
    folder = workspace({"sub/a.py": "x = 1\n"}, "app")
    found = open_workspace(str(folder / "sub"), str(folder))
    found.prepare()
    Path(found.own_path("graph.db")).touch()
    return found


def text_of(workspace: Workspace, name: str = "log") -> str:
    """What is in the log."""
    return Path(workspace.own_path(name)).read_text(encoding="utf-8")


def test_a_line_says_when_which_how_and_what(opened: Workspace) -> None:
    assert log.note(opened, ["where", "a b", "it's", "", "x\ny"], 1, 0.0123) == opened.own_path("log")
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ keel \S+ \[\d+\] exit 1 0\.012 s in sub: "
        r"where 'a b' \"it's\" '' 'x\\ny'\n",
        text_of(opened),
    )


def test_what_went_wrong_is_below_it(opened: Workspace) -> None:
    log.note(opened, ["where"], 2, 0.1, GraphMissing("g.db"))
    log.note(opened, ["where"], 130, 0.1, KeyboardInterrupt())
    try:
        raise ValueError("a surprise")
    except ValueError as error:
        log.note(opened, ["where"], 2, 0.1, error)
    said = text_of(opened).splitlines()
    assert said[1] == "    GraphMissing: no graph at g.db; run `keel map` first"
    assert said[3] == "    KeyboardInterrupt"
    assert said[5] == "    Traceback (most recent call last):"
    assert said[-1] == "    ValueError: a surprise"


def test_huge_words_and_bytes_that_are_no_text_are_kept_short_and_readable(opened: Workspace) -> None:
    log.note(opened, ["x" * 1_000_000, "\udcff"], 0, 0.1)
    log.note(opened, ["\udcff"], 0, 0.1)
    first, second = text_of(opened).splitlines()
    assert len(first) < 1200
    assert second.endswith(r": '\udcff'")


def test_nothing_is_written_where_keel_keeps_nothing(workspace: MakeWorkspace) -> None:
    folder = workspace({"a.py": "x = 1\n"}, "plain")
    assert log.note(open_workspace(str(folder)), ["where"], 2, 0.1) == ""
    assert not (folder / ".keel").exists()
    (folder / ".keel").mkdir()
    (folder / ".keel/config.toml").write_text("schema_version = 1\n", encoding="utf-8")
    assert log.note(open_workspace(str(folder)), ["where"], 2, 0.1) == ""
    assert os.listdir(folder / ".keel") == ["config.toml"]


def test_it_is_bounded(opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_BYTES", 2000)
    for number in range(200):
        log.note(opened, [f"n{number:03}"], 0, 0.1)
    kept = text_of(opened, "log.1") + text_of(opened)
    assert len(kept) < 2 * 2200
    assert sorted(os.listdir(os.path.dirname(opened.own_path("log")))) == [".gitignore", "graph.db", "log", "log.1"]
    numbers = re.findall(r"n(\d{3})$", kept, re.MULTILINE)
    assert numbers == [f"{number:03}" for number in range(200 - len(numbers), 200)]


WRITER = """
import sys
from keel.bootstrap import open_workspace
from keel.surfaces.cli import log
log.MAX_BYTES = 20_000
opened = open_workspace(sys.argv[1])
for number in range(300):
    log.note(opened, [sys.argv[2], str(number)], 0, 0.1)
"""


def test_several_processes_write_whole_lines(opened: Workspace) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, opened.folder, f"w{number}"]) for number in range(4)]
    assert [writer.wait(timeout=PATIENCE) for writer in writers] == [0, 0, 0, 0]
    for name in ("log", "log.1"):
        for line in text_of(opened, name).splitlines():
            assert re.search(r"^\d{4}-.* in \.: w\d \d+$", line), line


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="needs POSIX")
def test_a_link_that_came_with_a_repository_is_not_followed(opened: Workspace, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    os.symlink(victim, opened.own_path("log"))
    assert log.note(opened, ["where"], 0, 0.1) == ""
    assert victim.read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
@pytest.mark.parametrize("make", [os.mkdir, getattr(os, "mkfifo", None)], ids=["folder", "pipe"])
def test_what_cannot_be_written_is_not(opened: Workspace, make: object) -> None:
    assert callable(make)
    make(opened.own_path("log"))
    assert log.note(opened, ["where"], 0, 0.1) == ""
    assert run_keel(["map"], cwd=Path(opened.folder)).returncode == 0


def test_commands_are_logged_and_help_is_not(opened: Workspace) -> None:
    folder = Path(opened.folder)
    for words in (["map"], ["where", "nothing"], ["--help"], ["where", "--help"], ["completion", "bash"], ["nope"]):
        run_keel(words, cwd=folder)
    lines = [line for line in text_of(opened).splitlines() if not line.startswith(" ")]
    assert [line.partition("] ")[2].split(" ")[1] for line in lines] == ["0", "1"]
    assert [line.partition(" in .: ")[2] for line in lines] == ["map", "where nothing"]


@pytest.mark.parametrize("here", [".", "sub"])
def test_a_folder_of_the_workspace_is_told_from_there(opened: Workspace, here: str) -> None:
    opened.here = os.path.normpath(os.path.join(opened.folder, here))
    log.note(opened, ["where", "f"], 0, 0.1)
    assert f" in {here}: where f" in text_of(opened)


@pytest.mark.parametrize("here", ["..", "../app2"])
def test_a_folder_outside_the_workspace_is_told_whole(opened: Workspace, here: str) -> None:
    opened.here = os.path.normpath(os.path.join(opened.folder, here))
    log.note(opened, ["where", "f"], 0, 0.1)
    assert f" in {opened.here}: where f" in text_of(opened)
