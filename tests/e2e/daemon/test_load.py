"""Many clients at once, and a daemon that dies under them: every verdict is right, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

from benchmarks.load import run


def test_eight_clients_at_once_for_a_moment(tmp_path: Path) -> None:
    load = run(tmp_path.resolve() / "workspace", clients=8, seconds=4, kill_seconds=1)
    assert load.wrong == []
    assert load.verdicts > 0
    assert load.same_graph
