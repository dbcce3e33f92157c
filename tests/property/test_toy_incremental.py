"""Incremental equals full for a language that is a guest: random edits of Toy files beside Python ones, from seeds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from keel.languages.python import language as python
from tests.toy import language as toy
from tests.twins import Twins, difference

NAMES = ("tax", "total", "take", "count", "main")
MODULES = ("shop", "rates")
PATHS = ("one/a.toy", "one/b.toy", "two/shop.toy")
PYTHON = {"one/app.py": "from lib import f\nf()\n", "two/lib.py": "def f(): ...\n"}
EDITS = 20


def text(choice: random.Random) -> str:
    """A file of a few functions, perhaps with a module of its own and a part."""
    lines = [f"module {choice.choice(MODULES)}"] if choice.random() < 0.5 else []
    for _ in range(choice.randint(0, 4)):
        if choice.random() < 0.3:
            lines.append(f"part {choice.choice(MODULES)}")
        lines.append(f"fn {choice.choice(NAMES)} a")
        for _ in range(choice.randint(0, 3)):
            prefix = choice.choice(("", "", *(f"{module}::" for module in MODULES)))
            lines.append(f"  {prefix}{choice.choice(NAMES)} a")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(6))
def test_a_sync_equals_a_map(tmp_path: Path, seed: int) -> None:
    choice = random.Random(seed)
    twins = Twins(tmp_path, languages=[python, toy])
    tree = {path: text(choice) for path in PATHS} | PYTHON
    for _ in range(EDITS):
        twins.become(tree)
        assert difference(twins.sync(), twins.map()) == ""
        path = choice.choice(PATHS)
        if path in tree and choice.random() < 0.2:
            tree = {key: value for key, value in tree.items() if key != path}
        else:
            tree = {**tree, path: text(choice)}
