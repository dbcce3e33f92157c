"""Scopes: a folder, a file, a package by its dotted name, a root, a pattern; and what is said when nothing is meant."""

from __future__ import annotations

import pytest

from keel.errors import SymbolNotFound
from keel.graph.lookup.handles import PathScope
from keel.graph.lookup.scope import in_scope
from tests.graphs import a_row

FILES = [
    a_row(1, "shop/__init__.py")._replace(module="shop"),
    a_row(2, "shop/cart.py")._replace(module="shop.cart"),
    a_row(3, "shop/cart_tools.py")._replace(module="shop.cart_tools"),
    a_row(4, "other.py", root="lib")._replace(module="other"),
]
PLACES = PathScope({"app": "/somewhere/app", "lib": "/somewhere/lib"}, "/somewhere/app/shop")


def paths(scope: str) -> list[str]:
    return [file.path for file in in_scope(FILES, scope, PLACES)]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("", ["shop/__init__.py", "shop/cart.py", "shop/cart_tools.py", "other.py"]),
        ("shop", ["shop/__init__.py", "shop/cart.py", "shop/cart_tools.py"]),
        ("shop/", ["shop/__init__.py", "shop/cart.py", "shop/cart_tools.py"]),
        ("shop/cart.py", ["shop/cart.py"]),
        ("cart.py", ["shop/cart.py"]),  # from the folder the caller is in
        ("shop.cart", ["shop/cart.py"]),
        ("lib", ["other.py"]),
        ("*/cart*.py", ["shop/cart.py", "shop/cart_tools.py"]),
    ],
)
def test_a_scope_names_files(scope: str, expected: list[str]) -> None:
    assert paths(scope) == expected


@pytest.mark.parametrize(("scope", "nearest"), [("shop/cart.pyy", "shop/cart.py"), ("shop.crat", "shop.cart")])
def test_an_unknown_scope_says_the_nearest(scope: str, nearest: str) -> None:
    with pytest.raises(SymbolNotFound) as caught:
        in_scope(FILES, scope, PLACES)
    assert f"no symbol is called '{scope}'; did you mean {nearest}" in str(caught.value)
