"""Files of any name: each is in the graph, can be asked for, and is found again by `sync`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.bad_input.running import answer_of, ok

NAMES = {
    "space": b"with space.py",
    "newline": b"new\nline.py",
    "colon": b"a:b.py",
    "leading_colon": b":top.py",
    "tab": b"tab\there.py",
    "quotes": b"quo\"te's.py",
    "percent": b"per%41cent.py",
    "dash": b"--fresh.py",
    "hash": b"#comment.py",
    "glob": b"[star]*.py",
    "backslash": b"back\\slash.py",
    "not_utf8": b"not\xff\xfeutf8.py",
    "folder_not_utf8": b"fol\xffder/in\xffside.py",
    "script": "ünïcode.py".encode(),
    "escape": b"\x1b[31mred.py",
    "folder_like_file": b"folder.py/inside.py",
    "case_lower": b"case.py",
    "case_upper": b"CASE.py",
}


@pytest.mark.parametrize("under_git", [True, False])
def test_every_name_is_found(tmp_path: Path, under_git: bool) -> None:
    for name, path in NAMES.items():
        _write(tmp_path, path, f"def {name}(): ...\n")
    if under_git:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        subprocess.run(["git", "add", "--all"], cwd=tmp_path, check=True)
    mapped = answer_of(tmp_path, "map")
    assert (mapped["files"], mapped["nodes"]["function"], mapped["broken"]) == (len(NAMES), len(NAMES), [])
    for name in ("newline", "not_utf8", "folder_not_utf8", "colon", "case_upper"):
        found = answer_of(tmp_path, "where", name)
        assert answer_of(tmp_path, "where", found["id"])["id"] == found["id"]
        assert answer_of(tmp_path, "where", f"{found['path']}:1")["qualified_name"] == name
        _write(tmp_path, NAMES[name], f"def {name}_2(): ...\n")
    assert answer_of(tmp_path, "sync")["changed"] == 5
    ok(tmp_path, "where", "not_utf8_2")


def test_a_path_is_asked_for_as_it_is_typed(tmp_path: Path) -> None:
    _write(tmp_path, NAMES["not_utf8"], "def inside(): ...\n")
    ok(tmp_path, "map")
    assert ok(tmp_path, "where", os.fsdecode(NAMES["not_utf8"])).startswith("not%FF%FEutf8.py:1  file ")


def test_a_path_too_long_for_the_system_is_told(tmp_path: Path) -> None:
    (tmp_path / "near.py").write_text("def near(): ...\n", encoding="utf-8")
    before = os.open(".", os.O_RDONLY)
    try:
        os.chdir(tmp_path)
        for _ in range(25):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        Path("far.py").write_text("def far(): ...\n", encoding="utf-8")
    finally:
        os.fchdir(before)
        os.close(before)
    mapped = answer_of(tmp_path, "map")
    assert mapped["files"] == 1
    [barred] = mapped["unreadable"]
    assert barred.startswith(f"{tmp_path.name}/{'d' * 200}/")
    assert answer_of(tmp_path, "sync")["unreadable"] == [barred]


def _write(folder: Path, path: bytes, text: str) -> None:
    file = os.path.join(os.fsencode(folder), path)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)
