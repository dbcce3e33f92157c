"""A SCIP index beside ty, on the command line: what it adds, what is told of it, and how it is left out.

What indexes and servers answer in detail is in `tests/unit/test_scip.py` and `tests/unit/test_servers.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scip_writer import indexed
from tests.workspaces import MakeWorkspace, RunKeel

FILES = {
    "lib.py": "def f(): ...\n\n\nclass A:\n    def go(self): ...\n",
    "user.py": "from lib import f\n\n\ndef use(x):\n    f()\n    x.go()\n",
    ".keel/config.toml": '[resolution.tier3]\nscip = "index.scip"\n',
}


@pytest.fixture
def project(workspace: MakeWorkspace) -> Path:
    folder = workspace(FILES)
    (folder / "index.scip").write_bytes(indexed(folder))
    return folder


def test_an_index_confirms_adds_and_is_told_of(project: Path, run_keel: RunKeel) -> None:
    mapped = run_keel(["map"], cwd=project)
    assert (mapped.returncode, mapped.stderr) == (0, "")
    stats = json.loads(run_keel(["stats", "--json"], cwd=project).stdout)
    assert stats["tiers"]["tier3_scip"] == 3
    assert stats["helpers"] == ["scip was asked about all Python files"]
    assert stats["disagreements"] == {}
    assert "scip was asked about all Python files" in run_keel(["status"], cwd=project).stdout
    assert "calls  0.97  by a SCIP index" in run_keel(["explain", "use", "f"], cwd=project).stdout
    alone = run_keel(["explain", "use", "A.go"], cwd=project).stdout
    assert "calls  0.93  by a SCIP index" in alone
    assert "found only by a SCIP index" in alone


def test_a_change_is_followed_and_the_next_map_says_that_the_index_is_old(project: Path, run_keel: RunKeel) -> None:
    run_keel(["map"], cwd=project)
    (project / "user.py").write_text("\n" + FILES["user.py"], encoding="utf-8")
    synced = run_keel(["sync"], cwd=project)
    assert "index" not in synced.stdout + synced.stderr
    assert "tier3_scip" not in run_keel(["export"], cwd=project).stdout, "of a file that changed it says nothing"
    told = run_keel(["map"], cwd=project).stdout
    assert "scip index is left out for 1 file of 1: changed since it was made" in told
    (project / "index.scip").write_bytes(indexed(project))
    assert "left out" not in run_keel(["map"], cwd=project).stdout
    assert "tier3_scip" in run_keel(["export"], cwd=project).stdout


@pytest.mark.parametrize("content", [b"", b"no index", None], ids=["empty", "garbage", "missing"])
def test_a_broken_index_costs_its_tier_and_one_warning(project: Path, run_keel: RunKeel, content: bytes | None) -> None:
    index = project / "index.scip"
    if content is None:
        index.unlink()
    else:
        index.write_bytes(content)
    mapped = run_keel(["map", "--json"], cwd=project)
    assert mapped.returncode == 0
    [warning] = json.loads(mapped.stdout)["warnings"]
    assert warning.startswith(f"SCIP index {index} ")
    assert "scip was not asked; run `keel map` to ask it" in run_keel(["status"], cwd=project).stdout
    assert "tier2_treesitter_heuristic" in run_keel(["export"], cwd=project).stdout


def test_it_is_left_out_for_a_run_and_forgotten_with_its_configuration(project: Path, run_keel: RunKeel) -> None:
    run_keel(["map", "--no-tier3"], cwd=project)
    assert "tier3_scip" not in run_keel(["export"], cwd=project).stdout
    run_keel(["map"], cwd=project)
    assert "tier3_scip" in run_keel(["export"], cwd=project).stdout
    (project / ".keel/config.toml").write_text("", encoding="utf-8")
    assert "tier3_scip" not in run_keel(["export"], cwd=project).stdout
    assert "scip" not in run_keel(["status"], cwd=project).stdout.split()
