"""A new working tree of a repository starts from the graph of another one, and then says what its own files say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keel.stores.sqlite.store import SqliteStore
from tests.e2e.shop import ok, refused
from tests.graphdump import dump
from tests.workspaces import git, run_keel, write_files

WIDER = 'class Cart:\n    """Holds items."""\n\n    def total(self, tax: int) -> int:\n        return tax\n'


@pytest.fixture
def tree(shop: Path) -> Path:
    """A second working tree of the shop, in which keel has not been called yet."""
    folder = shop.parent / "elsewhere" / "feature"
    git(shop, "worktree", "add", "--quiet", "-b", "feature", str(folder))
    return folder


def graph_of(folder: Path) -> str:
    """Everything that the graph of a working tree says."""
    with SqliteStore(folder / ".keel" / "graph.db").reading() as reader:
        return dump(reader)


def test_a_question_in_a_new_tree_is_answered_at_once(tree: Path) -> None:
    assert ok(tree, "where", "Cart.total").startswith("shop/cart.py:4")
    assert git(tree, "status", "--porcelain") == "", "what keel keeps is hidden from git"


def test_both_trees_call_a_symbol_the_same(shop: Path, tree: Path) -> None:
    assert ok(shop, "where", "Cart.total", "--json") == ok(tree, "where", "Cart.total", "--json")


def test_what_differs_in_the_new_tree_is_seen(tree: Path) -> None:
    write_files(tree, {"shop/cart.py": "\n\n" + WIDER, "shop/late.py": "from shop.cart import Cart\nCart().total()\n"})
    os.remove(tree / "shop" / "main.py")
    assert ok(tree, "where", "Cart.total").startswith("shop/cart.py:6")
    told = graph_of(tree)
    assert "shop/main.py" not in told
    ok(tree, "map", "--fresh", "--quiet")
    assert graph_of(tree) == told, "a graph that started from another is the one that is built from the files"


def test_files_of_the_same_size_and_time_are_not_taken_for_the_same(shop: Path, tree: Path) -> None:
    cart = tree / "shop" / "cart.py"
    status = (shop / "shop" / "cart.py").stat()
    cart.write_text(cart.read_text().replace("total", "whole"))
    os.utime(cart, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert ok(tree, "where", "Cart.whole").startswith("shop/cart.py:4")


def test_compile_in_a_new_tree_compares_with_its_own_commit(tree: Path) -> None:
    write_files(tree, {"shop/late.py": "from shop.cart import Cart\nCart().total()\n"})
    git(tree, "add", "--all")
    git(tree, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "late")
    write_files(tree, {"shop/cart.py": WIDER})
    found = run_keel(["compile", "shop/cart.py"], cwd=tree)
    assert found.returncode == 1
    assert "shop/late.py:2" in found.stdout


def test_a_map_of_a_new_tree_reads_only_what_differs(tree: Path) -> None:
    assert ok(tree, "map").startswith("updated 3 files")
    assert ok(tree, "map").startswith("mapped 3 files"), "the second time it is asked for everything"


def test_a_graph_that_cannot_be_used_is_left_alone(shop: Path, tree: Path) -> None:
    graph = shop / ".keel" / "graph.db"
    graph.write_bytes(b"rubbish" * 1000)
    assert "no graph at" in refused(tree, "where", "Cart.total")
    assert ok(tree, "map").startswith("mapped 3 files")
    assert graph.read_bytes() == b"rubbish" * 1000


def test_the_main_tree_can_start_from_another_one(shop: Path, tree: Path) -> None:
    ok(tree, "map", "--quiet")
    for path in (shop / ".keel").iterdir():
        path.unlink()
    assert ok(shop, "where", "Cart.total").startswith("shop/cart.py:4")
    assert sorted(path.name for path in (shop / ".keel").iterdir()) == [".gitignore", "graph.db", "log"]
