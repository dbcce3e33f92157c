"""Whatever a file holds, `map` ends well, names what it could not read, and reads the files beside it.

What exactly is read of broken text is in `tests/spec/python/facts`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.bad_input.running import answer_of, names_in, ok


class Text(NamedTuple):
    """What a file holds, which name is found in it, and whether it is told to be broken."""

    data: bytes
    found: str = ""
    broken: bool = False


AFTER = b"\ndef after(): ...\n"
DEEP = 5000
TEXTS = {
    "declared_latin": Text("# coding: latin-1\ndef größe(): ...\n".encode("latin-1"), "größe"),
    "declared_gbk": Text("# -*- coding: gbk -*-\ndef 名字(): ...\n".encode("gbk"), "名字"),
    "declared_unknown": Text(b"# coding: klingon\ndef unknown_coding(): ...\n", "unknown_coding"),
    "declared_no_text": Text(b"# coding: rot13\ndef no_text_coding(): ...\n"),
    "bom": Text(b"\xef\xbb\xbfdef marked(): ...\n", "marked"),
    "not_utf8": Text(b"def one(): ...\nx = '\xff\xfe'\ndef not_utf8(): ...\n", "not_utf8"),
    "utf16": Text("def wide(): ...\n".encode("utf-16"), broken=True),
    "nul": Text(b"def before_nul(): ...\n\0\0" + AFTER, "before_nul", broken=True),
    "empty": Text(b""),
    "blank": Text(b"\n\n\t\n"),
    "carriage_returns": Text(b"def mac(): ...\rdef classic(): ...\r", "classic"),
    "long_text": Text(b"x = '" + b"a" * 1_000_000 + b"'\ndef long_text(): ...\n", "long_text"),
    "long_list": Text(b"x = [" + b"1," * 500_000 + b"]\ndef long_list(): ...\n", "long_list"),
    "deep_brackets": Text(b"x = " + b"(" * DEEP + b")" * DEEP + b"\ndef deep_brackets(): ...\n", "deep_brackets", True),
    "deep_calls": Text(b"x = a" + b".b()" * DEEP + b"\ndef deep_calls(): ...\n", "deep_calls", True),
    "deep_blocks": Text(b"".join(b" " * n + b"if x:\n" for n in range(1500)) + b" " * 1500 + b"pass\n", broken=True),
    "syntax": Text(b"def sound(): ...\ndef (:\n", "sound", broken=True),
    "unclosed": Text(b"def before_bracket(): ...\nx = f(1,\n", "before_bracket", broken=True),
    "python2": Text(b"print 'hello'\ndef old(): ...\n", "old"),
    "own_base": Text(b"class Own(Own):\n    def m(self): return self.n()\n", "Own.m"),
    "ring_of_bases": Text(b"class P(Q):\n    def m(self): return self.n()\nclass Q(P): ...\n", "P.m"),
    "all_garbage": Text(b"__all__ = [1, None, *x, 'a', b'c'] + f()\n__all__ += 3\ndef listed(): ...\n", "listed"),
    "all_of_itself": Text(b"__all__ = __all__\n__all__.extend(__all__)\n__all__ = 'abc'\ndef own(): ...\n", "own"),
}


class Mapped(NamedTuple):
    """A workspace of all these files, the answer of its map, and all names in its graph."""

    folder: Path
    answer: Any
    names: set[str]


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Mapped:
    folder = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        (folder / f"{name}.py").write_bytes(text.data)
    (folder / "sound_file.py").write_text("def beside(): ...\n", encoding="utf-8")
    with (folder / "huge.py").open("wb") as file:
        file.truncate(60_000_000)
    return Mapped(folder, answer_of(folder, "map"), names_in(folder))


def test_every_file_but_the_huge_one_is_in_the_graph(mapped: Mapped) -> None:
    assert mapped.answer["files"] == len(TEXTS) + 1
    assert (mapped.answer["unreadable"], mapped.answer["lost"]) == ([], [])
    assert "beside" in mapped.names


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if text.found])
def test_what_can_be_read_is_read(mapped: Mapped, name: str) -> None:
    assert TEXTS[name].found in mapped.names


def test_broken_files_are_named(mapped: Mapped) -> None:
    named = {Path(name).stem for name in mapped.answer["broken"]}
    assert named == {name for name, text in TEXTS.items() if text.broken}


def test_a_huge_file_is_counted_and_not_read(mapped: Mapped) -> None:
    assert answer_of(mapped.folder, "status")["not_read"] == {"large": {".py": 1}}


def test_nothing_of_it_keeps_a_sync_busy(mapped: Mapped) -> None:
    assert answer_of(mapped.folder, "sync")["outcome"] == "up to date"


def test_imports_in_rings_end(tmp_path: Path) -> None:
    files = {
        "a.py": "from b import *\nx()\n",
        "b.py": "from c import *\nfrom b import x\n",
        "c.py": "from a import *\nfrom c import *\n",
        "d.py": "import e\nfrom e import d\nd.e.d.f()\n",
        "e.py": "import d\nfrom d import e\n",
        "p/__init__.py": "from . import *\nfrom .p import p\nfrom .. import p\nfrom ..... import q\n",
        "p/p.py": "from p import p\np.p.p()\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert answer_of(tmp_path, "map")["files"] == len(files)
    assert ok(tmp_path, "export")
