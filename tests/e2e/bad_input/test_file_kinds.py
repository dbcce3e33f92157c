"""What is no ordinary file although it is named like one: nothing waits for it, and nothing is read twice for it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import answer_of, ok, refused
from tests.workspaces import MakeWorkspace


@pytest.fixture
def folder(workspace: MakeWorkspace) -> Path:
    return workspace({"a.py": "def f(): ...\n", "pkg/b.py": "from a import f\nf()\n"}, "kinds")


def test_pipes_sockets_and_devices_are_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(folder / "pipe.py")
    os.mkfifo(folder / ".gitignore")
    monkeypatch.chdir(folder)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.py")
        if os.geteuid() == 0:
            os.mknod("device.py", 0o20666, os.makedev(1, 5))
        else:
            os.mkfifo("device.py")
        assert answer_of(folder, "map")["files"] == 2
        assert answer_of(folder, "status")["not_read"]["special"][".py"] == 3


def test_a_file_that_becomes_a_pipe_is_gone(folder: Path) -> None:
    ok(folder, "map")
    (folder / "a.py").unlink()
    os.mkfifo(folder / "a.py")
    assert "no symbol is called 'f'" in refused(folder, "where", "f", code=1)
    assert answer_of(folder, "status")["files"] == 1


def test_links_in_a_loop_do_not_resolve(folder: Path) -> None:
    (folder / "loop").symlink_to(".")
    (folder / "pkg/up").symlink_to("..")
    (folder / "one.py").symlink_to("two.py")
    (folder / "two.py").symlink_to("one.py")
    (folder / "self.py").symlink_to("self.py")
    (folder / "again.py").symlink_to("a.py")
    assert answer_of(folder, "map")["files"] == 2
    assert sum(answer_of(folder, "status")["not_read"]["link"].values()) == 6


def test_hard_links_are_two_files(folder: Path) -> None:
    os.link(folder / "a.py", folder / "c.py")
    assert answer_of(folder, "map")["nodes"]["function"] == 2
    (folder / "c.py").write_text("def g(): ...\n", encoding="utf-8")
    assert answer_of(folder, "sync")["changed"] == 2


def test_a_folder_named_like_a_file_is_a_folder(folder: Path) -> None:
    ok(folder, "map")
    (folder / "a.py").unlink()
    (folder / "a.py").mkdir()
    (folder / "a.py/inner.py").write_text("def inner(): ...\n", encoding="utf-8")
    synced = answer_of(folder, "sync")
    assert (synced["added"], synced["removed"]) == (1, 1)
    assert ok(folder, "where", "inner").startswith("a.py/inner.py:1  ")
