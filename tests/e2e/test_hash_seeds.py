"""The same files give the same graph in every process: sets of texts are in another order in each, and it never shows.

The workspace is made of all call-graph cases, a folder each, so that every way of following values takes part.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.callgraph.cases import read_cases
from tests.workspaces import MakeWorkspace, run_keel

SEEDS = ("0", "1", "31337")


@pytest.fixture
def cases(git_workspace: MakeWorkspace) -> Path:
    """Every case below a folder of its own."""
    return git_workspace(
        {
            f"case{number}/{path}": text
            for number, case in enumerate(read_cases())
            for path, text in {**case.files, "pyproject.toml": ""}.items()
        }
    )


def test_exports_do_not_depend_on_hash_seeds(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exports = []
    for seed in SEEDS:
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        for words in (["map"], ["export"]):
            done = run_keel(words, cwd=cases)
            assert done.returncode == 0, done.stderr
        exports.append(done.stdout.splitlines())
    first, *others = exports
    assert any('"calls"' in line for line in first)
    for other in others:
        assert sorted(set(first) ^ set(other)) == []
        assert first == other
