"""Snapshots: text files that hold what a list looked like when it was last agreed to.

What goes into one, and what a change in it means, is said by the test that compares.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

UPDATE = "KEEL_UPDATE_SNAPSHOTS"


def compare(path: Path, lines: Iterable[str]) -> None:
    """Fail unless the file holds exactly these lines; with the variable set, write them instead."""
    now = "".join(f"{line}\n" for line in lines)
    if os.environ.get(UPDATE) == "1":
        path.write_text(now, encoding="utf-8", newline="\n")
        return
    how = f"If it should be so, run `{UPDATE}=1 make test` and review the difference."
    if not path.exists():
        pytest.fail(f"The snapshot {path.name} does not exist. {how}")
    assert now == path.read_text(encoding="utf-8"), f"{path.name} differs. {how}"
