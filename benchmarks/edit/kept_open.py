"""`python -m benchmarks.edit.kept_open TREE`: the process that stays; edits on stdin, what they cost on stdout.

It does what a daemon does with a workspace, without a daemon: the operation and its text as JSON are timed; garbage is
collected when nobody waits.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.edit.modes import Cost, made
from benchmarks.edit.stages import Stages
from benchmarks.edit.trees import Planned
from keel.bootstrap import Workspace, open_workspace
from keel.formats.json import Json
from keel.operations import compile as compile_operation


def main() -> None:
    """Every edit once, in order."""
    tree = Path(sys.argv[1])
    edits = [Planned(**one) for one in json.load(sys.stdin)]
    workspace = open_workspace(str(tree), stays=True)
    stages = Stages()
    costs: list[Cost] = []
    spent: list[dict[str, float]] = []
    _timed(workspace, edits[0].path)
    for edit in edits:
        with made(tree, edit):
            stages.clear()
            costs.append(_timed(workspace, edit.path))
            spent.append(dict(stages.spent))
        _timed(workspace, edit.path)
        gc.collect()
    names = {name: None for one in spent for name in one}
    middle = {name: median(one.get(name, 0.0) for one in spent) for name in names}
    json.dump({"costs": costs, "memory": _memory(), "stages": middle}, sys.stdout)


def _timed(workspace: Workspace, path: str) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    result = compile_operation.run(workspace, compile_operation.Params(files=(path,), session="ci"))
    text = "".join(Json().render(result))
    return Cost(time.perf_counter() - wall, time.process_time() - cpu, json.loads(text))


def _memory() -> int:
    """What this process has in memory, in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    main()
