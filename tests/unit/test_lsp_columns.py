"""Columns are right in every encoding a server may count in, and paths are right as URIs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keel.resolvers.lsp.columns import FILES_KEPT, OFFERED, Columns
from keel.resolvers.lsp.uris import path_of, uri_of

LINE = "aé€\U0001f600f()"  # letters of one, two, three and four bytes


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [("utf-8", [0, 1, 3, 6, 10, 11]), ("utf-16", [0, 1, 2, 3, 5, 6]), ("utf-32", [0, 1, 2, 3, 4, 5])],
)
def test_columns_go_there_and_back(encoding: str, columns: list[int], tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(f"first\r\n{LINE}\n", encoding="utf-8", newline="")
    ours = [len(LINE[:at].encode()) + 1 for at in range(6)]
    one = Columns(encoding)
    assert [one.to_server(str(file), 2, column) for column in ours] == columns
    assert [one.from_server(str(file), 2, column) for column in columns] == ours


def test_utf_8_is_preferred() -> None:
    assert OFFERED[0] == "utf-8"


def test_beyond_a_line_or_a_file_nothing_breaks(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"ab\xff\n")
    one = Columns("utf-16")
    assert one.from_server(str(file), 1, 99) == len("ab\ufffd".encode()) + 1
    assert one.from_server(str(file), 9, 3) == 1
    assert one.to_server(str(tmp_path / "none.py"), 1, 5) == 0
    assert one.to_server("a\0b", 1, 5) == 0


def test_only_a_few_files_are_kept(tmp_path: Path) -> None:
    one = Columns("utf-16")
    for number in range(FILES_KEPT + 5):
        one.to_server(str(tmp_path / str(number)), 1, 1)
    assert len(one._files) == FILES_KEPT


@pytest.mark.parametrize("name", ["a.py", "with blank#?%20.py", "ü€.py", os.fsdecode(b"\xff\xfe.py"), "a:b.py"])
def test_paths_survive_as_uris(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    assert path_of(uri_of(path)) == path
    assert uri_of(path).isascii()


def test_the_uris_of_others_are_understood() -> None:
    assert path_of("file:///a/b%20c.py") == "/a/b c.py"
    assert path_of("file:///a/ü.py") == "/a/ü.py"
    assert path_of("file://localhost/a.py") == "/a.py"
    assert path_of("untitled:a") is None
    assert path_of("file://relative") is None
