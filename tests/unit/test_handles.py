"""Symbol handles: each way of naming a symbol, which one wins, and what is said when none or several match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.errors import SymbolAmbiguous, SymbolNotFound, UsageError
from keel.graph.lookup.handles import SHOWN, Match, PathScope, find, find_all
from keel.graph.lookup.nearest import nearest_names
from keel.graph.naming import id_of
from keel.model.hashing import to_text
from keel.operations import map as map_operation
from keel.operations import resolve, sync
from keel.ports.store import GraphReader
from tests.workspaces import MakeWorkspace

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "import functools\n"
        "\n"
        "\n"
        "class Cart:\n"
        '    """Holds items."""\n'
        "\n"
        "    def total(self):\n"
        "        def add(a, b):\n"
        "            return a + b\n"
        "        return add(1, 2)\n"
        "\n"
        "    @functools.cache\n"
        "    def empty(self):\n"
        "        return True\n"
        "\n"
        "\n"
        "def total(cart):\n"
        "    return cart.total()\n"
    ),
    "shop/prices.py": "def total(prices):\n    return sum(prices)\n\n\ndef discount():\n    return 0\n",
    "tools/cart.py": "def load():\n    return 1\n",
}


@pytest.fixture
def shop(workspace: MakeWorkspace) -> Workspace:
    opened = open_workspace(str(workspace(FILES, "store")))
    map_operation.run(opened, map_operation.Params())
    return opened


@pytest.fixture
def graph(shop: Workspace) -> Iterator[GraphReader]:
    with shop.store.reading() as reader:
        yield reader


@pytest.fixture
def places(shop: Workspace) -> PathScope:
    return PathScope(shop.roots, shop.folder)


def told(match: Match) -> str:
    """The id, which says exactly which node it is."""
    return id_of(match.node, match.file)


@pytest.mark.parametrize(
    ("handle", "expected"),
    [
        ("sym:store:shop/cart.py:Cart.total", "sym:store:shop/cart.py:Cart.total"),
        ("file:store:shop/cart.py", "file:store:shop/cart.py"),
        ("Cart", "sym:store:shop/cart.py:Cart"),
        ("Cart.total", "sym:store:shop/cart.py:Cart.total"),
        ("empty", "sym:store:shop/cart.py:Cart.empty"),
        ("shop.cart.Cart.total", "sym:store:shop/cart.py:Cart.total"),
        ("shop.prices.total", "sym:store:shop/prices.py:total"),
        ("prices.total", "sym:store:shop/prices.py:total"),
        ("shop.cart", "sym:store:shop/cart.py:<module>"),
        ("shop/cart.py", "file:store:shop/cart.py"),
        ("./shop/cart.py", "file:store:shop/cart.py"),
        ("prices.py", "file:store:shop/prices.py"),
        ("shop/cart.py:8", "sym:store:shop/cart.py:Cart.total.add"),
        ("shop/cart.py:10", "sym:store:shop/cart.py:Cart.total"),
        ("shop/cart.py:12", "sym:store:shop/cart.py:Cart.empty"),
        ("shop/cart.py:5:3", "sym:store:shop/cart.py:Cart"),
        ("shop/cart.py:2", "sym:store:shop/cart.py:<module>"),
        (" discount ", "sym:store:shop/prices.py:discount"),
    ],
)
def test_a_handle_names_one_symbol(graph: GraphReader, places: PathScope, handle: str, expected: str) -> None:
    assert told(find(graph, handle, places)) == expected


def test_a_hash_names_its_symbol(graph: GraphReader, places: PathScope) -> None:
    named = find(graph, "discount", places)
    match = find(graph, to_text(named.node.hash), places)
    assert match == named
    assert not match.by_old_hash


def test_an_old_hash_still_names_its_symbol_and_is_told(shop: Workspace, places: PathScope) -> None:
    with shop.store.reading() as graph:
        before = to_text(find(graph, "discount", places).node.hash)
    prices = Path(shop.folder, "shop/prices.py")
    prices.write_text(prices.read_text(encoding="utf-8").replace("return 0", "return 1"), encoding="utf-8")
    sync.run(shop, sync.Params())
    with shop.store.reading() as graph:
        match = find(graph, before, places)
    assert told(match) == "sym:store:shop/prices.py:discount"
    assert match.by_old_hash
    assert to_text(match.node.hash) != before


def test_a_path_may_be_relative_to_the_folder_one_is_in(graph: GraphReader, shop: Workspace) -> None:
    inside = PathScope(shop.roots, str(Path(shop.folder, "tools")))
    assert told(find(graph, "cart.py", inside)) == "file:store:tools/cart.py"
    assert told(find(graph, "../shop/prices.py:5", inside)) == "sym:store:shop/prices.py:discount"
    assert told(find(graph, "shop/prices.py", inside)) == "file:store:shop/prices.py"


def test_an_absolute_path_names_its_file(graph: GraphReader, shop: Workspace, places: PathScope) -> None:
    absolute = str(Path(shop.folder, "shop/cart.py"))
    assert told(find(graph, absolute, places)) == "file:store:shop/cart.py"
    assert told(find(graph, f"{absolute}:17", places)) == "sym:store:shop/cart.py:total"


def test_several_matches_are_listed_and_none_is_chosen(graph: GraphReader, places: PathScope) -> None:
    with pytest.raises(SymbolAmbiguous) as caught:
        find(graph, "total", places)
    assert caught.value.total == 3
    assert [line.rpartition(" ")[0] for line in caught.value.candidates] == [
        "shop/cart.py:7  method Cart.total ",
        "shop/cart.py:17  function total ",
        "shop/prices.py:1  function total ",
    ]


def test_a_bare_name_matches_functions_and_methods_alike(workspace: MakeWorkspace) -> None:
    """A top-level definition is not silently preferred; with its module it can still be named."""
    source = "def route(): pass\n\n\nclass F:\n    def route(self): pass\n"
    opened = open_workspace(str(workspace({"app.py": source}, "bare")))
    map_operation.run(opened, map_operation.Params())
    places = PathScope(opened.roots, opened.folder)
    with opened.store.reading() as graph:
        with pytest.raises(SymbolAmbiguous) as caught:
            find(graph, "route", places)
        assert [line.rpartition(" ")[0] for line in caught.value.candidates] == [
            "app.py:1  function route ",
            "app.py:5  method F.route ",
        ]
        assert told(find(graph, "app.route", places)) == "sym:bare:app.py:route"
        assert told(find(graph, "F.route", places)) == "sym:bare:app.py:F.route"


def test_a_dotted_name_is_tried_whole_before_its_end(graph: GraphReader, places: PathScope) -> None:
    assert [told(match) for match in find_all(graph, "shop.cart.total", places)] == ["sym:store:shop/cart.py:total"]


def test_which_of_several_of_one_name_can_be_said(workspace: MakeWorkspace) -> None:
    source = "if True:\n    def f(): return 1\nelse:\n    def f(): return 2\n"
    opened = open_workspace(str(workspace({"a.py": source}, "twice")))
    map_operation.run(opened, map_operation.Params())
    places = PathScope(opened.roots, opened.folder)
    with opened.store.reading() as graph:
        assert len(find_all(graph, "f", places)) == 2
        assert told(find(graph, "f#2", places)) == "sym:twice:a.py:f#2"
        assert told(find(graph, "sym:twice:a.py:f#2", places)) == "sym:twice:a.py:f#2"
        assert told(find(graph, "sym:twice:a.py:f", places)) == "sym:twice:a.py:f"


SHAPES = """\
from typing import overload


@overload
def area(side: int) -> int: ...
@overload
def area(side: str) -> str: ...
def area(side): return side


class Square:
    @property
    def side(self): return 1
    @side.setter
    def side(self, value): pass
    @side.deleter
    def side(self): pass


class Circle:
    @overload
    def grow(self, by: int) -> int: ...
    @overload
    def grow(self, by: str) -> str: ...
"""


def test_a_name_means_the_definition_and_not_its_overloads_or_accessors(workspace: MakeWorkspace) -> None:
    opened = open_workspace(str(workspace({"pkg/__init__.py": "", "pkg/shapes.py": SHAPES}, "over")))
    map_operation.run(opened, map_operation.Params())
    places = PathScope(opened.roots, opened.folder)
    with opened.store.reading() as graph:
        for handle in ("area", "shapes.area", "pkg.shapes.area"):
            assert told(find(graph, handle, places)) == "sym:over:pkg/shapes.py:area#3"
        for handle in ("side", "Square.side", "shapes.Square.side"):
            assert told(find(graph, handle, places)) == "sym:over:pkg/shapes.py:Square.side"
        assert told(find(graph, "area#2", places)) == "sym:over:pkg/shapes.py:area#2"
        assert told(find(graph, "Square.side#3", places)) == "sym:over:pkg/shapes.py:Square.side#3"
        # Where nothing but overloads is there, none of them is better than the others.
        assert len(find_all(graph, "grow", places)) == 2


def test_an_overload_does_not_belong_to_a_definition_in_another_scope(workspace: MakeWorkspace) -> None:
    files = {"a.py": "def grow(): pass\n", "b.py": SHAPES}
    opened = open_workspace(str(workspace(files, "apart")))
    map_operation.run(opened, map_operation.Params())
    with opened.store.reading() as graph, pytest.raises(SymbolAmbiguous) as caught:
        find(graph, "grow", PathScope(opened.roots, opened.folder))
    assert caught.value.total == 3


@pytest.mark.parametrize(
    ("handle", "nearest"),
    [
        ("discuont", "discount"),
        ("cartt", "Cart"),
        ("Discount", "discount"),
        ("Cart.totl", "Cart.total"),
        ("cart.Cart.totl", "Cart.total"),
        ("Crat.total", "Cart.total"),
        ("shop.cart.Crat.total", "Cart.total"),
        ("shp/cart.py", "shop/cart.py"),
        ("cartt.py", "shop/cart.py"),
        ("shop/crat.py", "shop/cart.py"),
        ("shop/car.py:3", "shop/cart.py"),
        ("shop/cart.py:99", "shop/cart.py"),
    ],
)
def test_a_name_that_nothing_has_comes_with_the_nearest(
    graph: GraphReader, places: PathScope, handle: str, nearest: str
) -> None:
    with pytest.raises(SymbolNotFound) as caught:
        find(graph, handle, places)
    assert nearest in caught.value.nearest


def test_the_nearest_is_found_among_many_that_are_near(workspace: MakeWorkspace) -> None:
    files = {"many.py": "".join(f"def load_item_{number}(): ...\n" for number in range(1000, 1400))}
    opened = open_workspace(str(workspace({**files, "few.py": "def load_items_of_cart(): ...\n"}, "many")))
    map_operation.run(opened, map_operation.Params())
    with opened.store.reading() as reader:
        assert nearest_names(reader, "load_item_of_cart")[0] == "load_items_of_cart"
        assert nearest_names(reader, "laod_item_1234")[0] == "load_item_1234"


@pytest.mark.parametrize("handle", ["x" * 100_000, "aB" * 50_000, "a." * 50_000, "a/" * 50_000, "\ud800"])
def test_whatever_is_typed_is_not_found_and_no_more(graph: GraphReader, places: PathScope, handle: str) -> None:
    with pytest.raises(SymbolNotFound) as caught:
        find(graph, handle, places)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("handle", ["zzzzzzzzzzz", "sym:store:", "sym:store:a.py:", "shop/cart.py:99", "x.py:1"])
def test_what_names_nothing_is_said_to(graph: GraphReader, places: PathScope, handle: str) -> None:
    with pytest.raises(SymbolNotFound):
        find(graph, handle, places)


@pytest.mark.parametrize("handle", ["", " "])
def test_no_handle_at_all_is_a_mistake_of_the_call(graph: GraphReader, places: PathScope, handle: str) -> None:
    with pytest.raises(UsageError, match="no symbol was named"):
        find(graph, handle, places)


def test_a_long_list_is_cut_and_says_how_long_it_is(workspace: MakeWorkspace) -> None:
    files = {f"m{number}.py": "def same(): pass\n" for number in range(SHOWN + 5)}
    opened = open_workspace(str(workspace(files, "many")))
    map_operation.run(opened, map_operation.Params())
    with opened.store.reading() as graph, pytest.raises(SymbolAmbiguous) as caught:
        find(graph, "same", PathScope(opened.roots, opened.folder))
    assert len(caught.value.candidates) == SHOWN
    assert caught.value.total == SHOWN + 5
    assert str(caught.value).endswith("and 5 more")


def test_a_module_does_not_hide_what_is_inside_it(workspace: MakeWorkspace) -> None:
    opened = open_workspace(str(workspace({"late.py": "def late(): ...\n"})))
    map_operation.run(opened, map_operation.Params())
    with opened.store.reading() as reader:
        match = find(reader, "late", PathScope(opened.roots, ""))
        assert (match.node.qualified_name, match.file.path) == ("late", "late.py")


PASSED_ON = {
    "box/__init__.py": "from box._lid import *\nfrom box._side import Side as Wall, fold\nfrom box import _base\n",
    "box/_lid.py": (
        "from box._hinge import *\n\n__all__ = ['Lid', 'Hinge']\n\n\n"
        "class Lid:\n    def shut(self): ...\n\n\nclass Nail: ...\n"
    ),
    "box/_hinge.py": "class Hinge: ...\n",
    "box/_side.py": "class Side: ...\n\n\ndef fold(): ...\n",
    "box/_base.py": "class Base: ...\n",
}


@pytest.mark.parametrize(
    ("handle", "expected"),
    [
        ("box.Lid", "box/_lid.py:Lid"),
        ("box.Lid.shut", "box/_lid.py:Lid.shut"),
        ("box.Hinge", "box/_hinge.py:Hinge"),
        ("box.Wall", "box/_side.py:Side"),
        ("box.fold", "box/_side.py:fold"),
        ("box.Side", ""),
        ("box.Nail", ""),
        ("box.Base", ""),
        ("box.Lid.open", ""),
    ],
)
def test_a_name_that_a_package_passes_on_names_what_it_is(workspace: MakeWorkspace, handle: str, expected: str) -> None:
    opened = open_workspace(str(workspace(PASSED_ON, "boxes")))
    map_operation.run(opened, map_operation.Params())
    with opened.store.reading() as reader:
        found = find_all(reader, handle, PathScope(opened.roots, opened.folder))
        assert [id_of(match.node, match.file) for match in found] == ([f"sym:boxes:{expected}"] if expected else [])
    answer = resolve.run(opened, resolve.Params(identifier=handle))
    assert (answer.status, answer.node.id if answer.node else "") == (
        ("one", f"sym:boxes:{expected}") if expected else ("none", "")
    )
