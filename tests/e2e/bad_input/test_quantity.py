"""Very much of something: it takes its time, but a time that grows with the amount and not with its square.

Nothing is timed here; what is quadratic runs into the patience of `running`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bad_input.running import answer_of, ok

MANY = 100_000
ONE_FILE = {
    "functions": "".join(f"def f{n}(): return f{n - 1}()\n" for n in range(MANY)),
    "constants": "".join(f"x{n} = x{n - 1}\n" for n in range(MANY)),
    "broken definitions": "def f(:\n    pass\n" * 20_000,
}


@pytest.mark.parametrize("what", ONE_FILE)
def test_very_many_definitions_in_one_file(tmp_path: Path, what: str) -> None:
    (tmp_path / "many.py").write_text(ONE_FILE[what], encoding="utf-8")
    assert sum(answer_of(tmp_path, "map")["nodes"].values()) > 20_000


def test_ten_thousand_files_in_one_folder(tmp_path: Path) -> None:
    for n in range(10_000):
        (tmp_path / f"m{n}.py").write_text(f"import m{n + 1}\ndef f{n}(): return m{n + 1}.f{n + 1}()\n")
    answer = answer_of(tmp_path, "map")
    assert (answer["files"], answer["nodes"]["function"], answer["edges"]["calls"]) == (10_000, 10_000, 9_999)
    assert ok(tmp_path, "sync").startswith("up to date: 10,000 files")
