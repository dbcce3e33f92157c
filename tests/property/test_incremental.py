"""Incremental equals full: after any edits, the graph that was kept up to date is the one a fresh map makes.

First the edits that are known to be hard, one by one; then random ones, from seeds, so that every run does the same.
`python -m benchmarks.incremental` goes on with thousands more.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.edits import Author, Tree
from tests.repository import TOP
from tests.spec.callgraph.cases import Case, read_cases
from tests.twins import Twins, difference
from tests.workspaces import PATIENCE

SEEDS = range(32)
EDITS = 25

LIB = "def f(): ...\nclass A:\n    def m(self): ...\n"
USER = "from lib import f, A\nf()\nclass B(A):\n    def run(self):\n        self.m()\n"
OTHER = "class O:\n    def m(self): ...\n"
CHILD = "from b import B\nclass C(B):\n    def run(self):\n        self.m()\n"
OVERRIDING = "from b import B\nclass C(B):\n    def m(self): ...\n    def n(self): ...\n"
LIB_FOLDER = "[tool.setuptools]\npackage-dir = {'' = 'lib'}\n"
MEMBERS = "[tool.uv.workspace]\nmembers = ['packages/*']\n"
RING = {
    "a.py": "from b import *\nfrom x import *\n",
    "b.py": "from c import *\n",
    "c.py": "from y import *\nfrom a import *\n",
}

HANDED_ON = {
    "one.py": "from two import second\ndef first(f):\n    second(f)\n",
    "two.py": "from three import third\ndef second(f):\n    third(f)\n",
    "three.py": "def third(f):\n    f()\n",
}
GIVER = "from one import first\ndef g(): ...\nfirst(g)\n"

SCRIPTS: dict[str, list[dict[str, str]]] = {
    "a body changes": [
        {"lib.py": LIB, "user.py": USER},
        {"lib.py": LIB.replace("f(): ...", "f(): return 1"), "user.py": USER},
    ],
    "a function moves down its file": [
        {"lib.py": LIB, "user.py": USER},
        {"lib.py": "# remarks\n\n\nX = 1\n" + LIB, "user.py": USER},
    ],
    "a function is renamed, and back": [
        {"lib.py": LIB, "user.py": USER},
        {"lib.py": LIB.replace("def f", "def g"), "user.py": USER},
        {"lib.py": LIB, "user.py": USER},
    ],
    "a module moves": [
        {"lib.py": LIB, "user.py": USER},
        {"pkg/lib.py": LIB, "user.py": USER},
        {"pkg/lib.py": LIB, "user.py": USER.replace("from lib", "from pkg.lib")},
    ],
    "a module appears after its import": [
        {"user.py": USER},
        {"user.py": USER, "lib.py": LIB},
        {"user.py": USER},
    ],
    "a submodule appears after its use": [
        {"pkg/__init__.py": "", "user.py": "import pkg\npkg.late.f()\n"},
        {"pkg/__init__.py": "", "pkg/late.py": LIB, "user.py": "import pkg\npkg.late.f()\n"},
    ],
    "a module comes to stand before another": [
        {"lib.py": LIB, "tools/user.py": USER},
        {"lib.py": LIB, "tools/user.py": USER, "tools/lib.py": LIB},
        {"lib.py": LIB, "tools/user.py": USER, "tools/__init__.py": "", "tools/lib.py": LIB},
    ],
    "a package loses its mark": [
        {"pkg/__init__.py": "", "pkg/lib.py": LIB, "user.py": USER.replace("from lib", "from pkg.lib")},
        {"pkg/lib.py": LIB, "user.py": USER.replace("from lib", "from pkg.lib")},
    ],
    "a module becomes a package": [
        {"lib.py": LIB, "user.py": USER},
        {"lib/__init__.py": "from .core import *\n", "lib/core.py": LIB, "user.py": USER},
        {"lib/__init__.py": "from .core import f\n", "lib/core.py": LIB, "user.py": USER},
    ],
    "a method appears in the middle of a hierarchy": [
        {"a.py": LIB, "b.py": "from a import A\nclass B(A): ...\n", "c.py": CHILD},
        {"a.py": LIB, "b.py": "from a import A\nclass B(A):\n    def m(self): ...\n", "c.py": CHILD},
    ],
    "bases change": [
        {"a.py": LIB + OTHER + "class B(A): ...\n", "c.py": CHILD.replace("from b", "from a")},
        {"a.py": LIB + OTHER + "class B(O): ...\n", "c.py": CHILD.replace("from b", "from a")},
        {"a.py": LIB + "class B(other.O): ...\n", "c.py": CHILD.replace("from b", "from a")},
    ],
    "what a method overrides comes and goes": [
        {"a.py": OTHER, "b.py": "from a import O\nclass B(O): ...\n", "c.py": OVERRIDING},
        {"a.py": OTHER, "b.py": "from a import O\nclass B(O):\n    def m(self): ...\n", "c.py": OVERRIDING},
        {"a.py": OTHER, "b.py": "from a import O\nclass B(O):\n    m = 1\n", "c.py": OVERRIDING},
        {"a.py": OTHER.replace("m(", "n("), "b.py": "from a import *\nclass B(O): ...\n", "c.py": OVERRIDING},
    ],
    "a name enters and leaves `__all__`": [
        {"lib.py": "__all__ = ['A']\n" + LIB, "user.py": "from lib import *\nf()\n"},
        {"lib.py": "__all__ = ['A', 'f']\n" + LIB, "user.py": "from lib import *\nf()\n"},
        {"lib.py": LIB, "user.py": "from lib import *\nf()\n"},
        {"lib.py": "__all__ = dir()\n" + LIB, "user.py": "from lib import *\nf()\n"},
    ],
    "a star import goes, and a name comes through another": [
        {"a.py": LIB, "b.py": LIB, "c.py": "from a import *\nfrom b import *\n", "d.py": "from c import f\nf()\n"},
        {"a.py": LIB, "b.py": LIB, "c.py": "from b import *\nfrom a import *\n", "d.py": "from c import f\nf()\n"},
        {"a.py": LIB, "b.py": "", "c.py": "from a import *\n", "d.py": "from c import f\nf()\n"},
    ],
    "star imports in a ring": [
        RING,
        {**RING, "x.py": LIB, "y.py": LIB, "user.py": "from a import f\n", "other.py": "from c import f\n"},
        {**RING, "x.py": LIB, "y.py": LIB, "user.py": "from a import f\nf()\n", "other.py": "from c import f\n"},
    ],
    "a definition becomes conditional": [
        {"lib.py": "def f(): ...\n", "user.py": "from lib import f\nf()\n"},
        {"lib.py": "if x:\n    def f(): ...\nelse:\n    def f(a): ...\n", "user.py": "from lib import f\nf()\n"},
    ],
    "a constant is no longer the first of its name": [
        {"lib.py": "f = 1\n", "user.py": "from lib import f\n"},
        {"lib.py": "class f: ...\nf = 1\n", "user.py": "from lib import f\n"},
    ],
    "a syntax error comes and goes": [
        {"lib.py": LIB, "user.py": USER},
        {"lib.py": "x = (\n" + LIB, "user.py": USER},
        {"lib.py": LIB, "user.py": USER},
    ],
    "a manifest appears in a folder": [
        {"sub/lib.py": LIB, "sub/deep/user.py": USER},
        {"sub/lib.py": LIB, "sub/deep/user.py": USER, "sub/pyproject.toml": "[project]\n"},
        {"sub/lib.py": LIB, "sub/deep/user.py": USER},
    ],
    "a manifest declares another folder, and cannot be read": [
        {"lib/lib.py": LIB, "user.py": USER, "pyproject.toml": LIB_FOLDER},
        {"lib/lib.py": LIB, "user.py": USER, "pyproject.toml": LIB_FOLDER.replace("lib", "bin")},
        {"lib/lib.py": LIB, "user.py": USER, "pyproject.toml": LIB_FOLDER + "["},
        {"lib/lib.py": LIB, "user.py": USER, "pyproject.toml": LIB_FOLDER},
    ],
    "a declared folder appears, and a file in it changes": [
        {"user.py": USER, "pyproject.toml": LIB_FOLDER},
        {"user.py": USER, "pyproject.toml": LIB_FOLDER, "lib/lib.py": LIB},
        {"user.py": USER, "pyproject.toml": LIB_FOLDER, "lib/lib.py": LIB.replace("def f", "def g")},
    ],
    "a member joins a workspace": [
        {"user.py": USER, "pyproject.toml": MEMBERS},
        {"user.py": USER, "pyproject.toml": MEMBERS, "packages/one/lib.py": LIB},
        {"user.py": USER, "pyproject.toml": MEMBERS + "exclude = ['packages/one']\n", "packages/one/lib.py": LIB},
    ],
    "a source folder appears": [
        {"tests/user.py": USER},
        {"tests/user.py": USER, "src/lib.py": LIB},
        {"tests/user.py": USER, "src/lib.py": LIB, "src/__init__.py": ""},
    ],
    "a branch is switched, and back": [
        {"lib.py": LIB, "user.py": USER, "old/__init__.py": "from lib import f\n"},
        {"lib/__init__.py": LIB, "new.py": USER, "stubs/lib.pyi": "def f() -> None: ...\n"},
        {"lib.py": LIB, "user.py": USER, "old/__init__.py": "from lib import f\n"},
    ],
    "a function is handed on through three files, no longer, and again": [
        {**HANDED_ON, "user.py": GIVER},
        HANDED_ON,
        {**HANDED_ON, "user.py": GIVER},
        {**HANDED_ON, "user.py": GIVER.replace("first(g)", "")},
        {**HANDED_ON, "user.py": GIVER},
    ],
    "a module of another root goes away": [
        {"user.py": USER, "../two/lib.py": LIB},
        {"user.py": USER},
    ],
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_graph_follows(name: str, tmp_path: Path) -> None:
    keepers = {"one/README": "", "two/README": ""}
    twins = Twins(tmp_path)
    for tree in SCRIPTS[name]:
        placed = {os.path.normpath(f"one/{path}"): text for path, text in tree.items()}
        check(twins, keepers | placed)


@pytest.mark.parametrize("case", [case for case in read_cases() if len(case.files) > 1], ids=lambda case: case.name)
def test_each_file_of_a_call_graph_goes_and_comes_back(case: Case, tmp_path: Path) -> None:
    """What files give to each other ends with them, and begins again."""
    keepers = {"one/README": "", "two/README": ""}
    whole = {f"one/{path}": text for path, text in case.files.items()}
    twins = Twins(tmp_path)
    check(twins, keepers | whole)
    for gone in whole:
        check(twins, keepers | {path: text for path, text in whole.items() if path != gone})
        check(twins, keepers | whole)


def test_an_edit_that_no_time_shows_is_noticed(tmp_path: Path) -> None:
    twins = Twins(tmp_path, same_time=True)
    tree = {"one/lib.py": "def f(): ...\ndef g(): ...\n", "one/user.py": "from lib import f\nf()\n", "two/README": ""}
    check(twins, tree)
    check(twins, {**tree, "one/lib.py": "def h(): ...\ndef g(): ...\n"})


def test_a_sync_of_nothing_changes_nothing(tmp_path: Path) -> None:
    twins = Twins(tmp_path)
    twins.become({"one/lib.py": LIB, "one/user.py": USER, "two/README": ""})
    assert twins.sync() == twins.sync() == twins.map()


@pytest.mark.parametrize("seed", SEEDS)
def test_random_edits(seed: int, tmp_path: Path) -> None:
    twins = Twins(tmp_path)
    author = Author(random.Random(seed).randrange)
    tree, history = author.tree(), list[Tree]()
    for _ in range(EDITS):
        check(twins, tree)
        history.append(tree)
        tree = author.edit(tree, history)


def test_hash_seeds_do_not_show() -> None:
    """The order of sets and dictionaries of strings differs from process to process; no dump may."""
    dumps = [_dumped_with(seed) for seed in ("0", "1", "31337")]
    assert dumps[0] == dumps[1] == dumps[2]
    assert '"edge"' in dumps[0]


def check(twins: Twins, tree: Tree) -> None:
    """Makes the files those of the tree; the graph must follow."""
    twins.become(tree)
    kept, fresh = twins.sync(), twins.map()
    if kept != fresh:
        pytest.fail(difference(kept, fresh), pytrace=False)


PRINT_DUMPS = """
import random, sys, tempfile
from pathlib import Path
from tests.edits import Author
from tests.twins import Twins

for seed in range(4):
    author = Author(random.Random(seed).randrange)
    tree = author.tree()
    with tempfile.TemporaryDirectory() as folder:
        twins = Twins(Path(folder))
        for _ in range(4):
            twins.become(tree)
            sys.stdout.write(twins.sync())
            tree = author.edit(tree, [tree])
"""


def _dumped_with(seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PRINT_DUMPS],
        cwd=TOP,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
