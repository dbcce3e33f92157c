"""What is too long, too deep or too much for the analysis costs its own answer, never the map or the sync."""

from __future__ import annotations

from pathlib import Path

import pytest

from keel import PythonHeuristicResolver
from tests.twins import Twins, difference
from tests.workspaces import MakeWorkspace

LENGTH = 2_000
HEAD = "class A:\n    def step(self): return self\n    def run(self): ...\n\n"
LONG = {
    "attributes": HEAD + "".join(f"x{n + 1} = x{n}.next\n" for n in reversed(range(LENGTH))) + "x0 = A()\n",
    "calls": HEAD
    + "".join(f"def f{n + 1}(x): return f{n}(x).step()\n" for n in range(LENGTH))
    + f"f{LENGTH}(A()).run()\n",
    "methods without a receiver": (
        "class A:\n    def __init_subclass__(): ...\n    def __init__(): ...\n    def __enter__(): ...\n"
        "    def run(): ...\n"
        "class B(A):\n    def go(): self.run()\nwith B() as b:\n    b.go()\n"
    ),
    "an instance that is called by way of another": (
        "class A:\n    pass\nA.__call__ = A()\nclass B:\n    __call__ = A()\nB()()\nA()()\n"
    ),
}


@pytest.mark.parametrize("what", LONG)
def test_the_rest_of_the_project_is_linked(what: str, workspace: MakeWorkspace) -> None:
    folder = workspace({"long.py": LONG[what], "short.py": "def f(): ...\n\ndef g():\n    f()\n"})
    edges = PythonHeuristicResolver(folder).resolve_project().edges
    assert any(edge.kind == "calls" and edge.target.endswith("short.py:f") for edge in edges)


def test_a_parameter_that_is_given_too_much_is_remembered_as_such(tmp_path: Path) -> None:
    callers = (
        "".join(f"def f{n}(): ...\n" for n in range(14))
        + "def go():\n"
        + "".join(f"    take(f{n})\n" for n in range(14))
    )
    tree = {"one/a.py": "def take(cb):\n    return cb()\n", "one/b.py": f"from a import take\n{callers}"}
    twins = Twins(tmp_path)
    for extra in ("", "x = 1\n", "x = 2\n"):
        twins.become({**tree, "one/a.py": tree["one/a.py"] + extra})
        assert difference(twins.sync(), twins.map()) == ""
