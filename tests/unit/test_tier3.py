"""Tier 3 over ty over keel's own answers: what it promotes, adds, changes, costs, and what stays when it goes.

What one helper makes of keel's own answers is in `tests/unit/test_confirm.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from keel import registry
from keel.bootstrap import open_workspace
from keel.graph.export import export_graph
from keel.indexing.pipeline import bring_up_to_date, build
from keel.indexing.report import Report
from keel.model.kinds import Tier
from keel.model.lines import EdgeLine
from keel.querying.current_graph import index_context
from keel.querying.helper_summary import differing, disagreements
from tests.helping import FakeHelper, says
from tests.workspaces import MakeWorkspace, write_files

LIB = "def f(): ...\ndef g(): ...\nclass A:\n    def __init__(self): ...\n    def m(self): ...\n"
USER = "from lib import f\n\n\ndef use(x):\n    f()\n    x.m()\n"
FILES = {"lib.py": LIB, "user.py": USER}
F, M = {"user.py:f()": "lib.py:f()"}, {"user.py:m()": "lib.py:m("}
OTHER = {"user.py:f()": "lib.py:g()"}


class Project:
    """A workspace with two made-up helpers: one of tier 2, one of tier 3."""

    def __init__(
        self,
        folder: Path,
        ty: Mapping[str, str],
        third: Mapping[str, str],
        is_expensive: bool = False,
        tier: Tier = Tier.TIER3_LSP,
    ) -> None:
        self.folder = folder
        self.workspace = open_workspace(str(folder))
        self.workspace.prepare()
        self.ty = FakeHelper(says(folder, ty))
        self.third = FakeHelper(says(folder, third), tier=tier, is_expensive=is_expensive)
        self.helpers = [self.ty.helper, self.third.helper]

    def map(self) -> Report:
        return build(index_context(self.workspace)._replace(helpers={"python": self.helpers}))

    def sync(self, files: Mapping[str, str]) -> Report:
        write_files(self.folder, files)
        return bring_up_to_date(index_context(self.workspace)._replace(helpers={"python": self.helpers}))

    def calls(self) -> list[str]:
        """The calls of `use`, in short."""
        with self.workspace.store.reading() as reader:
            edges = [line for line in export_graph(reader) if isinstance(line, EdgeLine)]
        return [
            f"{edge.line} {edge.target.rpartition(':')[2]} {edge.tier} {edge.confidence:.2f}{_own(edge)}"
            for edge in edges
            if edge.source.endswith(":use") and edge.kind == "calls"
        ]

    def differing(self) -> tuple[dict[str, int], list[str]]:
        with self.workspace.store.reading() as reader:
            return dict(disagreements(reader)), list(differing(reader))


def _own(edge: EdgeLine) -> str:
    ids = edge.metadata.get("own")
    return f" own={','.join(one.rpartition(':')[2] for one in ids)}" if isinstance(ids, list) else ""


@pytest.mark.parametrize("tier", [Tier.TIER3_LSP, Tier.TIER3_SCIP])
def test_what_it_agrees_with_has_its_tier_and_097(workspace: MakeWorkspace, tier: Tier) -> None:
    project = Project(workspace(FILES), F, F | M, tier=tier)
    assert project.map().warnings == ()
    assert project.calls()[0] == f"5 f {tier.word} 0.97"


def test_it_agrees_with_keel_alone_too(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {}, F)
    project.map()
    assert project.calls() == ["5 f tier3_lsp 0.97"]


def test_what_only_it_finds_is_as_sure_as_what_only_ty_finds(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), F, M)
    project.map()
    assert project.calls() == ["5 f tier2_ty 0.95", "6 A.m tier3_lsp 0.93 own="]


def test_what_ty_found_alone_and_it_confirms_still_says_that_keel_had_nothing(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), M, M)
    project.map()
    assert project.calls()[1] == "6 A.m tier3_lsp 0.97 own="


def test_where_it_differs_its_answer_wins_and_the_other_is_listed(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), F, OTHER)
    project.map()
    assert project.calls() == ["5 g tier3_lsp 0.95 own=f"]
    counts, listed = project.differing()
    assert counts == {"tier3_lsp": 1}
    assert listed == ["user.py:5  calls g (by a language server); found before: f (lib.py)"]


def test_where_it_takes_the_side_of_ty_keels_own_answer_is_still_listed(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), OTHER, OTHER)
    project.map()
    assert project.calls() == ["5 g tier3_lsp 0.97 own=f"]
    assert project.differing()[0] == {"tier2_ty": 1}


def test_the_cap_of_star_imports_wins(workspace: MakeWorkspace) -> None:
    files = {**FILES, "user.py": "from lib import *\ndef use():\n    f()\n"}
    project = Project(workspace(files), F, F)
    project.map()
    assert project.calls() == ["3 f tier3_lsp 0.50"]


def test_an_answer_that_is_no_definition_of_the_graph_makes_no_edge(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {}, {"user.py:m()": "elsewhere.py:m", "user.py:f()": "lib.py:..."})
    project.map()
    assert project.calls() == ["5 f tier2_treesitter_heuristic 0.80"]


def test_one_that_is_dear_is_asked_only_about_what_is_open_or_unsure(workspace: MakeWorkspace) -> None:
    user = "from lib import A, f\n\n\ndef use(x, a: A):\n    f()\n    x.m()\n    a.m()\n"
    project = Project(
        workspace({**FILES, "user.py": user}),
        {
            "user.py:f()": "lib.py:f()",
            "user.py:f\n": "lib.py:f()",
            "user.py:A, f": "lib.py:A",
            "user.py:m()\n    a": "lib.py:f()",
        },
        {},
        is_expensive=True,
    )
    project.map()
    lines = [(Path(position.path).name, position.line) for position, _ in project.third.asked]
    assert lines == [("user.py", 7)], "0.80, while the others are at 0.95"
    assert len(project.ty.asked) > 3


def test_there_is_no_second_opinion_of_it(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {}, {})
    project.map()
    assert any(again for _, again in project.ty.asked)
    assert not any(again for _, again in project.third.asked)


# when it goes


def test_one_that_breaks_costs_its_tier_and_one_warning(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), F, F)
    project.third.breaks_after = 0
    assert project.map().warnings == ("pyright ended (broken by a test)",)
    assert project.calls() == ["5 f tier2_ty 0.95"]
    assert project.sync({"other.py": "import lib\n"}).warnings == (), "a graph without it stays without it"


def test_it_helps_where_ty_does_not_work(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), F, F)
    project.ty.breaks_after = 0
    assert project.map().warnings == ("ty ended (broken by a test)",)
    assert project.calls() == ["5 f tier3_lsp 0.97"]


def test_who_wants_it_no_more_gets_what_ty_says(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), F, OTHER)
    project.map()
    project.helpers = [project.ty.helper]
    project.sync({})
    assert project.calls() == ["5 f tier2_ty 0.95"]
    assert project.differing() == ({}, [])


def test_who_wants_it_from_now_on_gets_it_by_the_next_map(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), F, F)
    project.helpers = [project.ty.helper]
    project.map()
    project.helpers = [project.ty.helper, project.third.helper]
    project.sync({"other.py": "import lib\n"})
    assert project.calls() == ["5 f tier2_ty 0.95"]
    project.map()
    assert project.calls() == ["5 f tier3_lsp 0.97"]


def test_after_an_edit_both_are_asked_about_what_it_touches(workspace: MakeWorkspace) -> None:
    project = Project(workspace({**FILES, "far.py": "import os\nos.getcwd()\n"}), F | M, F | M)
    project.map()
    before = project.calls()
    project.ty.files_asked(), project.third.files_asked()
    project.sync({"lib.py": LIB.replace("def g", "def h")})
    assert (project.ty.files_asked(), project.third.files_asked()) == ({"user.py"}, {"user.py"})
    assert project.calls() == before


@pytest.mark.parametrize(
    ("section", "asked"),
    [
        ('server = "pyright"', ["python"]),
        ('server = "some-server --stdio"', ["python", "rust"]),
        ('server = "some-server"\nlanguages = ["rust"]', ["rust"]),
        ('server = "pyright"\nlanguages = ["rust"]', ["rust"]),
        ('scip = "index.scip"', []),
    ],
)
def test_a_server_is_asked_about_its_own_language_or_those_configured(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, section: str, asked: list[str]
) -> None:
    monkeypatch.setattr(registry, "languages", lambda: [SimpleNamespace(name="python"), SimpleNamespace(name="rust")])
    monkeypatch.setattr("keel.ports.language.confirming_of", lambda language: language)
    folder = workspace(FILES)
    write_files(folder, {".keel/config.toml": f"[resolution]\nty = false\n[resolution.tier3]\n{section}\n"})

    helpers = open_workspace(str(folder)).helpers

    assert list(helpers) == ["python", "rust"]
    assert asked == [name for name, each in helpers.items() if any(one.tier == Tier.TIER3_LSP for one in each)]
