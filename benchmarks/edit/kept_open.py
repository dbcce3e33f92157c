"""`python -m benchmarks.edit.kept_open TREE`: one process for all edits; edits on stdin, what they cost on stdout.

It does what a daemon does with a workspace, without a daemon: the operation and its text are timed; garbage is
collected between edits. The CPU is its own, without that of ty.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path

from benchmarks.edit.modes import Cost, made
from benchmarks.edit.stages import Stages
from benchmarks.edit.trees import Planned
from benchmarks.processes import processes_of, proportional_memory
from keel.bootstrap import Workspace, open_workspace
from keel.formats.human import Human
from keel.formats.json import Json
from keel.indexing.watch.inotify import Watch
from keel.indexing.watch.notices import Notices
from keel.indexing.watch_set import folders_of, hard_links
from keel.operations import compile as compile_operation
from keel.querying.current_graph import index_context


def main() -> None:
    """Every edit once, in order."""
    tree = Path(sys.argv[1])
    edits = [Planned(**one) for one in json.load(sys.stdin)]
    workspace = open_workspace(str(tree), persistent=True)
    stages = Stages()
    costs: list[Cost] = []
    with made(tree, edits[-1]):  # the first edit of a process loads what later ones find loaded
        _timed(workspace, edits[-1].path, stages)
    _timed(workspace, edits[-1].path, stages)
    _watch(workspace)
    _timed(workspace, edits[-1].path, stages)
    gc.collect()
    gc.disable()
    for edit in edits:
        with made(tree, edit):
            costs.append(_timed(workspace, edit.path, stages))
        _timed(workspace, edit.path, stages)
        gc.collect()
    memory = {process.pid: proportional_memory(process.pid) for process in processes_of(os.getpid())}
    own = memory.pop(os.getpid())
    json.dump({"costs": costs, "memory": own, "memory_of_ty": sum(memory.values())}, sys.stdout)
    workspace.close()


def _watch(workspace: Workspace) -> None:
    """Follows the files as the daemon does, so that only what is touched is looked at."""
    assert workspace.graph_cache is not None, "it stays"
    context = index_context(workspace)
    notices = workspace.graph_cache.notices = Notices()
    notices.begin(Watch(workspace.roots.values()))
    with workspace.store.reading() as reader:
        notices.follow(*folders_of(context, reader), hard_links(context.roots, context.files(reader)))


def _timed(workspace: Workspace, path: str, stages: Stages) -> Cost:
    stages.clear()
    wall, cpu = time.perf_counter(), time.process_time()
    workspace.tells_counts = False
    asked = compile_operation.Params(files=(path,), session="ci")
    result = compile_operation.run(workspace, asked)
    text = "".join(Human().render(result))
    took, spent = time.perf_counter() - wall, time.process_time() - cpu
    found = stages.spent_of(took)
    workspace.tells_counts = True
    whole = json.loads("".join(Json().render(compile_operation.run(workspace, asked))))
    return Cost(took, spent, {"code": result.exit_code, "text": text, **whole}, found)


if __name__ == "__main__":
    main()
