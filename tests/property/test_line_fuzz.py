"""The whole write line over generated and broken source: it ends, the export holds together, and sync equals map.

What a single file becomes is asked in `test_extract_fuzz.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from keel.bootstrap import open_workspace
from keel.formats.jsonl import JsonLines
from keel.operations import export
from keel.operations import map as map_
from tests.mutations import mutant
from tests.programs import program
from tests.twins import Twins, difference

PATHS = ("a.py", "b.py", "os.py", "x/__init__.py", "x/g.py", "x/A.pyi", "f/__init__.py", "größe.py")
"""Named like what programs import."""
SEEDS = range(12)


def _text(chance: Random) -> str:
    good = program(chance)
    return good if chance.random() < 0.5 else mutant(chance, good.encode(), b"").decode("utf-8", "replace")


@pytest.mark.parametrize("seed", SEEDS)
def test_sync_equals_map(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    twins = Twins(tmp_path)
    tree: dict[str, str] = {}
    for _ in range(4):
        for path in chance.sample(PATHS, 3):
            tree[f"one/{path}"] = _text(chance)
        if len(tree) > 4:
            del tree[chance.choice(sorted(tree))]
        twins.become(tree)
        kept, fresh = twins.sync(), twins.map()
        assert kept == fresh, difference(kept, fresh)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_export_holds_together(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    for path in PATHS:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(mutant(chance, program(chance).encode(), program(chance).encode()))
    workspace = open_workspace(str(tmp_path))
    assert map_.run(workspace, map_.Params()).lost == ()
    text = "".join(JsonLines().render(export.run(workspace, export.Params())))
    lines = [json.loads(line) for line in text.splitlines()]
    ids = [line["id"] for line in lines if line["type"] == "node"]
    assert len(ids) == len(set(ids))
    ends = {line[end] for line in lines if line["type"] == "edge" for end in ("source", "target")}
    ends |= {line["source"] for line in lines if line["type"] == "ref"}
    assert ends <= set(ids)
