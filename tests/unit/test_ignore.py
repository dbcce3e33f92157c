"""Ignore files read by keel itself: the same answers as git's, which every case here is checked against."""

from __future__ import annotations

from pathlib import Path

import pytest

from keel.indexing.scan.ignore_patterns import rule_of
from tests.scanning import listed, repository, write

FILES = (
    *("a.py", "b.py", "#x.py", "!y.py", "c d.py", "k.py ", "[z].py", "1.py"),
    *("foo/a.py", "foo/bar/a.py", "foo/bar/keep.py", "foo/bar/foo/b.py"),
    *("a/b/c.py", "a/x/b/c.py", "a/b.py", "lib/a.py", "lib/sub/a.py", "lib/sub/b.py"),
)

SUFFIXES = (".py", ".py ")

CASES: dict[str, dict[str, str]] = {
    "a name anywhere": {".gitignore": "foo\na.py"},
    "folders only": {".gitignore": "foo/\na.py/"},
    "from the top": {".gitignore": "/a.py\n/foo/bar"},
    "a path": {".gitignore": "a/b\nlib/a.py"},
    "everything inside, with an exception": {".gitignore": "foo/*\n!foo/bar"},
    "everything below": {".gitignore": "foo/**\n!foo/bar/\n!foo/bar/keep.py"},
    "folders below": {".gitignore": "foo/**/"},
    "at any depth": {".gitignore": "**/bar\na/**/c.py"},
    "stars glued to a name": {".gitignore": "fo**/a.py\nl*b/**b.py"},
    "one letter, and sets": {".gitignore": "?.py\n!1.py\n[ab]/\nli[!x]/sub\n[[]z].py"},
    "classes and ranges": {".gitignore": "[[:digit:]].py\n[a-b].py\n[b-a].py\n[]].py"},
    "escapes": {".gitignore": "\\#x.py\n\\!y.py\n\\[z\\].py\nk.py\\ "},
    "comments, blanks and trailing spaces": {".gitignore": "# a.py\n\n   \na.py   \nk.py "},
    "broken lines": {".gitignore": "[ab\na.py\\\n[[:nope:]].py\n//\n!\n/\nb.py"},
    "windows line ends": {".gitignore": "a.py\r\nfoo/\r\n"},
    "a byte order mark": {".gitignore": "\ufeffa.py\nb.py"},
    "the last one wins": {".gitignore": "*.py\n!a.py\nlib/a.py\n!*/"},
    "deeper files win": {".gitignore": "*.py", "lib/.gitignore": "!a.py", "lib/sub/.gitignore": "!*\na.py"},
    "folders kept do not keep their files": {".gitignore": "a.py", "lib/.gitignore": "!*/"},
    "nothing below an ignored folder comes back": {".gitignore": "lib/", "lib/.gitignore": "!a.py"},
    "all but": {".gitignore": "/*\n!/lib\n!/.gitignore\n/lib/*\n!/lib/sub"},
}


@pytest.mark.parametrize("ignores", CASES.values(), ids=CASES.keys())
def test_keel_reads_ignore_files_as_git_does(tmp_path: Path, ignores: dict[str, str]) -> None:
    write(tmp_path, *FILES)
    for path, text in ignores.items():
        (tmp_path / path).write_bytes(text.encode())
    by_keel = listed(tmp_path, SUFFIXES)
    repository(tmp_path)
    assert by_keel == listed(tmp_path, SUFFIXES)
    assert len(by_keel) < len(FILES)


@pytest.mark.parametrize("line", ["", "   ", "# comment", "!", "/", "[ab", "a\\", "[[:nope:]]"])
def test_a_line_that_can_match_nothing_is_no_rule(line: str) -> None:
    assert rule_of(line) is None


def test_an_ignore_file_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    write(tmp_path, "a.py", ".gitignore/b.py", ".keelignore/c.py")
    assert listed(tmp_path) == [".gitignore/b.py", ".keelignore/c.py", "a.py"]


def test_names_that_are_not_utf8_can_be_ignored(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    for name in (b"caf\xe9.py", b"th\xe9.py"):
        (Path(str(tmp_path)) / name.decode("utf-8", "surrogateescape")).write_text("x = 1\n")
    (tmp_path / ".keelignore").write_bytes(b"caf\xe9.py\n")
    assert listed(tmp_path) == ["a.py", "th%E9.py"]
