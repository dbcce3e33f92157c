"""Discover, in words: large counts can be read."""

from __future__ import annotations

from keel.bootstrap import open_workspace
from keel.operations import discover
from keel.operations import map as map_operation
from tests.workspaces import MakeWorkspace


def test_thousands_are_set_apart(workspace: MakeWorkspace) -> None:
    callers = "".join(f"def f{number}(): hub()\n" for number in range(1100))
    opened = open_workspace(str(workspace({"a.py": f"def hub(): pass\n{callers}"})))
    map_operation.run(opened, map_operation.Params())
    answer = discover.run(opened, discover.Params(symbol="hub"))
    assert answer.summary.startswith("1,100 upstream (callers), 0 downstream")
    assert answer.around.endswith(", f19 and 1,080 more")
    assert answer.note == "not shown: 1,050 upstream; see more with --limit or --offset"
