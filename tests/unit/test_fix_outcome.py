"""What `fix --apply` says it came to, where compiling again has nothing to say and its plans have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.checking import fix_plans
from keel.checking.fix_plans import ENTANGLED, Planned
from keel.model.findings import Affected, Finding
from keel.operations import fix
from tests.workspaces import MakeWorkspace, commit_all, write_files

LIBRARY = 'def old() -> int:\n    """Says it."""\n    return 1 + 2 + 3\n'
USER = "from library import old\n\nprint(old())\n"


@pytest.fixture
def project(workspace: MakeWorkspace) -> Path:
    """A function with another name, and a file that uses the old one."""
    folder = workspace({"library.py": LIBRARY, "user.py": USER})
    commit_all(folder)
    return write_files(folder, {"library.py": LIBRARY.replace("old", "new")})


@pytest.mark.parametrize(
    ("why", "outcome", "code"), [("only you know", "partly", 1), (ENTANGLED, "fixed", 0)], ids=["left", "waited"]
)
def test_a_place_that_is_left_is_never_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, why: str, outcome: str, code: int
) -> None:
    def planned(workspace: Workspace, findings: Sequence[Finding], since: str | None) -> list[Planned]:
        place = Affected(hash="", name="somewhere", file="user.py", line=9)
        plans = fix_plans.planned(workspace, findings, since)
        return [each._replace(left=((place, why),)) for each in plans]

    monkeypatch.setattr(fix, "planned", planned)
    told = fix.run(open_workspace(str(project), str(project)), fix.Params(apply=True))
    assert (project / "user.py").read_text() == USER.replace("old", "new")
    assert (told.outcome, told.exit_code, told.remaining) == (outcome, code, code)
    assert ("nothing is left" in told.report) is (not code)
