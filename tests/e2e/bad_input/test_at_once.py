"""Several commands at once: writers queue, readers do not wait, and no command sees half of anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bad_input.running import finished, ok, start, stored
from tests.workspaces import MakeWorkspace

FILES = {f"m{n}.py": f"import m{n + 1}\n\ndef f{n}():\n    return m{n + 1}.f{n + 1}()\n" for n in range(60)}


@pytest.fixture
def folder(workspace: MakeWorkspace) -> Path:
    return workspace(FILES, "project")


@pytest.mark.parametrize("words", [("map",), ("sync",), ("map", "--fresh")])
def test_two_first_maps(folder: Path, words: tuple[str, ...]) -> None:
    for one in [start(folder, *words) for _ in range(2)]:
        code, said, complaint = finished(one)
        assert (code, complaint) == (0, "")
        assert "60 files" in said
    together = stored(folder)
    ok(folder, "map", "--fresh")
    assert stored(folder) == together


def test_eight_readers_beside_a_writer(folder: Path) -> None:
    ok(folder, "map")
    questions = (("where", "f5"), ("stats",), ("export",), ("status",), ("describe", "f7"), ("sync",))
    for turn in range(3):
        (folder / "m9.py").write_text(FILES["m9.py"] + f"\ndef extra{turn}(): ...\n", encoding="utf-8")
        writer = start(folder, "map")
        readers = [start(folder, *questions[n % len(questions)]) for n in range(8)]
        for one in (writer, *readers):
            code, said, complaint = finished(one)
            assert (code, complaint) == (0, "")
            assert said
    ok(folder, "sync")
    beside = stored(folder)
    ok(folder, "map", "--fresh")
    assert stored(folder) == beside


def test_a_question_while_the_first_map_runs_says_that_there_is_no_graph_yet(folder: Path) -> None:
    """Or answers, when the map came first."""
    running = start(folder, "map")
    for one in [start(folder, "where", "f5") for _ in range(4)]:
        code, said, complaint = finished(one)
        assert code in (0, 2)
        assert (code == 0) == said.startswith("m5.py:3  function f5")
        assert code == 0 or complaint.endswith("run `keel map` first\n")
    assert finished(running)[0] == 0
