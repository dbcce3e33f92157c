"""Moves of the benchmark of `keel fix`, as a person makes and fixes them, on files so small that one can see it."""

from __future__ import annotations

import ast

from benchmarks.fix.moving import by_hand, home_of, moved
from benchmarks.mutations.sources import Function, Source

OLD = '''from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shop.orders import Order

LIMIT = 3


class Label:
    """What is printed."""


def shown(order: Order, label: Label) -> str:
    """Prints."""
    return re.sub("x", str(LIMIT), str(order))


def both(order: Order) -> str:
    """Prints twice."""
    return shown(order, Label()) * 2
'''
USER = "from shop.labels import Label, shown\n"


def function(name: str, text: str = OLD) -> tuple[Source, Function]:
    """A function of the old file."""
    source = Source("shop/labels.py", text.encode())
    return source, next(each for each in source.functions() if each.name == name)


def test_the_new_module_imports_what_the_function_needs_and_nothing_else() -> None:
    made = moved(*function("shown"))
    assert made is not None
    [(path, text)] = made[1]
    assert path == "shop/new_home_of_shown.py"
    head = text.decode().partition("def shown")[0]
    assert ast.unparse(ast.parse(head)) == (
        "from __future__ import annotations\nimport re\nfrom .labels import LIMIT\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from shop.orders import Order\n    from .labels import Label"
    )


def test_a_function_that_works_on_its_module_is_not_moved() -> None:
    text = "COUNT = 0\n\n\ndef more():\n    global COUNT\n    COUNT += 1\n"
    assert moved(*function("more", text)) is None


def test_a_fix_by_hand_imports_it_at_the_top_or_where_it_is_used() -> None:
    source, shown = function("shown")
    made = moved(source, shown)
    assert made is not None
    [edit] = made[0]
    old = source.data[: edit.start] + edit.text + source.data[edit.end :]
    at_top, late = (
        {path: text.decode() for path, text in fixed.items()}
        for fixed in by_hand({"shop/labels.py": source.data, "shop/user.py": USER.encode()}, old, shown)
    )
    line = f"from {home_of(shown).removesuffix('.py').replace('/', '.')} import shown"
    assert f"\n{line}\n" in at_top["shop/labels.py"]
    assert f"\n    {line}\n" in late["shop/labels.py"]
    assert at_top["shop/user.py"] == late["shop/user.py"] == f"from shop.labels import Label\n{line}"
