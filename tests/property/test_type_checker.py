"""A ty that was asked about every edit before says the same about an edit as one that is started for it.

Random edits come from `tests.edits`: files come and go, folders that imports start from change, branches are switched.
One workspace is kept open for all of them, as the daemon keeps one; for each edit another is opened and closed.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.errors import HelperError
from keel.operations import compile as compiling
from keel.resolvers.ty.find import find_ty
from tests.edits import Author
from tests.property.test_same_findings import ROOTS, become
from tests.workspaces import commit_all, git, write_files

SEEDS = range(3)
EDITS = 6
COMMITTED = 2
"""After so many edits they are accepted."""

pytestmark = pytest.mark.usefixtures("with_ty")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_warm_type_checker_says_what_a_fresh_one_says(seed: int, tmp_path: Path) -> None:
    try:
        find_ty()
    except HelperError as error:
        pytest.skip(str(error))
    author = Author(random.Random(seed).randrange)
    tree = author.tree()
    history = [tree]
    here = write_files(tmp_path / "here", {**ROOTS, **tree})
    commit_all(here)
    warm = open_workspace(str(here), str(here))
    heard = 0
    for number in range(EDITS):
        tree = author.edit(tree, history)
        history.append(tree)
        become(here, tree)
        result = compiled(warm)
        fresh = open_workspace(str(here), str(here))
        assert compiled(fresh) == result, f"edit {number}"
        fresh.close()
        heard += result.evidence == "ty"
        if number % COMMITTED == COMMITTED - 1:
            git(here, "add", "--all")
            git(here, "commit", "-q", "--allow-empty", "-m", "accepted")
    warm.close()
    assert heard, "none of the edits was about anybody's callers"


def compiled(workspace: Workspace) -> compiling.Result:
    return compiling.run(workspace, compiling.Params(session="ci", verbose=True))
