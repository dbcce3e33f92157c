"""What tests of the MCP server share: a small shop that is mapped, and a conversation about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.shop import FILES
from tests.mcp.talk import Talk, talking
from tests.workspaces import commit_all, run_keel, write_files


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mapped project under git; tests of one module share it, and leave it as it is."""
    folder = write_files(tmp_path_factory.mktemp("mcp") / "shop", FILES)
    commit_all(folder)
    assert run_keel(["map"], cwd=folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def talk(shop: Path) -> Iterator[Talk]:
    """A conversation that has begun."""
    with talking(shop) as found:
        found.hello()
        yield found
