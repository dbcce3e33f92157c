"""SCIP indexes: what is answered from them, and from those that are old, wrong, broken or elsewhere.

What they promise like everybody who can be asked is in `tests/contract/test_definitions.py`.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel.errors import HelperError
from keel.languages.python.syntax import SYNTAX
from keel.ports.definitions import Answer, Position
from keel.resolvers.scip.index import Index
from keel.resolvers.scip.resolver import ScipResolver
from keel.resolvers.scip.wire import NotWire, fields
from tests.scip_writer import Mark, index, indexed, symbol
from tests.workspaces import MakeWorkspace

REAL = Path(__file__).parent / "scip" / "shop.scip"
"""Written by scip-python 0.6.6 of the files below, in another folder."""

SHOP = {
    "shop/__init__.py": "from .goods import *\nfrom .goods import Item as Ware\n",
    "shop/goods.py": (
        "class Item:\n    def __init__(self, name: str) -> None:\n        self.name = name\n\n"
        "    def cost(self) -> int:\n        return 1\n\n\n"
        "class Gift(Item):\n    def cost(self) -> int:\n        return 0\n\n\n"
        "def stock() -> list[Item]:\n    return []\n"
    ),
    "till.py": (
        "import shop\nfrom shop.goods import Gift, Item as Thing, stock\n\n\n"
        "def total(item: Thing) -> int:\n"
        "    sign = '\U0001f600'; price = item.cost()\n"
        "    return price + sum(one.cost() for one in stock())\n\n\n"
        "def sell() -> int:\n    return total(Thing('a')) + total(shop.Gift('b')) + Gift('c').cost()\n"
    ),
}


def at(folder: Path, path: str, text: str) -> Position:
    """Where a text is first."""
    content = (folder / path).read_bytes()
    before = content[: content.index(text.encode())]
    return Position(str(folder / path), before.count(b"\n") + 1, len(before) - before.rfind(b"\n"))


def resolver_of(folder: Path, indexes: tuple[str, ...]) -> ScipResolver:
    paths = [str(folder / one) for one in indexes or ("index.scip",)]
    return ScipResolver(paths, constructors=SYNTAX.constructors)


def ask(folder: Path, path: str, text: str, *indexes: str) -> list[str]:
    """The definitions of a name, as path and line; what cannot be answered is an error here."""
    with resolver_of(folder, indexes) as resolver:
        [(_, answer)] = resolver.ask([at(folder, path, text)])
        if answer is None:
            raise AssertionError(resolver.trouble)
        return [f"{Path(one.path).relative_to(folder)}:{one.line}" for one in answer]


def trouble(folder: Path, path: str = "till.py", *indexes: str) -> tuple[Answer, str]:
    """What is answered to a question about the first letter of a file, and what is told."""
    with resolver_of(folder, indexes) as resolver:
        [(_, answer)] = resolver.ask([Position(str(folder / path), 1, 1)])
        return answer, str(resolver.trouble or "")


@pytest.fixture
def shop(workspace: MakeWorkspace) -> Path:
    folder = workspace(SHOP)
    shutil.copy(REAL, folder / "index.scip")
    return folder


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("till.py", "Gift, Item", ["shop/goods.py:9"]),
        ("till.py", "Item as Thing", ["shop/goods.py:1"]),
        ("till.py", "Thing('a')", ["shop/goods.py:1"]),  # by another name than the symbol's
        ("till.py", "cost()\n", ["shop/goods.py:5"]),  # behind a letter that UTF-16 counts twice
        ("till.py", "Gift('b')", ["shop/goods.py:9"]),
        ("till.py", "total(Thing", ["till.py:5"]),
        ("till.py", "sum(", []),
        ("till.py", "price + sum", ["till.py:6"]),  # a local one
        ("till.py", "shop\n", ["shop/__init__.py:1"]),  # a module
        ("shop/goods.py", "Item):", ["shop/goods.py:1"]),
    ],
)
def test_an_index_of_a_real_indexer_is_read(shop: Path, path: str, text: str, expected: list[str]) -> None:
    assert ask(shop, path, text) == expected
    assert trouble(shop) == ((), "")


# files that go on


def test_a_file_that_has_changed_is_left_out_and_the_others_are_used(shop: Path) -> None:
    goods = shop / "shop/goods.py"
    goods.write_text("# first\n" + goods.read_text(encoding="utf-8"), encoding="utf-8")
    assert ask(shop, "till.py", "total(Thing") == ["till.py:5"]
    assert ask(shop, "till.py", "Gift('b')") == [], "a definition in a file that has changed"
    answer, told = trouble(shop, "shop/goods.py")
    assert answer == ()
    assert told == (
        "scip index is left out for 1 file of 1: changed since it was made; make the index again and run `keel map`"
    )


def test_where_lines_have_moved_a_name_that_fits_by_chance_is_not_used(workspace: MakeWorkspace) -> None:
    text = "class A:\n    def close(self): ...\n\n\nclass B:\n    def close(self): ...\n\n\na = A()\nb = B()\n"
    folder = workspace({"m.py": text + "a.close()\nb.close()\nprint(a, b)\n"})
    close = ["test python p 1 `m`/A#close().", "test python p 1 `m`/B#close()."]
    marks = [Mark((1, 8, 13), close[0], True), Mark((5, 8, 13), close[1], True), Mark((12, 9, 10), "local 1")]
    marks += [Mark((10, 2, 7), close[0]), Mark((11, 2, 7), close[1])]
    (folder / "index.scip").write_bytes(index({"m.py": marks}))
    assert ask(folder, "m.py", "close()\nprint") == ["m.py:6"]
    (folder / "m.py").write_text(text + "\na.close()\nb.close()\nprint(a, b)\n", encoding="utf-8")
    assert ask(folder, "m.py", "close()\nb") == []


def test_what_an_indexer_names_wrongly_is_not_used(workspace: MakeWorkspace) -> None:
    folder = workspace({"m.py": "def f(): ...\ndef g(): ...\nf()\ng()\n"})
    f = symbol("m.py", "f")
    marks = [Mark((0, 4, 5), f, True), Mark((2, 0, 1), f), Mark((3, 0, 1), f)]
    (folder / "index.scip").write_bytes(index({"m.py": marks}))
    assert ask(folder, "m.py", "f()\n") == ["m.py:1"]
    assert ask(folder, "m.py", "g()\n") == []
    assert trouble(folder, "m.py")[1] == "", "it is no sign of an old index"


def test_what_an_edit_touches_is_not_told_again_and_again(shop: Path) -> None:
    (shop / "till.py").write_text("\n" + SHOP["till.py"], encoding="utf-8")
    with ScipResolver([str(shop / "index.scip")], tells_stale=False) as resolver:
        assert [answer for _, answer in resolver.ask([at(shop, "till.py", "total(Thing")])] == [()]
        assert resolver.trouble is None


# where files are


def test_an_index_is_found_its_files_from_the_workspace_folder_too(shop: Path, tmp_path: Path) -> None:
    (shop / "made").mkdir()
    (shop / "index.scip").rename(shop / "made/index.scip")
    question = at(shop, "till.py", "Gift('b')")
    for folders, found in (([], 0), ([str(tmp_path / "none"), str(shop)], 1)):
        with ScipResolver([str(shop / "made/index.scip")], folders) as resolver:
            assert [len(answer or ()) for _, answer in resolver.ask([question])] == [found]


def test_several_indexes_are_one(workspace: MakeWorkspace) -> None:
    folder = workspace({"a/lib.py": "def f(): ...\n", "b/use.py": "from lib import f\nf()\n"})
    f = symbol("lib.py", "f")
    (folder / "a/index.scip").write_bytes(index({"lib.py": [Mark((0, 4, 5), f, True)]}))
    (folder / "b/index.scip").write_bytes(index({"use.py": [Mark((1, 0, 1), f)]}))
    assert ask(folder, "b/use.py", "f()", "a/index.scip", "b/index.scip") == ["a/lib.py:1"]


def test_one_that_is_missing_costs_its_own_answers(shop: Path) -> None:
    assert ask(shop, "till.py", "total(Thing", "none.scip", "index.scip") == ["till.py:5"]
    assert "none.scip was not found" in trouble(shop, "till.py", "none.scip", "index.scip")[1]


@pytest.mark.parametrize("path", ["pkg\\m.py", "./pkg/m.py", "pkg//../pkg/m.py", "link/m.py"])
def test_paths_are_written_in_many_ways(workspace: MakeWorkspace, path: str) -> None:
    folder = workspace({"pkg/m.py": "def f(): ...\nf()\n"})
    (folder / "link").symlink_to(folder / "pkg")
    f = symbol("m.py", "f")
    (folder / "index.scip").write_bytes(index({path: [Mark((0, 4, 5), f, True), Mark((1, 0, 1), f)]}))
    assert ask(folder, "pkg/m.py", "f()\n") == ["pkg/m.py:1"]


@pytest.mark.parametrize("path", ["", "gone.py", "../../../outside.py", "a\0b", "/", "."])
def test_documents_without_a_file_are_no_trouble(workspace: MakeWorkspace, path: str) -> None:
    folder = workspace({"m.py": "def f(): ...\nf()\n"})
    f = symbol("m.py", "f")
    marks: Mapping[str, list[Mark]] = {path: [Mark((0, 4, 5), f, True)], "m.py": [Mark((1, 0, 1), f)]}
    (folder / "index.scip").write_bytes(index(marks))
    assert ask(folder, "m.py", "f()\n") == []


def test_places_beyond_the_file_are_those_of_an_old_index(workspace: MakeWorkspace) -> None:
    folder = workspace({"m.py": "def f(): ...\n"})
    for place in ((7, 0, 1), (0, 4, 500), (0, 5, 4), (0, 0, 3, 1), (2**31 - 1, 0, 1)):
        (folder / "index.scip").write_bytes(index({"m.py": [Mark(place, symbol("m.py", "f"), True)]}))
        assert "1 file of 1" in trouble(folder, "m.py")[1], place


# what is no index


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "holds no documents"),
        (b"hello, world\n", "is no SCIP index"),
        (b"\x12\xff\xff\xff\xff\x0f", "something of 4294967295 bytes begins, and 0 are left"),
        (b"\x12" + b"\xff" * 20, "a number begins that has no end"),
        (b"\x17", "a field of an unknown wire type"),
        (b"\x0d\x00", "a number begins that is cut off"),
        (b'{"documents": []}', "is no SCIP index"),
    ],
)
def test_what_is_no_index_is_told_with_its_path(workspace: MakeWorkspace, content: bytes, problem: str) -> None:
    folder = workspace({"till.py": ""})
    (folder / "index.scip").write_bytes(content)
    answer, told = trouble(folder)
    assert answer is None
    assert told.startswith(f"SCIP index {folder / 'index.scip'} ")
    assert problem in told
    assert "[resolution.tier3]" in told


def test_what_cannot_be_read_is_told(workspace: MakeWorkspace) -> None:
    folder = workspace({"till.py": ""})
    (folder / "index.scip").mkdir()
    assert "cannot be read: Is a directory" in trouble(folder)[1]


@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_index_is_refused_or_answers(shop: Path, seed: int) -> None:
    """Cut off, or with bytes changed: an error that is told, or answers; nothing else."""
    fate = random.Random(seed)
    data = bytearray(REAL.read_bytes())
    if seed % 2:
        del data[fate.randrange(len(data)) :]
    for _ in range(seed % 7):
        data[fate.randrange(len(data))] = fate.randrange(256)
    (shop / "index.scip").write_bytes(data)
    with ScipResolver([str(shop / "index.scip")]) as resolver:
        answers = list(resolver.ask([at(shop, "till.py", "total(Thing"), at(shop, "till.py", "cost()\n")]))
        assert [position.line for position, _ in answers] == [11, 6]
        assert resolver.trouble is None or isinstance(resolver.trouble, HelperError)


@given(st.binary(max_size=200))
def test_bytes_are_messages_or_refused(data: bytes) -> None:
    try:
        found = list(fields(data, 0, len(data)))
        Index(data)
    except NotWire:
        return
    assert all(isinstance(value, int) or 0 <= value[0] <= value[1] <= len(data) for _, value in found)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_are_counted_as_the_document_says(workspace: MakeWorkspace, encoding: str) -> None:
    folder = workspace({"m.py": "'\U0001f600é€'; \ndef f(): ...\nx = '\U0001f600é€'; f()\n"})
    (folder / "index.scip").write_bytes(indexed(folder, encoding))
    assert ask(folder, "m.py", "f()\n") == ["m.py:2"]
