"""Fixtures of the tests from outside: a small project that keel has mapped."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.shop import FILES, ok
from tests.workspaces import commit_all, write_files


@pytest.fixture(scope="session")
def mapped_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop under git, mapped; not to be changed."""
    folder = write_files(tmp_path_factory.mktemp("once") / "shop", FILES)
    commit_all(folder)
    ok(folder, "map")
    return folder


@pytest.fixture
def shop(mapped_once: Path, tmp_path: Path) -> Path:
    """A small project under git, mapped."""
    return Path(shutil.copytree(mapped_once, tmp_path / "shop"))
