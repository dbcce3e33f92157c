"""The table in `README.md` names every test of this folder, and no other."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_the_table_lists_every_test() -> None:
    listed = set(re.findall(r"`(test_\w+)`", (HERE / "README.md").read_text(encoding="utf-8")))
    files = (path for path in HERE.glob("test_*.py") if path.name != Path(__file__).name)
    written = {name for path in files for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)}
    assert listed == written
