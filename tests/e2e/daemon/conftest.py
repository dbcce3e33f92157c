"""A small mapped repository in which a signature can be broken and fixed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemons import alone, clear
from tests.workspaces import MakeWorkspace

FILES = {
    "shop.py": 'def price(item: str) -> int:\n    """The price."""\n    return len(item)\n',
    "till.py": 'from shop import price\n\n\ndef total() -> int:\n    """All."""\n    return price("pear")\n',
    "pkg/deep.py": 'def deep() -> None:\n    """Deep."""\n',
}
BROKEN = 'def price(item: str, count: int) -> int:\n    """The price."""\n    return len(item) * count\n'


@pytest.fixture
def shop(git_workspace: MakeWorkspace) -> Iterator[Path]:
    """The repository, mapped; whatever serves it is ended."""
    folder = git_workspace(FILES)
    assert alone(folder, "map")[0] == 0
    yield folder
    clear(folder)
